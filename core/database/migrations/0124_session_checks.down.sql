ALTER TABLE accounts DROP COLUMN session_check_at;
