-- Changes nothing. Its time says how long cursors without an account are taken: core/calls/check-cursor.ts.
SELECT;
