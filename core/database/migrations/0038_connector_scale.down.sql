ALTER TABLE added_connectors DROP COLUMN scale, DROP COLUMN scaled_at;
