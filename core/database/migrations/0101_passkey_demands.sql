-- Up Migration

-- A person may demand that approving calls of an endpoint needs a passkey, each time or above an amount.
CREATE TABLE passkey_demands (
  owner text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  demands jsonb NOT NULL,
  proof text NOT NULL
);
COMMENT ON TABLE passkey_demands IS 'For approving calls of which endpoints a person demands a passkey. Without a valid proof every approval needs one. The row stays when nothing is demanded any more: the data keys of the owner''s accounts say that there has to be one.';
COMMENT ON COLUMN passkey_demands.demands IS 'By `app/endpoint`: since when, and above which amount, in whole units of the currency that the call has; null: each time.';
COMMENT ON COLUMN passkey_demands.proof IS '`<key id>.<base64url>`: proves that the owner demands just these.';

ALTER TABLE passkey_challenges
  DROP CONSTRAINT passkey_challenges_purpose_check,
  ADD CONSTRAINT passkey_challenges_purpose_check CHECK (purpose IN ('add', 'sign_in', 'approve'));

ALTER TABLE calls ADD COLUMN passkey_proof text;
COMMENT ON COLUMN calls.passkey_proof IS '`<passkey> <key id>.<base64url>`: proves that the owner approved exactly this content with that passkey.';

CREATE FUNCTION decide_call(p_call text, p_decision text, p_by text, p_proof text, p_revision integer, p_reason bytea, p_unseen boolean, p_passkey_proof text)
RETURNS boolean LANGUAGE plpgsql AS $$
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
END $$;
COMMENT ON FUNCTION decide_call(text, text, text, text, integer, bytea, boolean, text) IS 'Decides a waiting call, once. True = this decision stands. An approval counts before expires_at, an expiry from then on. p_revision: of what was shown; NULL = whatever stands. p_unseen: the page had nothing of the app yet, so nothing that the app told is approved. p_passkey_proof: NULL = approved without a passkey.';
CREATE OR REPLACE FUNCTION decide_call(p_call text, p_decision text, p_by text, p_proof text, p_revision integer, p_reason bytea, p_unseen boolean)
RETURNS boolean LANGUAGE sql AS $$ SELECT decide_call(p_call, p_decision, p_by, p_proof, p_revision, p_reason, p_unseen, NULL) $$;
COMMENT ON FUNCTION decide_call(text, text, text, text, integer, bytea, boolean) IS 'Of releases before 0101.';
