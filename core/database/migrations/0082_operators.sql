-- Up Migration

-- Operators have credentials of their own. The shared token of the key file opens as long as there are none.
CREATE TABLE operators (
  name text PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_by text NOT NULL,
  used_at timestamptz
);
COMMENT ON TABLE operators IS 'Who may open the admin port with a credential of their own. Whose it is no more has no row; what they did stands in audit_log. While there is nobody, the shared token opens.';
COMMENT ON COLUMN operators.name IS 'As the log names them.';
COMMENT ON COLUMN operators.token_hash IS 'SHA-256 of the token, which has 256 random bits: no key of the key file is needed to know it again.';
COMMENT ON COLUMN operators.used_at IS 'When it last opened something, to a minute.';

ALTER TABLE operator_sessions ADD COLUMN operator text REFERENCES operators (name) ON DELETE CASCADE;
COMMENT ON COLUMN operator_sessions.operator IS 'Whose own credential began it, and with whose it ends; null: the shared token, which counts only while nobody has their own.';
