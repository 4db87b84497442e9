-- Writes a call, its reservation and its idempotency key, or says why not and writes none of them: accepted; replayed
-- (call_id is the earlier call); reused (this idempotency key came with another request); full; poor. The balance row
-- is the owner's lock: equal calls, caps and credits are judged one call at a time. Idempotency keys and equal calls
-- that wait count within the line of the key, up to its own turn; an equal call is told while its key, or that one's
-- heir, may make it. Of the standing approvals that cover the call (p_standing, the first wins, each with its budget a
-- day and its proof for exactly this call, made for the time to decide p_decide_until) one that still stands approves
-- it, and that is a use of it. Locks: the standing approvals, then the balance; who revokes locks in the same order.
-- p_request: as it was rendered; p_prepare: something is to be looked up in the app before the person is asked.
-- p_answer_due: a tool's write, whose answer is due until it was handed over; an equal one of the line that still runs,
-- or that ended within ten minutes and whose answer is still due, is that call. p_client: what the program says of
-- itself.
CREATE OR REPLACE FUNCTION accept_call(
  p_id text,
  p_owner text,
  p_key_id text,
  p_app text,
  p_endpoint text,
  p_account text,
  p_access text,
  p_confirm boolean,
  p_expiry_seconds integer,
  p_input bytea,
  p_content_hash bytea,
  p_credits integer,
  p_idempotency_key text,
  p_request_hash bytea,
  p_max_open integer,
  p_standing text[] DEFAULT NULL::text[],
  p_per_day integer[] DEFAULT NULL::integer[],
  p_proofs text[] DEFAULT NULL::text[],
  p_decide_until timestamp with time zone DEFAULT NULL::timestamp with time zone,
  p_max_running integer DEFAULT NULL::integer,
  p_request bytea DEFAULT NULL::bytea,
  p_why bytea DEFAULT NULL::bytea,
  p_prepare boolean DEFAULT false,
  p_answer_due boolean DEFAULT false,
  p_client text DEFAULT NULL::text,
  OUT outcome text,
  OUT call_id text,
  OUT created_at timestamp with time zone,
  OUT expires_at timestamp with time zone,
  OUT credits_left integer,
  OUT next_credits_at timestamp with time zone,
  OUT approved_by text
)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
DECLARE
  balance balances;
  caller api_keys;
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

  IF p_idempotency_key IS NOT NULL OR p_confirm OR p_answer_due THEN
    SELECT * INTO STRICT caller FROM api_keys WHERE id = p_key_id AND owner = p_owner;
  END IF;
  IF p_idempotency_key IS NOT NULL THEN
    SELECT * INTO earlier FROM idempotency_keys
      WHERE line = caller.line AND key = p_idempotency_key AND turn <= caller.turn ORDER BY turn DESC LIMIT 1;
    IF FOUND THEN
      call_id := earlier.call_id;
      outcome := CASE WHEN earlier.request_hash = p_request_hash THEN 'replayed' ELSE 'reused' END;
      RETURN;
    END IF;
  END IF;
  IF p_idempotency_key IS NULL AND p_confirm THEN
    SELECT c.id INTO call_id FROM calls c JOIN api_keys maker ON maker.id = c.key_id
      WHERE c.owner = p_owner AND c.content_hash = p_content_hash AND c.status = 'awaiting_confirmation'
        AND c.expires_at > clock_timestamp()
        AND maker.line = caller.line AND maker.turn <= caller.turn
        AND call_problem(c.key_id, c.owner, c.app, c.endpoint, c.access) IS NULL
      ORDER BY c.id LIMIT 1;
    IF FOUND THEN
      outcome := 'replayed';
    END IF;
  END IF;
  IF p_idempotency_key IS NULL AND p_answer_due AND call_id IS NULL THEN
    SELECT equal.id INTO call_id FROM (
        SELECT c.id, c.key_id FROM calls c
          WHERE c.owner = p_owner AND c.content_hash = p_content_hash AND c.status = 'running'
            AND (c.send <> 'ready' OR call_problem(c.key_id, c.owner, c.app, c.endpoint, c.access) IS NULL)
        UNION ALL
        SELECT c.id, c.key_id FROM answers_due a JOIN calls c ON c.id = a.call_id
          WHERE a.owner = p_owner AND a.content_hash = p_content_hash AND c.status NOT IN ('awaiting_confirmation', 'running')
            AND c.updated_at > clock_timestamp() - interval '10 minutes'
      ) AS equal JOIN api_keys maker ON maker.id = equal.key_id
      WHERE maker.line = caller.line AND maker.turn <= caller.turn
      ORDER BY equal.id LIMIT 1;
    IF FOUND THEN
      outcome := 'replayed';
    END IF;
  END IF;
  IF outcome = 'replayed' THEN
    IF p_answer_due THEN
      INSERT INTO answers_due (call_id, owner, content_hash) VALUES (call_id, p_owner, p_content_hash) ON CONFLICT DO NOTHING;
    END IF;
    RETURN;
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

  -- Said twice, so that the index of open calls fits whatever p_status is: else this is planned anew for each call.
  IF (SELECT count(*) FROM calls WHERE owner = p_owner AND status = p_status AND status IN ('awaiting_confirmation', 'running'))
      >= p_max_open THEN
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
      credits, reserved_month, decision, decided_by, decided_at, approval_proof, request, why, prepare_at, client)
    VALUES (p_id, p_owner, p_key_id, p_app, p_endpoint, p_account, p_access, p_confirm, p_status,
      CASE WHEN approved_by IS NOT NULL THEN p_decide_until
           WHEN p_confirm THEN clock_timestamp() + make_interval(secs => p_expiry_seconds) END,
      p_input, p_content_hash, p_credits, CASE WHEN p_credits > 0 THEN balance.month END,
      CASE WHEN approved_by IS NOT NULL THEN 'approved' END, approved_by,
      CASE WHEN approved_by IS NOT NULL THEN clock_timestamp() END, p_proof,
      CASE WHEN approved_by IS NULL THEN p_request END, p_why,
      CASE WHEN p_prepare AND p_status = 'awaiting_confirmation' THEN clock_timestamp() END, p_client)
    RETURNING c.id, c.created_at, c.expires_at INTO call_id, created_at, expires_at;
  IF p_credits > 0 THEN
    UPDATE balances SET available = available - p_credits, reserved = reserved + p_credits WHERE owner = p_owner;
    INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (p_owner, 'reserve', p_credits, balance.month, p_id);
  END IF;
  IF p_idempotency_key IS NOT NULL THEN
    INSERT INTO idempotency_keys (owner, line, turn, key, request_hash, call_id)
      VALUES (p_owner, caller.line, caller.turn, p_idempotency_key, p_request_hash, p_id);
  END IF;
  IF p_answer_due THEN
    INSERT INTO answers_due (call_id, owner, content_hash) VALUES (p_id, p_owner, p_content_hash);
  END IF;
  outcome := 'accepted';
END $function$;
