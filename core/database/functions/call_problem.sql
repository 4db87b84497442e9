-- Why a call that this key made may not be sent now; NULL = it may. What its own key may not do any more, its heir may
-- do for it.
CREATE OR REPLACE FUNCTION call_problem(p_key text, p_owner text, p_app text, p_endpoint text, p_access text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  problem text := access_problem(p_key, p_owner, p_app, p_endpoint, p_access);
  heir text;
BEGIN
  IF problem IS NULL THEN
    RETURN NULL;
  END IF;
  heir := heir_of(p_key);
  RETURN CASE WHEN heir IS NULL THEN problem ELSE access_problem(heir, p_owner, p_app, p_endpoint, p_access) END;
END $function$;
