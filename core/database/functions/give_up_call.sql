-- The engine says that a wait is over. Ends the call as failed if the row says so, too: with an approval a day of
-- waiting for the app, or three for the person; without one four blocks, or an app that wants to be asked later than a
-- client waits. Returns the status that stands, and how long the wait goes on if its time is all that is missing.
CREATE OR REPLACE FUNCTION give_up_call(
  p_call text,
  p_for text,
  p_error bytea,
  p_error_code text,
  OUT stands text,
  OUT time_left interval
)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
BEGIN
  SELECT * INTO c FROM calls WHERE id = p_call FOR UPDATE;
  stands := c.status;
  IF NOT FOUND OR c.status <> 'running' OR c.send <> 'ready' THEN
    RETURN;
  END IF;
  IF c.confirm THEN
    IF c.waiting_for IS NULL OR c.held_for <> p_for THEN
      RETURN;
    END IF;
    time_left := c.held_since + CASE p_for WHEN 'person' THEN interval '72 hours' ELSE interval '24 hours' END - clock_timestamp();
    IF time_left > interval '0' THEN
      RETURN;
    END IF;
    time_left := NULL;
  ELSIF p_for <> 'app' OR (c.blocks < 4 AND NOT coalesce(c.waiting_for = 'rate_limited'
      AND c.retry_at > date_trunc('milliseconds', c.created_at) + interval '25 seconds', false)) THEN
    RETURN;
  END IF;
  stands := settle_call(p_call, NULL, 'failed', NULL, p_error, p_error_code);
END $function$;
