-- Up Migration

-- Another email address of an account: it counts once its mailbox has confirmed it, and for a week the one before can take it back.
CREATE TABLE email_changes (
  id text PRIMARY KEY,
  owner text NOT NULL REFERENCES users,
  old_email text NOT NULL,
  new_email text NOT NULL,
  confirm_hash bytea NOT NULL UNIQUE,
  confirm_until timestamptz NOT NULL,
  undo_hash bytea UNIQUE,
  undo_until timestamptz,
  CHECK ((undo_hash IS NULL) = (undo_until IS NULL))
);
CREATE INDEX email_changes_owner ON email_changes (owner);
CREATE INDEX email_changes_old ON email_changes (lower(old_email));
COMMENT ON TABLE email_changes IS 'Email addresses that accounts were, or are to be, changed to. Gone once they can be neither confirmed nor taken back.';
COMMENT ON COLUMN email_changes.old_email IS 'The address when it was changed. While it can be taken back, nobody else gets it.';
COMMENT ON COLUMN email_changes.confirm_hash IS 'Keyed hash of what the link opens with that the new address was mailed.';
COMMENT ON COLUMN email_changes.undo_hash IS 'The same of the link that the old address was mailed. NULL: not confirmed yet.';
