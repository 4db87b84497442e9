-- Up Migration

-- An account may have several data keys: the newest seals, and the others open what they sealed until it is gone.
ALTER TABLE accounts
  ADD COLUMN data_key_since timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN older_data_keys integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN accounts.data_key_since IS 'When the newest data key was made; for accounts of before, when this was written down.';
COMMENT ON COLUMN accounts.older_data_keys IS 'How many `data_key` has besides the newest.';
