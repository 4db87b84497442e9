-- The youngest valid key that came after this one in its line; NULL = there is none.
CREATE OR REPLACE FUNCTION heir_of(p_key text)
 RETURNS text
 LANGUAGE sql
AS $function$
  SELECT heir.id FROM api_keys k JOIN api_keys heir ON heir.line = k.line AND heir.turn > k.turn
  WHERE k.id = p_key AND is_valid_key(heir)
  ORDER BY heir.turn DESC LIMIT 1
$function$;
