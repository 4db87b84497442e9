-- Up Migration

-- Who lets one agent do something without asking lets no other: what was switched off for all keys stays so.
CREATE TABLE key_switches (
  owner text NOT NULL REFERENCES users (id),
  app text NOT NULL,
  endpoint text NOT NULL,
  key_line text NOT NULL,
  proof text NOT NULL,
  PRIMARY KEY (owner, app, endpoint, key_line)
);
COMMENT ON TABLE key_switches IS 'Endpoints that one key (or program that signed in), with what replaces it, calls without asking its owner first. What holds for all keys is in endpoint_settings.';
COMMENT ON COLUMN key_switches.key_line IS 'The line of the key.';
COMMENT ON COLUMN key_switches.proof IS '`<key id>.<base64url>`: proves that the owner switched it off for this key. Without it the endpoint asks.';
