-- Up Migration
-- No transaction

-- People look for calls of one app, and for those that did not end well. Neither may read all of somebody's calls.
CREATE INDEX CONCURRENTLY calls_app ON calls (owner, app, id DESC);
CREATE INDEX CONCURRENTLY calls_not_done ON calls (owner, status, id DESC)
  WHERE status IN ('failed', 'unknown', 'rejected', 'expired', 'cancelled');
