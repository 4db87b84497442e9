-- Up Migration

-- Who signs in with passkeys only has codes for the day on which all of them are lost.
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

ALTER TABLE passkey_challenges
  DROP CONSTRAINT passkey_challenges_purpose_check,
  ADD CONSTRAINT passkey_challenges_purpose_check CHECK (purpose IN ('add', 'sign_in', 'approve', 'recover'));
