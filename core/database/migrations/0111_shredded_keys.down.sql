-- No transaction
DROP INDEX CONCURRENTLY IF EXISTS accounts_to_shred;
