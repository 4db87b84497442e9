-- Up Migration

-- Since when a saved pause or rate waits for the engine to take it: the oldest one that it has not taken. Null = it has all.
ALTER TABLE app_controls ADD COLUMN pacing_due_since timestamptz;
UPDATE app_controls SET pacing_due_since = clock_timestamp() WHERE pacing_due;
