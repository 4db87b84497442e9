-- Up Migration

-- Why the key may not call the endpoint now; NULL = it may. Asked when a call is accepted, and again right before it is sent.
CREATE FUNCTION access_problem(p_key text, p_owner text, p_app text, p_endpoint text, p_access text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  k api_keys;
  s scopes;
BEGIN
  SELECT * INTO k FROM api_keys WHERE id = p_key AND owner = p_owner;
  IF NOT FOUND OR k.revoked_at IS NOT NULL OR k.expires_at <= clock_timestamp() THEN
    RETURN 'api_key_invalid';
  END IF;
  IF NOT p_app = ANY (k.apps) THEN
    RETURN 'access_not_granted';
  END IF;
  SELECT * INTO s FROM scopes WHERE owner = p_owner AND app = p_app;
  IF s.mode = 'read' AND p_access <> 'read' OR s.mode = 'chosen' AND NOT p_endpoint = ANY (s.endpoints) THEN
    RETURN 'SCOPE_DENIED';
  END IF;
  RETURN NULL;
END $$;

-- Writes a call, its reservation and its idempotency key, or says why not and writes none of them:
-- accepted; replayed (call_id is the earlier call); reused (this idempotency key came with another request); full; poor.
-- The balance row is the owner's lock: equal calls, caps and credits are judged one call at a time.
CREATE FUNCTION accept_call(
  p_id text, p_owner text, p_key_id text, p_app text, p_endpoint text, p_account text, p_access text, p_confirm boolean,
  p_expiry_seconds integer, p_input bytea, p_content_hash bytea, p_definition_version text, p_credits integer,
  p_idempotency_key text, p_request_hash bytea, p_max_open integer,
  OUT outcome text, OUT call_id text, OUT created_at timestamptz, OUT expires_at timestamptz,
  OUT credits_left integer, OUT next_credits_at timestamptz
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  balance balances;
  earlier idempotency_keys;
  p_status text := CASE WHEN p_confirm THEN 'awaiting_confirmation' ELSE 'running' END;
BEGIN
  IF p_idempotency_key IS NOT NULL THEN
    -- A call with the same key that is being accepted right now holds the lock: wait for it, but not for long.
    PERFORM set_config('lock_timeout', '5s', true);
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
      ORDER BY id LIMIT 1;
    IF FOUND THEN
      outcome := 'replayed';
      RETURN;
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
      definition_version, credits, reserved_month)
    VALUES (p_id, p_owner, p_key_id, p_app, p_endpoint, p_account, p_access, p_confirm, p_status,
      CASE WHEN p_confirm THEN clock_timestamp() + make_interval(secs => p_expiry_seconds) END, p_input, p_content_hash,
      p_definition_version, p_credits, CASE WHEN p_credits > 0 THEN balance.month END)
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

-- As before, with the row of the call written once instead of twice.
CREATE OR REPLACE FUNCTION settle_call(p_call text, p_attempt integer, p_status text, p_output bytea, p_error bytea, p_error_code text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  captured boolean;
BEGIN
  SELECT * INTO c FROM calls WHERE id = p_call FOR UPDATE;
  IF NOT FOUND OR c.status <> 'running' OR c.attempt <> coalesce(p_attempt, c.attempt) THEN
    RETURN c.status;
  END IF;
  captured := p_status = 'executed' AND c.reserved_month IS NOT NULL;
  UPDATE calls SET status = p_status, output = p_output, error = p_error, error_code = p_error_code,
      waiting_for = NULL, retry_at = NULL, check_at = NULL, updated_at = clock_timestamp(),
      reserved_month = CASE WHEN NOT captured THEN reserved_month END,
      credits_used = CASE WHEN captured THEN credits ELSE credits_used END
    WHERE id = p_call;
  IF captured THEN
    INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (c.owner, 'capture', c.credits, c.reserved_month, p_call);
    UPDATE balances SET reserved = reserved - c.credits WHERE owner = c.owner;
  ELSIF p_status <> 'executed' THEN
    PERFORM release_credits(p_call);
  END IF;
  RETURN p_status;
END $$;
