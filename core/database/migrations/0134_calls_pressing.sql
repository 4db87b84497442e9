-- Up Migration
-- No transaction

-- What of the due calls somebody waits for: found however many others are due, core/calls/due.ts.
CREATE INDEX CONCURRENTLY calls_pressing ON calls (check_at)
  WHERE check_at IS NOT NULL AND (status <> 'awaiting_confirmation' OR prepare_at IS NOT NULL);
