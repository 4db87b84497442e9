-- Releases before 0101 called these. The release before this one calls only the longest.
-- Contract: decide_call/4, decide_call/7
DROP FUNCTION decide_call(text, text, text, text);
DROP FUNCTION decide_call(text, text, text, text, integer, bytea, boolean);
