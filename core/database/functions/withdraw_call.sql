-- Takes a running call back before anything was sent. True = nothing was sent and nothing will be.
CREATE OR REPLACE FUNCTION withdraw_call(p_call text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE calls SET status = 'cancelled', send = 'withdrawn', waiting_for = NULL, retry_at = NULL,
      check_at = clock_timestamp() + interval '2 seconds', updated_at = clock_timestamp()
    WHERE id = p_call AND status = 'running' AND send = 'ready';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM release_credits(p_call);
  RETURN true;
END $function$;
