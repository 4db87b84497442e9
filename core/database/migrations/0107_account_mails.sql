-- Up Migration

-- What an account's mails wait in until a mail server took them: they are told of in the transaction of what they are about.
CREATE TABLE mails (
  id text PRIMARY KEY,
  kind text NOT NULL,
  address text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}',
  secret bytea,
  until timestamptz NOT NULL,
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  tries integer NOT NULL DEFAULT 0
);
CREATE INDEX mails_due ON mails (due_at);
COMMENT ON TABLE mails IS 'Mails about accounts that have not left yet. Gone once a mail server took them, or they are worth nothing any more.';
COMMENT ON COLUMN mails.address IS 'Where it goes; of a request to set a new password, what somebody typed.';
COMMENT ON COLUMN mails.secret IS 'What its link opens, wrapped as data keys are.';
COMMENT ON COLUMN mails.until IS 'Afterwards it is worth nothing.';
COMMENT ON COLUMN mails.due_at IS 'The next try is no sooner. While one is under way it is a little later, so that no other process tries, too.';

-- Links with which whoever lost their password sets another.
CREATE TABLE password_resets (
  hash bytea PRIMARY KEY,
  owner text NOT NULL REFERENCES users,
  bound bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX password_resets_owner ON password_resets (owner);
COMMENT ON TABLE password_resets IS 'Links with which whoever lost their password sets another. The first one that is used ends all of their owner.';
COMMENT ON COLUMN password_resets.hash IS 'Keyed hash of what the link opens with.';
COMMENT ON COLUMN password_resets.bound IS 'SHA-256 of the password''s hash of then: with another password the link is void.';
