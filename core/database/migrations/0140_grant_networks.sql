CREATE TABLE oauth_networks (
  key text REFERENCES oauth_grants (key) ON DELETE CASCADE,
  network text,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (key, network)
);
CREATE INDEX oauth_networks_seen ON oauth_networks (seen_at);
COMMENT ON TABLE oauth_networks IS 'Networks that used a grant within the last minutes.';
COMMENT ON COLUMN oauth_networks.network IS 'An IPv4 address, or the /64 of an IPv6 one.';
