DROP INDEX accounts_older_data_keys;
DROP INDEX accounts_data_key_since;
ALTER TABLE accounts DROP COLUMN older_data_keys, DROP COLUMN data_key_since;
