-- Up Migration

-- A person lets a program use /mcp by signing in, without a key: OAuth. What was granted is a key without a secret of its own, so that
-- limits, ownership and everything else that is asked of a key holds for it.
ALTER TABLE api_keys
  ALTER COLUMN hash DROP NOT NULL,
  ADD COLUMN read_only boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN api_keys.hash IS 'Keyed hash of the key; NULL: a grant of OAuth, which has tokens instead.';
COMMENT ON COLUMN api_keys.read_only IS 'It may call what reads, and nothing else.';

CREATE TABLE oauth_clients (
  id text PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  auth_method text NOT NULL CHECK (auth_method IN ('none', 'client_secret_basic', 'client_secret_post')),
  secret_hash bytea,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  read_at timestamptz,
  expires_at timestamptz NOT NULL
);
CREATE INDEX oauth_clients_expires ON oauth_clients (expires_at);
COMMENT ON TABLE oauth_clients IS 'Programs that may ask a person for access to /mcp. Anybody may register one: everything in it is the program''s own word.';
COMMENT ON COLUMN oauth_clients.id IS 'Made up here for one that registered; otherwise the address of the document that describes it.';
COMMENT ON COLUMN oauth_clients.read_at IS 'When its document was read; NULL: it registered.';
COMMENT ON COLUMN oauth_clients.expires_at IS 'It is forgotten then; each use moves this on.';

CREATE TABLE oauth_codes (
  hash bytea PRIMARY KEY,
  client text NOT NULL,
  client_name text NOT NULL,
  redirect_uri text NOT NULL,
  challenge text NOT NULL,
  resource text NOT NULL,
  owner text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  apps text[],
  read_only boolean NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  key text REFERENCES api_keys (id)
);
CREATE INDEX oauth_codes_expires ON oauth_codes (expires_at);
COMMENT ON TABLE oauth_codes IS 'What a person allowed, until the program fetches its tokens with the code.';
COMMENT ON COLUMN oauth_codes.challenge IS 'SHA-256 of the verifier that the program keeps (PKCE), in base64url.';
COMMENT ON COLUMN oauth_codes.resource IS 'The path that the tokens are for: /mcp or /mcp/{app}.';
COMMENT ON COLUMN oauth_codes.apps IS 'NULL = all.';
COMMENT ON COLUMN oauth_codes.key IS 'The grant that was made of it: the code sent once more ends it.';

CREATE TABLE oauth_grants (
  key text PRIMARY KEY REFERENCES api_keys (id),
  client text NOT NULL,
  goes_to text NOT NULL,
  resource text NOT NULL
);
COMMENT ON TABLE oauth_grants IS 'The keys that are grants of OAuth.';
COMMENT ON COLUMN oauth_grants.goes_to IS 'Where the person was sent back to: a host, or what opens the address.';

CREATE TABLE oauth_tokens (
  hash bytea PRIMARY KEY,
  key text NOT NULL REFERENCES oauth_grants (key),
  kind text NOT NULL CHECK (kind IN ('access', 'refresh')),
  parent bytea,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  superseded boolean NOT NULL DEFAULT false
);
CREATE INDEX oauth_tokens_key ON oauth_tokens (key);
CREATE INDEX oauth_tokens_parent ON oauth_tokens (parent) WHERE parent IS NOT NULL;
CREATE INDEX oauth_tokens_expires ON oauth_tokens (expires_at);
COMMENT ON TABLE oauth_tokens IS 'Keyed hashes of the tokens of grants.';
COMMENT ON COLUMN oauth_tokens.parent IS 'The refresh token that it was fetched with; NULL: the first of its grant, or an access token.';
COMMENT ON COLUMN oauth_tokens.used_at IS 'When a refresh token was used first.';
COMMENT ON COLUMN oauth_tokens.superseded IS 'Another one of the same parent was used: that answer was the one that arrived.';

CREATE OR REPLACE FUNCTION access_problem(p_key text, p_owner text, p_app text, p_endpoint text, p_access text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  k api_keys;
  s scopes;
BEGIN
  SELECT * INTO k FROM api_keys WHERE id = p_key AND owner = p_owner;
  IF NOT FOUND OR k.revoked_at IS NOT NULL OR k.expires_at <= clock_timestamp() THEN
    RETURN 'api_key_invalid';
  END IF;
  IF NOT p_app = ANY (k.apps) THEN
    RETURN 'access_not_granted';
  END IF;
  SELECT * INTO s FROM scopes WHERE owner = p_owner AND app = p_app;
  IF k.read_only AND p_access <> 'read' OR s.mode = 'read' AND p_access <> 'read'
    OR s.mode = 'chosen' AND NOT p_endpoint = ANY (s.endpoints) THEN
    RETURN 'SCOPE_DENIED';
  END IF;
  RETURN NULL;
END $$;
