-- Up Migration

-- A second step after the password: codes of an authenticator app.
CREATE TABLE totp (
  id text PRIMARY KEY,
  owner text NOT NULL UNIQUE REFERENCES users,
  secret bytea NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  confirmed_at timestamptz,
  last_step bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE totp IS 'The authenticator app whose codes a person says after their password.';
COMMENT ON COLUMN totp.secret IS 'What the app has, too (its first 20 bytes), wrapped as data keys are.';
COMMENT ON COLUMN totp.confirmed_at IS 'When a first code of it was right. NULL: not yet, and no code is asked for.';
COMMENT ON COLUMN totp.last_step IS 'The 30 seconds since 1970 whose code was used last: that one and those before it are used up.';

-- For the day on which the app is lost.
CREATE TABLE recovery_codes (
  hash bytea PRIMARY KEY,
  owner text NOT NULL REFERENCES users
);
CREATE INDEX recovery_codes_owner ON recovery_codes (owner);
COMMENT ON TABLE recovery_codes IS 'Codes that stand in for an authenticator app, each once. Only keyed hashes are kept.';
