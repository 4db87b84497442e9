-- No transaction
DROP INDEX CONCURRENTLY IF EXISTS accounts_session_check_at;
