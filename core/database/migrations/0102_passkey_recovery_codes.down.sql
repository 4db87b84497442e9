-- Who has no password signs in with the passkeys that they have.
DELETE FROM passkey_challenges WHERE purpose = 'recover';
ALTER TABLE passkey_challenges
  DROP CONSTRAINT passkey_challenges_purpose_check,
  ADD CONSTRAINT passkey_challenges_purpose_check CHECK (purpose IN ('add', 'sign_in', 'approve'));
DROP TABLE passkey_recovery_codes;
