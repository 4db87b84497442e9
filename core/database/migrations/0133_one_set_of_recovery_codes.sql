-- Up Migration
-- Contract: passkey_recovery_codes

-- A person has one set of recovery codes, whatever it stands in for. Who has both keeps those that open the account.
ALTER TABLE recovery_codes ADD COLUMN challenge text, ADD COLUMN used_at timestamptz;
DELETE FROM recovery_codes r WHERE EXISTS (SELECT FROM passkey_recovery_codes p WHERE p.owner = r.owner);
INSERT INTO recovery_codes (hash, owner, challenge, used_at) SELECT hash, owner, challenge, used_at FROM passkey_recovery_codes;
DROP TABLE passkey_recovery_codes;
COMMENT ON TABLE recovery_codes IS 'Each is good once: for an account with a password, in place of the authenticator app; for one that takes passkeys only, to make one new passkey.';
COMMENT ON COLUMN recovery_codes.hash IS 'SHA-256 of owner and code, which has 100 random bits; of an older one of 50 bits, which only stands in for the app, a hash with a pepper.';
COMMENT ON COLUMN recovery_codes.challenge IS 'What the passkey that is being made with it signs.';
