-- Up Migration

-- An operator's pause of one endpoint, for all accounts: calls are accepted and wait. No row = not paused.
CREATE TABLE endpoint_controls (
  app text NOT NULL,
  endpoint text NOT NULL,
  paused boolean NOT NULL,
  PRIMARY KEY (app, endpoint)
);

-- A pause of an app or a rate that is saved, and that the engine has not taken yet.
ALTER TABLE app_controls ADD COLUMN pacing_due boolean NOT NULL DEFAULT false;

-- Browser sessions of operators. Only a keyed hash of the cookie is here; `name` is what they call themselves in the log.
CREATE TABLE operator_sessions (
  hash bytea PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);

-- Calls that ended unknown, and of which nobody has said yet whether they happened.
CREATE INDEX calls_unresolved ON calls (app) WHERE status = 'unknown' AND resolution IS NULL;
