-- Gives a key that replaces another the limits of that one.
CREATE OR REPLACE FUNCTION keep_key_limits()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  SELECT endpoints INTO NEW.endpoints FROM api_keys WHERE line = NEW.line AND turn = NEW.turn - 1;
  RETURN NEW;
END $function$;
