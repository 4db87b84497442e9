ALTER TABLE web_sessions DROP COLUMN proved_at;
