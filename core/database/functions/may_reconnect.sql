-- Whether a call that waits for its person may be tried again: the account works, and the last try was not a moment
-- ago.
CREATE OR REPLACE FUNCTION may_reconnect(p_state text, p_attempt integer, p_updated_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT p_state IN ('connected', 'disconnected')
    AND p_updated_at <= clock_timestamp() - make_interval(secs => 2 ^ (least(p_attempt, 8) - 1) - 1)
$function$;
