-- Whoever gave up their password has one that nobody knows: they sign in with their passkeys still.
ALTER TABLE users DROP COLUMN passwords_allowed;
