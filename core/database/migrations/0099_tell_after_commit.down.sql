-- Each end is told of inside its commit.
CREATE OR REPLACE FUNCTION tell_ending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('callgate_ended', NEW.id);
  RETURN NULL;
END $$;
COMMENT ON FUNCTION tell_ending IS 'Whoever waits for a call is told at the moment its end commits.';
DROP FUNCTION settle_call_untold;
