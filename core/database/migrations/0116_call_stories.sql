-- Up Migration
-- No transaction

-- The page of a call tells who paused what it waited for, and who had it tried again, among everybody's changes of that time.
CREATE INDEX CONCURRENTLY audit_log_pauses ON audit_log (at)
  WHERE action IN ('app.paused', 'endpoint.paused', 'pause.lifted');
