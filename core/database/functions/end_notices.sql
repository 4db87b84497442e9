-- Ends notices, once, and remembers at their target what came of it. Returns how many had not ended yet.
CREATE OR REPLACE FUNCTION end_notices(p_ids text[], p_state text, p_result text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  ended integer;
BEGIN
  UPDATE notices SET state = p_state, last_result = coalesce(p_result, last_result), ended_at = clock_timestamp(), check_at = NULL,
      next_try_at = NULL, tries = tries + (p_result IS NOT NULL)::integer, first_try_at = coalesce(first_try_at, clock_timestamp())
    WHERE id = ANY (p_ids) AND state = 'pending';
  GET DIAGNOSTICS ended = ROW_COUNT;
  IF p_result IS NOT NULL THEN
    UPDATE notice_targets SET last_try_at = clock_timestamp(), last_result = p_result,
        last_delivered_at = CASE p_state WHEN 'delivered' THEN clock_timestamp() ELSE last_delivered_at END
      WHERE id = (SELECT target FROM notices WHERE id = p_ids[1]);
  END IF;
  RETURN ended;
END $function$;
