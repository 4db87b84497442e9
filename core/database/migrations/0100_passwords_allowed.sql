-- Up Migration

-- People may give up their password, and sign in with passkeys alone.
ALTER TABLE users ADD COLUMN passwords_allowed boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN users.passwords_allowed IS 'False: passkeys only. The hash is then of a password that nobody knows, so that a release that does not know the column refuses them, too.';
