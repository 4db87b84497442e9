-- Why the key may not call the endpoint now; NULL = it may. Asked when a call is accepted, and again right before it is
-- sent.
CREATE OR REPLACE FUNCTION access_problem(p_key text, p_owner text, p_app text, p_endpoint text, p_access text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  k api_keys;
BEGIN
  SELECT * INTO k FROM api_keys WHERE id = p_key AND owner = p_owner;
  IF NOT FOUND OR NOT is_valid_key(k) THEN
    RETURN 'api_key_invalid';
  END IF;
  IF NOT p_app = ANY (k.apps) THEN
    RETURN 'access_not_granted';
  END IF;
  IF scope_refusal(k, p_app, p_endpoint, p_access) IS NOT NULL THEN
    RETURN 'SCOPE_DENIED';
  END IF;
  RETURN NULL;
END $function$;
