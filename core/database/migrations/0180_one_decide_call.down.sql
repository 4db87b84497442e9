-- Of releases before 0101.
CREATE FUNCTION decide_call(
  p_call text,
  p_decision text,
  p_by text,
  p_proof text,
  p_revision integer,
  p_reason bytea,
  p_unseen boolean
)
 RETURNS boolean
 LANGUAGE sql
AS $function$ SELECT decide_call(p_call, p_decision, p_by, p_proof, p_revision, p_reason, p_unseen, NULL) $function$;
CREATE FUNCTION decide_call(p_call text, p_decision text, p_by text, p_proof text)
 RETURNS boolean
 LANGUAGE sql
AS $function$ SELECT decide_call(p_call, p_decision, p_by, p_proof, NULL, NULL, false) $function$;
