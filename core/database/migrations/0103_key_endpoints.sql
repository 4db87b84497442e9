-- Up Migration

-- A key, or a program that signed in, may be limited to some endpoints of an app.
ALTER TABLE api_keys ADD COLUMN endpoints jsonb;
COMMENT ON COLUMN api_keys.endpoints IS 'Of some apps, the endpoints that it may call: `{"app": ["name"]}`. Of an app that does not stand here it may call all. NULL: of every app.';
ALTER TABLE oauth_codes ADD COLUMN endpoints jsonb;
COMMENT ON COLUMN oauth_codes.endpoints IS 'As in api_keys.';

CREATE FUNCTION scope_refusal(k api_keys, p_app text, p_endpoint text, p_access text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  s scopes;
BEGIN
  IF k.read_only AND p_access <> 'read' THEN
    RETURN 'key_reads_only';
  END IF;
  IF k.endpoints ? p_app AND NOT k.endpoints -> p_app ? p_endpoint THEN
    RETURN 'key_endpoints';
  END IF;
  SELECT * INTO s FROM scopes WHERE owner = k.owner AND app = p_app;
  IF s.mode = 'read' AND p_access <> 'read' OR s.mode = 'chosen' AND NOT p_endpoint = ANY (s.endpoints) THEN
    RETURN 'owner';
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION scope_refusal IS 'What bars the key from an endpoint of an app that it may use: that it only reads, the endpoints of its own, or what its owner allows to all. NULL = nothing does.';

CREATE OR REPLACE FUNCTION access_problem(p_key text, p_owner text, p_app text, p_endpoint text, p_access text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  k api_keys;
BEGIN
  SELECT * INTO k FROM api_keys WHERE id = p_key AND owner = p_owner;
  IF NOT FOUND OR k.revoked_at IS NOT NULL OR k.expires_at <= clock_timestamp() THEN
    RETURN 'api_key_invalid';
  END IF;
  IF NOT p_app = ANY (k.apps) THEN
    RETURN 'access_not_granted';
  END IF;
  IF scope_refusal(k, p_app, p_endpoint, p_access) IS NOT NULL THEN
    RETURN 'SCOPE_DENIED';
  END IF;
  RETURN NULL;
END $$;
