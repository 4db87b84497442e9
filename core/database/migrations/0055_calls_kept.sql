-- Up Migration
-- No transaction

-- What still says something, oldest first: so that what is old is found without reading all calls that there ever were.
CREATE INDEX CONCURRENTLY calls_kept ON calls (created_at, id) WHERE input IS NOT NULL;
