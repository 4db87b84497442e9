-- What bars the key from an endpoint of an app that it may use: that it only reads, the endpoints of its own, or what
-- its owner allows to all. NULL = nothing does.
CREATE OR REPLACE FUNCTION scope_refusal(k api_keys, p_app text, p_endpoint text, p_access text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
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
END $function$;
