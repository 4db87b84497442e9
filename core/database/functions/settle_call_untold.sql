-- settle_call, of whose end its caller tells after the commit, by callgate_ended.
CREATE OR REPLACE FUNCTION settle_call_untold(
  p_call text,
  p_attempt integer,
  p_status text,
  p_output bytea,
  p_error bytea,
  p_error_code text,
  p_sender bigint
)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM set_config('callgate.untold', 'on', true);
  RETURN settle_call(p_call, p_attempt, p_status, p_output, p_error, p_error_code, p_sender);
END $function$;
