-- Up Migration

-- The pepper is a ring: which of its keys an API key is known by, so that an older one can go.
ALTER TABLE api_keys ADD COLUMN pepper text NOT NULL DEFAULT 'k1';
COMMENT ON COLUMN api_keys.pepper IS 'The key of the ring `pepper` that `hash` is made with: the newest when the key was made or last used. `k1` where the key file has a single one.';
