-- Up Migration

-- People who are being erased, or were. The row of a person stays, without name, for the ledger and the calls.
CREATE TABLE erasures (
  owner text PRIMARY KEY REFERENCES users (id),
  -- The person, an operator's name, or restore: somebody who had been erased came back with an older database.
  asked_by text NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Since when the list outside of the database names them.
  listed_at timestamptz,
  -- When nothing was left that could still come in late; NULL = it goes on.
  done_at timestamptz
);
CREATE INDEX erasures_open ON erasures (asked_at) WHERE done_at IS NULL;
COMMENT ON TABLE erasures IS 'People who are being erased, or were. The row of a person stays, without name, for the ledger and the calls.';
COMMENT ON COLUMN erasures.asked_by IS 'The person, an operator''s name, or restore: somebody who had been erased came back with an older database.';
COMMENT ON COLUMN erasures.listed_at IS 'Since when the list outside of the database names them.';
COMMENT ON COLUMN erasures.done_at IS 'When nothing was left that could still come in late; NULL = it goes on.';
