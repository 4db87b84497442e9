-- Up Migration

-- What people did in an app in the live browser so that its connector's author can make endpoints of it.
CREATE TABLE traces (
  id text PRIMARY KEY,
  app text NOT NULL,
  name text NOT NULL,
  begun_by text NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  owner text REFERENCES users (id),
  account text REFERENCES accounts (id),
  ended_at timestamptz,
  exchanges integer,
  trace bytea,
  expires_at timestamptz NOT NULL
);
CREATE INDEX traces_age ON traces (expires_at);
CREATE INDEX traces_app ON traces (app, name);
COMMENT ON TABLE traces IS 'Recordings of what somebody did in an app, asked for by an operator, made by a person with an account of theirs.';
COMMENT ON COLUMN traces.id IS 'Cannot be guessed: the first person who opens its page makes it.';
COMMENT ON COLUMN traces.owner IS 'Who makes it. NULL: nobody has opened it.';
COMMENT ON COLUMN traces.ended_at IS 'When it was kept or thrown away.';
COMMENT ON COLUMN traces.exchanges IS 'How many requests are in it.';
COMMENT ON COLUMN traces.trace IS 'Sealed with the account''s data key, and without secrets all the same. NULL: there is none yet, or it was thrown away.';
COMMENT ON COLUMN traces.expires_at IS 'An hour after it was asked for; 30 days after it was kept.';

CREATE FUNCTION forget_traces() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM traces WHERE account = NEW.id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION forget_traces() IS 'What was recorded with an account goes with it.';
CREATE TRIGGER traces_disconnected AFTER UPDATE OF state ON accounts FOR EACH ROW
  WHEN (OLD.state <> 'disconnected' AND NEW.state = 'disconnected')
  EXECUTE FUNCTION forget_traces();
