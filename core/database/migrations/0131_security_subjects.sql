-- Up Migration

-- Which key, or which row, a refusal was about. Not part of what tells rows apart: the release before counts by minute, kind and address.
ALTER TABLE security_log ADD COLUMN subjects text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN security_log.subjects IS 'Ids of the keys or rows that it was about; 20 at most, and one more where there were more.';
