-- What was recorded with an account goes with it.
CREATE OR REPLACE FUNCTION forget_traces()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM traces WHERE account = NEW.id;
  RETURN NULL;
END $function$;
