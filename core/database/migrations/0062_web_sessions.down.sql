ALTER TABLE web_sessions DROP COLUMN id, DROP COLUMN seen_at, DROP COLUMN network, DROP COLUMN browser;
