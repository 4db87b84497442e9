-- The app would refuse what a waiting call asks for: it ends as failed before anybody decided.
CREATE OR REPLACE FUNCTION refuse_call(p_call text, p_revision integer, p_error bytea, p_error_code text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE calls SET status = 'failed', error = p_error, error_code = p_error_code, waiting_for = NULL, prepare_at = NULL, look_up = NULL,
      check_at = clock_timestamp() + interval '2 seconds', updated_at = clock_timestamp()
    WHERE id = p_call AND status = 'awaiting_confirmation' AND revision = p_revision;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM release_credits(p_call);
  RETURN true;
END $function$;
