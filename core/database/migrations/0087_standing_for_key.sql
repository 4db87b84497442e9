-- Up Migration

-- Who trusts one agent does not trust all: a standing approval may be for one key, and what replaces it.
ALTER TABLE standing_approvals ADD COLUMN key_line text;
COMMENT ON COLUMN standing_approvals.key_line IS 'The line of the key (or program that signed in) whose calls it covers; covered by the proof. NULL: of all keys, as all were before.';
