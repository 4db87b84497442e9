-- The app blocked an attempt and did nothing: refunds it, readies the next one, counts it, and puts the ladder of its
-- account and endpoint in place. A block during a pause leaves the ladder alone; the block of a probe doubles it, up to
-- an hour.
CREATE OR REPLACE FUNCTION block_call(p_call text, p_attempt integer)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
  paused_until timestamptz;
BEGIN
  UPDATE calls SET send = 'ready', attempt = attempt + 1, tries = 0, blocks = blocks + 1, waiting_for = 'blocked',
      updated_at = clock_timestamp()
    WHERE id = p_call AND status = 'running' AND attempt = p_attempt RETURNING * INTO c;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  PERFORM release_credits(p_call);
  INSERT INTO pauses AS p (account, endpoint, until, seconds)
    VALUES (c.account, c.endpoint, clock_timestamp() + interval '60 seconds', 60)
    ON CONFLICT (account, endpoint) DO UPDATE SET
      seconds = CASE WHEN p.probe_call = c.id THEN least(p.seconds * 2, 3600) ELSE p.seconds END,
      until = CASE WHEN p.probe_call = c.id THEN clock_timestamp() + make_interval(secs => least(p.seconds * 2, 3600))
                   ELSE p.until END,
      probe_call = CASE WHEN p.probe_call = c.id THEN NULL ELSE p.probe_call END
    RETURNING until INTO paused_until;
  UPDATE calls SET retry_at = paused_until WHERE id = p_call;
  RETURN paused_until;
END $function$;
