-- Up Migration

-- Whoever waits for a call is told at the moment its end commits.
CREATE FUNCTION tell_ending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('callgate_ended', NEW.id);
  RETURN NULL;
END $$;

CREATE TRIGGER calls_ended AFTER UPDATE OF status ON calls FOR EACH ROW
  WHEN (OLD.status IN ('awaiting_confirmation', 'running') AND NEW.status NOT IN ('awaiting_confirmation', 'running'))
  EXECUTE FUNCTION tell_ending();
