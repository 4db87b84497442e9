-- No transaction
DROP INDEX CONCURRENTLY IF EXISTS audit_log_pauses;
