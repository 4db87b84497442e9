-- Decides a waiting call, once. True = this decision stands. An approval counts before expires_at, an expiry from then
-- on. p_revision: of what was shown; NULL = whatever stands. p_unseen: the page had nothing of the app yet, so nothing
-- that the app told is approved. p_passkey_proof: NULL = approved without a passkey.
CREATE OR REPLACE FUNCTION decide_call(
  p_call text,
  p_decision text,
  p_by text,
  p_proof text,
  p_revision integer,
  p_reason bytea,
  p_unseen boolean,
  p_passkey_proof text
)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE calls SET decision = p_decision, decided_by = p_by, decided_at = clock_timestamp(), approval_proof = p_proof,
      passkey_proof = p_passkey_proof, decision_reason = p_reason,
      preview = CASE WHEN p_unseen THEN NULL ELSE preview END, prepare_at = NULL, look_up = NULL, waiting_for = NULL,
      status = CASE p_decision WHEN 'approved' THEN 'running' ELSE p_decision END,
      check_at = clock_timestamp() + interval '2 seconds', updated_at = clock_timestamp()
    WHERE id = p_call AND status = 'awaiting_confirmation' AND (p_revision IS NULL OR revision = p_revision)
      AND CASE p_decision WHEN 'expired' THEN expires_at <= clock_timestamp()
                          WHEN 'approved' THEN expires_at > clock_timestamp()
                          ELSE true END;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF p_decision <> 'approved' THEN
    PERFORM release_credits(p_call);
  END IF;
  RETURN true;
END $function$;
