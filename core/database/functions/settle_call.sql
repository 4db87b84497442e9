-- Ends a call, once: whoever comes second gets the status that stands. p_attempt NULL = whichever attempt is current. A
-- write that is being sent is ended by the try that sends it, p_sender; what the engine asks for (p_attempt NULL) while
-- it may have been sent ends it as unknown.
CREATE OR REPLACE FUNCTION settle_call(
  p_call text,
  p_attempt integer,
  p_status text,
  p_output bytea,
  p_error bytea,
  p_error_code text,
  p_sender bigint DEFAULT NULL::bigint
)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
  captured boolean;
  may_be_out boolean;
BEGIN
  SELECT * INTO c FROM calls WHERE id = p_call FOR UPDATE;
  IF NOT FOUND OR c.status <> 'running' OR c.attempt <> coalesce(p_attempt, c.attempt) THEN
    RETURN c.status;
  END IF;
  may_be_out := c.access = 'write' AND c.send <> 'ready';
  IF may_be_out AND p_attempt IS NOT NULL AND c.sender IS DISTINCT FROM p_sender THEN
    RETURN c.status;
  END IF;
  IF may_be_out AND p_attempt IS NULL THEN
    p_status := 'unknown';
    p_output := NULL;
    p_error := NULL;
    p_error_code := NULL;
  END IF;
  captured := p_status = 'executed' AND c.reserved_month IS NOT NULL;
  UPDATE calls SET status = p_status, output = p_output, error = p_error, error_code = p_error_code,
      waiting_for = NULL, retry_at = NULL, check_at = NULL, updated_at = clock_timestamp(),
      reserved_month = CASE WHEN NOT captured THEN reserved_month END,
      credits_used = CASE WHEN captured THEN credits ELSE credits_used END
    WHERE id = p_call;
  IF captured THEN
    INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (c.owner, 'capture', c.credits, c.reserved_month, p_call);
    UPDATE balances SET reserved = reserved - c.credits WHERE owner = c.owner;
  ELSIF p_status <> 'executed' THEN
    PERFORM release_credits(p_call);
  END IF;
  RETURN p_status;
END $function$;
