-- Up Migration
-- No transaction

-- Whose data key is due, and of whose older ones something may be left.
CREATE INDEX CONCURRENTLY accounts_data_key_since ON accounts (data_key_since);
CREATE INDEX CONCURRENTLY accounts_older_data_keys ON accounts (data_key_since) WHERE older_data_keys > 0;
