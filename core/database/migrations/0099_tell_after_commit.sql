-- Up Migration

-- A word that is given inside a commit makes all such commits of the server wait for each other, flush by flush. Who settles a call after it was
-- sent tells of the end once it stands, many at a time; the rare other ends tell in their own commit as before.
CREATE FUNCTION settle_call_untold(
  p_call text, p_attempt integer, p_status text, p_output bytea, p_error bytea, p_error_code text, p_sender bigint
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('callgate.untold', 'on', true);
  RETURN settle_call(p_call, p_attempt, p_status, p_output, p_error, p_error_code, p_sender);
END $$;
COMMENT ON FUNCTION settle_call_untold IS 'settle_call, of whose end its caller tells after the commit, by callgate_ended.';

CREATE OR REPLACE FUNCTION tell_ending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('callgate.untold', true) = 'on' THEN
    RETURN NULL;
  END IF;
  PERFORM pg_notify('callgate_ended', NEW.id);
  RETURN NULL;
END $$;
COMMENT ON FUNCTION tell_ending IS 'Whoever waits for a call is told at the moment its end commits, unless its caller tells.';
