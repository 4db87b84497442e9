-- Up Migration
-- No transaction

-- Which of an app's accounts are due.
CREATE INDEX CONCURRENTLY accounts_session_check_at ON accounts (app, session_check_at) WHERE state = 'connected';
