-- No transaction
DROP INDEX CONCURRENTLY IF EXISTS calls_pressing;
