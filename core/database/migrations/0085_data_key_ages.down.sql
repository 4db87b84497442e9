-- No transaction
DROP INDEX CONCURRENTLY IF EXISTS accounts_older_data_keys;
DROP INDEX CONCURRENTLY IF EXISTS accounts_data_key_since;
