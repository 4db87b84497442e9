-- Up Migration

-- An equal call that waits is told instead of a new one only while it could be sent: not when the app's definition has changed since,
-- or when its own key may not make it any more.
CREATE OR REPLACE FUNCTION accept_call(
  p_id text, p_owner text, p_key_id text, p_app text, p_endpoint text, p_account text, p_access text, p_confirm boolean,
  p_expiry_seconds integer, p_input bytea, p_content_hash bytea, p_definition_version text, p_credits integer,
  p_idempotency_key text, p_request_hash bytea, p_max_open integer,
  p_standing text[] DEFAULT NULL, p_per_day integer[] DEFAULT NULL, p_proofs text[] DEFAULT NULL,
  p_decide_until timestamptz DEFAULT NULL, p_max_running integer DEFAULT NULL,
  OUT outcome text, OUT call_id text, OUT created_at timestamptz, OUT expires_at timestamptz,
  OUT credits_left integer, OUT next_credits_at timestamptz, OUT approved_by text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  balance balances;
  earlier idempotency_keys;
  p_proof text;
  p_status text := CASE WHEN p_confirm THEN 'awaiting_confirmation' ELSE 'running' END;
BEGIN
  IF p_idempotency_key IS NOT NULL THEN
    -- A call with the same key that is being accepted right now holds the lock: wait for it, but not for long.
    PERFORM set_config('lock_timeout', '5s', true);
  END IF;
  IF p_standing IS NOT NULL THEN
    PERFORM FROM standing_approvals WHERE id = ANY (p_standing) ORDER BY id FOR UPDATE;
  END IF;
  balance := lock_balance(p_owner);

  IF p_idempotency_key IS NOT NULL THEN
    SELECT * INTO earlier FROM idempotency_keys WHERE owner = p_owner AND key = p_idempotency_key;
    IF FOUND THEN
      call_id := earlier.call_id;
      outcome := CASE WHEN earlier.request_hash = p_request_hash THEN 'replayed' ELSE 'reused' END;
      RETURN;
    END IF;
  ELSIF p_confirm THEN
    SELECT id INTO call_id FROM calls
      WHERE owner = p_owner AND content_hash = p_content_hash AND status = 'awaiting_confirmation' AND expires_at > clock_timestamp()
        AND definition_version = p_definition_version AND access_problem(key_id, owner, app, endpoint, access) IS NULL
      ORDER BY id LIMIT 1;
    IF FOUND THEN
      outcome := 'replayed';
      RETURN;
    END IF;
  END IF;

  IF p_confirm AND p_standing IS NOT NULL THEN
    -- The budget is that of the proof, not of the row: the row may have been changed since it was read.
    SELECT s.id, s.proof INTO approved_by, p_proof
      FROM unnest(p_standing, p_per_day, p_proofs) WITH ORDINALITY AS s(id, per_day, proof, n)
      JOIN standing_approvals r ON r.id = s.id
      WHERE r.revoked_at IS NULL AND (r.until IS NULL OR r.until > clock_timestamp())
        AND (s.per_day IS NULL
             OR s.per_day > (SELECT count(*) FROM calls used WHERE used.decided_by = s.id AND used.decided_at >= this_day()))
      ORDER BY s.n LIMIT 1;
    IF FOUND THEN
      p_status := 'running';
      p_max_open := p_max_running;
    END IF;
  END IF;

  IF (SELECT count(*) FROM calls WHERE owner = p_owner AND status = p_status) >= p_max_open THEN
    outcome := 'full';
    RETURN;
  END IF;
  IF balance.available < p_credits THEN
    outcome := 'poor';
    credits_left := balance.available;
    next_credits_at := (balance.month + interval '1 month') AT TIME ZONE 'UTC';
    RETURN;
  END IF;

  INSERT INTO calls AS c (id, owner, key_id, app, endpoint, account, access, confirm, status, expires_at, input, content_hash,
      definition_version, credits, reserved_month, decision, decided_by, decided_at, approval_proof)
    VALUES (p_id, p_owner, p_key_id, p_app, p_endpoint, p_account, p_access, p_confirm, p_status,
      CASE WHEN approved_by IS NOT NULL THEN p_decide_until
           WHEN p_confirm THEN clock_timestamp() + make_interval(secs => p_expiry_seconds) END,
      p_input, p_content_hash, p_definition_version, p_credits, CASE WHEN p_credits > 0 THEN balance.month END,
      CASE WHEN approved_by IS NOT NULL THEN 'approved' END, approved_by,
      CASE WHEN approved_by IS NOT NULL THEN clock_timestamp() END, p_proof)
    RETURNING c.id, c.created_at, c.expires_at INTO call_id, created_at, expires_at;
  IF p_credits > 0 THEN
    UPDATE balances SET available = available - p_credits, reserved = reserved + p_credits WHERE owner = p_owner;
    INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (p_owner, 'reserve', p_credits, balance.month, p_id);
  END IF;
  IF p_idempotency_key IS NOT NULL THEN
    INSERT INTO idempotency_keys (owner, key, request_hash, call_id) VALUES (p_owner, p_idempotency_key, p_request_hash, p_id);
  END IF;
  outcome := 'accepted';
END $$;
