-- What matters has changed in the app since the approval, and nothing was sent: the call waits for its person once
-- more, in the next round. After p_most rounds it ends as failed.
CREATE OR REPLACE FUNCTION ask_again(
  p_call text,
  p_attempt integer,
  p_round integer,
  p_most integer,
  p_request bytea,
  p_preview bytea,
  p_prepare boolean,
  p_expiry_seconds integer,
  p_error bytea,
  p_error_code text,
  OUT stands text
)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
BEGIN
  SELECT * INTO c FROM calls WHERE id = p_call FOR UPDATE;
  stands := c.status;
  IF NOT FOUND OR c.status <> 'running' OR c.send <> 'ready' OR c.attempt <> p_attempt OR c.round <> p_round
      OR c.decision IS DISTINCT FROM 'approved' THEN
    RETURN;
  END IF;
  IF c.round >= p_most THEN
    stands := settle_call(p_call, p_attempt, 'failed', NULL, p_error, p_error_code);
    RETURN;
  END IF;
  INSERT INTO rounds (call_id, round, decided_by, decided_at, request, preview)
    VALUES (c.id, c.round, c.decided_by, c.decided_at, c.request, c.preview);
  UPDATE calls SET status = 'awaiting_confirmation', decision = NULL, decided_by = NULL, decided_at = NULL, approval_proof = NULL,
      decision_reason = NULL, round = round + 1, revision = revision + 1, attempt = attempt + 1, tries = 0,
      request = p_request, preview = p_preview, previewed_at = clock_timestamp(), look_up = NULL,
      prepare_at = CASE WHEN p_prepare THEN clock_timestamp() END, prepare_tries = 0,
      waiting_for = NULL, retry_at = NULL, held_for = NULL, held_since = NULL,
      expires_at = clock_timestamp() + make_interval(secs => p_expiry_seconds),
      check_at = clock_timestamp() + interval '5 seconds', updated_at = clock_timestamp()
    WHERE id = p_call;
  stands := 'awaiting_confirmation';
END $function$;
