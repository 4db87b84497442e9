DROP TABLE oauth_tokens;
DROP TABLE oauth_grants;
DROP TABLE oauth_codes;
DROP TABLE oauth_clients;
-- Calls name the grants that made them: what is left of these is a key that nobody has.
UPDATE api_keys SET revoked_at = coalesce(revoked_at, clock_timestamp()), hash = sha256(convert_to(id, 'UTF8')) WHERE hash IS NULL;
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
  IF s.mode = 'read' AND p_access <> 'read' OR s.mode = 'chosen' AND NOT p_endpoint = ANY (s.endpoints) THEN
    RETURN 'SCOPE_DENIED';
  END IF;
  RETURN NULL;
END $$;
ALTER TABLE api_keys DROP COLUMN read_only, ALTER COLUMN hash SET NOT NULL;
