-- Up Migration

-- How many calls of each ten minutes stand where, so that a day is not counted row by row whenever somebody looks. What is in it can be counted
-- again from the calls at any time.
CREATE TABLE call_counts (
  bucket timestamptz PRIMARY KEY,
  counted_at timestamptz NOT NULL,
  counts jsonb NOT NULL
);
COMMENT ON TABLE call_counts IS 'Calls by the ten minutes in which they were accepted, counted by app and status, for the figures of a day.';
COMMENT ON COLUMN call_counts.counts IS 'App to status to number.';
