-- Up Migration

-- What weakens approval wants a sign-in of just now; who is signed in already proves once more who they are, and stays where they are.
ALTER TABLE web_sessions ADD COLUMN proved_at timestamptz;
COMMENT ON COLUMN web_sessions.proved_at IS 'When its owner last said their password, or used a passkey, once more. NULL: not since it began.';
