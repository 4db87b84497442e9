-- Up Migration

-- How far an added connector is, as its author's command computed it.
ALTER TABLE added_connectors ADD COLUMN scale text CHECK (scale IN ('bronze', 'silver', 'gold'));
ALTER TABLE added_connectors ADD COLUMN scaled_at timestamptz;
COMMENT ON COLUMN added_connectors.scale IS 'As callgate connector scale computed it of this version; NULL: nobody said, or not bronze yet.';
COMMENT ON COLUMN added_connectors.scaled_at IS 'When it was said.';
