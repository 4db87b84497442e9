ALTER TABLE invitations DROP COLUMN mailed;
