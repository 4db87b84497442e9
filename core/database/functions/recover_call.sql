-- A try is said to have died. What the row proves: `again`, with the number of the attempt to make, since nothing was
-- sent, or a read may be sent again; `sending`, for its sender lives; `worn_out`, for a read that was sent p_tries
-- times; otherwise the status that stands.
CREATE OR REPLACE FUNCTION recover_call(
  p_call text,
  p_attempt integer,
  p_tries integer,
  OUT outcome text,
  OUT next_attempt integer
)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
BEGIN
  SELECT * INTO c FROM calls WHERE id = p_call FOR UPDATE;
  IF NOT FOUND OR c.status <> 'running' THEN
    outcome := c.status;
  ELSIF c.send = 'sending' AND NOT sender_is_gone(c.sender, c.updated_at) THEN
    outcome := 'sending';
  ELSIF c.send = 'sending' AND c.access = 'write' THEN
    outcome := settle_call(p_call, NULL, 'unknown', NULL, NULL, NULL);
  ELSIF c.send = 'sending' AND c.tries >= p_tries THEN
    outcome := 'worn_out';
  ELSIF c.send = 'ready' AND c.attempt <> p_attempt THEN
    outcome := 'again';
    next_attempt := c.attempt;
  ELSE
    UPDATE calls SET send = 'ready', attempt = attempt + 1, updated_at = clock_timestamp()
      WHERE id = p_call RETURNING attempt INTO next_attempt;
    outcome := 'again';
  END IF;
END $function$;
