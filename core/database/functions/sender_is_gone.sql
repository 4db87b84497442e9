-- Whether nobody can be sending this call any more: its sender said so, or is dead, or has had more time than a try may
-- take.
CREATE OR REPLACE FUNCTION sender_is_gone(p_sender bigint, p_since timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  SELECT p_sender IS NULL OR p_since < clock_timestamp() - interval '100 seconds'
    OR pg_try_advisory_xact_lock_shared(7233301, (p_sender >> 22)::integer)
$function$;
