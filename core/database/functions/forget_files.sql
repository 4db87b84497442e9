-- A call that has ended sends nothing any more.
CREATE OR REPLACE FUNCTION forget_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE call_files SET content = NULL WHERE call_id = NEW.id AND content IS NOT NULL;
  RETURN NULL;
END $function$;
