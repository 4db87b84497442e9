-- Switches a target off; what is still to be told there is dropped.
CREATE OR REPLACE FUNCTION disable_target(p_target text, p_reason text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE notice_targets SET enabled = false, disabled_reason = p_reason WHERE id = p_target AND enabled;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE notices SET state = 'dropped', ended_at = clock_timestamp(), check_at = NULL, next_try_at = NULL
    WHERE target = p_target AND state = 'pending';
  RETURN true;
END $function$;
