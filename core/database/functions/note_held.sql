-- Notes on the row what it waits for from now on.
CREATE OR REPLACE FUNCTION note_held()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.held_since := CASE WHEN OLD.held_for = CASE NEW.waiting_for WHEN 'reconnect' THEN 'person' ELSE 'app' END
    THEN OLD.held_since ELSE clock_timestamp() END;
  NEW.held_for := CASE NEW.waiting_for WHEN 'reconnect' THEN 'person' ELSE 'app' END;
  RETURN NEW;
END $function$;
