-- The release before knows no limit to endpoints: a key that has one would be able to do more, so it ends.
UPDATE api_keys SET revoked_at = clock_timestamp() WHERE endpoints IS NOT NULL AND revoked_at IS NULL;
DELETE FROM oauth_codes WHERE endpoints IS NOT NULL;

CREATE OR REPLACE FUNCTION access_problem(p_key text, p_owner text, p_app text, p_endpoint text, p_access text)
RETURNS text LANGUAGE plpgsql AS $$
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

DROP FUNCTION scope_refusal;
ALTER TABLE oauth_codes DROP COLUMN endpoints;
ALTER TABLE api_keys DROP COLUMN endpoints;
