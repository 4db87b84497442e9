-- Up Migration

-- A key and those that replaced it, one after the other, are a line: `line` is the id of the first of them, `turn` how many came before.
-- Each key covers what it did itself and what those before it did, never the reverse. Two keys have no turn in common, so a key is
-- replaced once. `sees_all`: it covers all calls of its owner. The apps that a key may use now bound what it covers in any case.
ALTER TABLE api_keys ADD COLUMN line text, ADD COLUMN turn integer NOT NULL DEFAULT 0,
  ADD COLUMN sees_all boolean NOT NULL DEFAULT false;

-- Which key replaced which was in the log only. Where one was replaced twice, the last of the two goes on.
WITH RECURSIVE replaced AS (
  SELECT DISTINCT ON (old.id) old.id AS old, new.id AS new
  FROM audit_log a JOIN api_keys old ON old.id = a.detail->>'key' AND old.owner = a.actor
    JOIN api_keys new ON new.id = a.detail->>'new_key' AND new.owner = a.actor
  WHERE a.action = 'key.rotated' AND new.created_at > old.created_at ORDER BY old.id, a.id DESC
), lines AS (
  SELECT k.id, k.id AS line, 0 AS turn FROM api_keys k WHERE NOT EXISTS (SELECT FROM replaced r WHERE r.new = k.id)
  UNION ALL
  SELECT r.new, l.line, l.turn + 1 FROM lines l JOIN replaced r ON r.old = l.id
)
UPDATE api_keys k SET line = l.line, turn = l.turn FROM lines l WHERE l.id = k.id;

ALTER TABLE api_keys ALTER COLUMN line SET NOT NULL, ADD CONSTRAINT api_keys_one_successor UNIQUE (line, turn);

-- The calls of a key, and of a key for an account, newest first. In a collation that the primary key does not have: the planner would read
-- that backwards in search of the few calls of a quiet key.
CREATE INDEX calls_key ON calls (key_id, id COLLATE "C" DESC);
CREATE INDEX calls_account_key ON calls (account, key_id, id COLLATE "C" DESC);
DROP INDEX calls_account;

-- An idempotency key belongs to the line of the key that it came with, from its turn on. Those there are keep the key of their call.
ALTER TABLE idempotency_keys ADD COLUMN line text, ADD COLUMN turn integer;
UPDATE idempotency_keys i SET line = k.line, turn = k.turn FROM calls c JOIN api_keys k ON k.id = c.key_id WHERE c.id = i.call_id;
ALTER TABLE idempotency_keys ALTER COLUMN line SET NOT NULL, ALTER COLUMN turn SET NOT NULL,
  DROP CONSTRAINT idempotency_keys_pkey, ADD PRIMARY KEY (line, key, turn);

-- The youngest valid key that came after this one in its line; NULL = there is none.
CREATE FUNCTION heir_of(p_key text) RETURNS text LANGUAGE sql AS $$
  SELECT heir.id FROM api_keys k JOIN api_keys heir ON heir.line = k.line AND heir.turn > k.turn
  WHERE k.id = p_key AND heir.revoked_at IS NULL AND coalesce(heir.expires_at > clock_timestamp(), true)
  ORDER BY heir.turn DESC LIMIT 1
$$;

-- Why a call that this key made may not be sent now; NULL = it may. What its own key may not do any more, its heir may do for it.
CREATE FUNCTION call_problem(p_key text, p_owner text, p_app text, p_endpoint text, p_access text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  problem text := access_problem(p_key, p_owner, p_app, p_endpoint, p_access);
  heir text;
BEGIN
  IF problem IS NULL THEN
    RETURN NULL;
  END IF;
  heir := heir_of(p_key);
  RETURN CASE WHEN heir IS NULL THEN problem ELSE access_problem(heir, p_owner, p_app, p_endpoint, p_access) END;
END $$;

-- As before, and besides: idempotency keys and equal calls that wait count within the line of the key, up to its own turn. An equal call
-- is told while its key, or that one's heir, may make it.
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

  IF p_idempotency_key IS NOT NULL OR p_confirm THEN
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
  ELSIF p_confirm THEN
    SELECT c.id INTO call_id FROM calls c JOIN api_keys maker ON maker.id = c.key_id
      WHERE c.owner = p_owner AND c.content_hash = p_content_hash AND c.status = 'awaiting_confirmation'
        AND c.expires_at > clock_timestamp() AND c.definition_version = p_definition_version
        AND maker.line = caller.line AND maker.turn <= caller.turn
        AND call_problem(c.key_id, c.owner, c.app, c.endpoint, c.access) IS NULL
      ORDER BY c.id LIMIT 1;
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
    INSERT INTO idempotency_keys (owner, line, turn, key, request_hash, call_id)
      VALUES (p_owner, caller.line, caller.turn, p_idempotency_key, p_request_hash, p_id);
  END IF;
  outcome := 'accepted';
END $$;
