-- Up Migration

-- An invitation may be mailed, too; so many of one person a day.
ALTER TABLE invitations ADD COLUMN mailed boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN invitations.mailed IS 'Its link was mailed to the address, besides being shown.';
