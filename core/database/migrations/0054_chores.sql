-- Up Migration

CREATE TABLE chores (
  name text PRIMARY KEY,
  done_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE chores IS 'What is to be done once a day, and when it was last done to its end: operators are told of what is late.';
COMMENT ON COLUMN chores.name IS 'purge: old calls were emptied; session_checks: apps were asked whether sessions still work.';
COMMENT ON COLUMN chores.done_at IS 'Before the first time: when the table was made.';
INSERT INTO chores (name) VALUES ('purge'), ('session_checks');
