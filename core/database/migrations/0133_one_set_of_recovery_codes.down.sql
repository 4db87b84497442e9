CREATE TABLE passkey_recovery_codes (
  hash bytea PRIMARY KEY,
  owner text NOT NULL REFERENCES users ON DELETE CASCADE,
  challenge text,
  used_at timestamptz
);
CREATE INDEX passkey_recovery_codes_owner ON passkey_recovery_codes (owner);
COMMENT ON TABLE passkey_recovery_codes IS 'Each lets its owner make one new passkey, and sign in. Those of an account that takes passwords again are deleted.';
COMMENT ON COLUMN passkey_recovery_codes.hash IS 'SHA-256 of owner and code, which has 100 random bits.';
COMMENT ON COLUMN passkey_recovery_codes.challenge IS 'What the passkey that is being made with it signs.';
-- What stands in for the app is told apart by its pepper there: those of the one set go to who has passkeys only.
WITH moved AS (
  DELETE FROM recovery_codes r USING users u WHERE u.id = r.owner AND NOT u.passwords_allowed RETURNING r.*
) INSERT INTO passkey_recovery_codes (hash, owner, challenge, used_at) SELECT hash, owner, challenge, used_at FROM moved;
DELETE FROM recovery_codes WHERE used_at IS NOT NULL;
ALTER TABLE recovery_codes DROP COLUMN challenge, DROP COLUMN used_at;
COMMENT ON TABLE recovery_codes IS 'Codes that stand in for an authenticator app, each once. Only keyed hashes are kept.';
COMMENT ON COLUMN recovery_codes.hash IS NULL;
