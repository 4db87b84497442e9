-- Up Migration

-- Calls that the author of an added connector makes to see what its rules find.
CREATE TABLE tries (
  id text PRIMARY KEY,
  app text NOT NULL,
  endpoint text NOT NULL,
  begun_by text NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  call_id text REFERENCES calls (id),
  recording bytea
);
CREATE INDEX tries_age ON tries (expires_at);
COMMENT ON TABLE tries IS 'Calls of added connectors whose exchange with the app is kept for a while, for the author. A call says by its Idempotency-Key, try-<id>, that it is one.';
COMMENT ON COLUMN tries.id IS 'Cannot be guessed: whoever knows it may make the call that is kept.';
COMMENT ON COLUMN tries.begun_by IS 'The operator who asked for it.';
COMMENT ON COLUMN tries.call_id IS 'NULL: it has not talked to the app yet.';
COMMENT ON COLUMN tries.recording IS 'Sealed with the account''s data key: a recording without secrets, or why there is none.';
