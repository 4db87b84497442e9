-- Whoever waits for a call is told at the moment its end commits, unless its caller tells.
CREATE OR REPLACE FUNCTION tell_ending()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF current_setting('callgate.untold', true) = 'on' THEN
    RETURN NULL;
  END IF;
  PERFORM pg_notify('callgate_ended', NEW.id);
  RETURN NULL;
END $function$;
