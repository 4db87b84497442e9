ALTER TABLE accounts DROP COLUMN older_data_keys, DROP COLUMN data_key_since;
