-- Up Migration
-- No transaction

-- Which accounts are disconnected and have a data key left.
CREATE INDEX CONCURRENTLY accounts_to_shred ON accounts (id) WHERE state = 'disconnected' AND data_key_since < 'infinity';
