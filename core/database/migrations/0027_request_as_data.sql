-- Up Migration

-- What a person approves is data: the request as it will be sent, what the app told about its things, and the round of asking.
ALTER TABLE calls
  ADD COLUMN request bytea,
  ADD COLUMN preview bytea,
  ADD COLUMN previewed_at timestamptz,
  ADD COLUMN looked_at timestamptz,
  ADD COLUMN look_up bytea,
  ADD COLUMN prepare_at timestamptz,
  ADD COLUMN prepare_tries integer NOT NULL DEFAULT 0,
  ADD COLUMN round integer NOT NULL DEFAULT 1,
  ADD COLUMN revision integer NOT NULL DEFAULT 0,
  ADD COLUMN why bytea,
  ADD COLUMN original bytea,
  ADD COLUMN changed text[],
  ADD COLUMN decision_reason bytea,
  ALTER COLUMN definition_version SET DEFAULT '';

COMMENT ON COLUMN calls.request IS 'Sealed: method, address, headers and body as they will be sent, with named placeholders. NULL: not rendered yet, or rendered when it is sent, for nobody is asked.';
COMMENT ON COLUMN calls.preview IS 'Sealed: what the app told about the things that the input names, as the page shows it. NULL: nothing was told.';
COMMENT ON COLUMN calls.previewed_at IS 'When the app told all of it.';
COMMENT ON COLUMN calls.looked_at IS 'When it was looked up last, whatever came of that.';
COMMENT ON COLUMN calls.look_up IS 'Sealed: what a look-up that is under way has found so far.';
COMMENT ON COLUMN calls.prepare_at IS 'When the request is to be rendered, or its things to be looked up (again); NULL = nothing to do.';
COMMENT ON COLUMN calls.prepare_tries IS 'How often rendering failed because of the app.';
COMMENT ON COLUMN calls.round IS 'How often the person was asked, this time included. A decision is of one round.';
COMMENT ON COLUMN calls.revision IS 'Counts changes of what is asked: input, request, preview, round. A decision is of one revision.';
COMMENT ON COLUMN calls.why IS 'Sealed: why the agent asks for it, in its own words.';
COMMENT ON COLUMN calls.original IS 'Sealed: what the agent asked for, where the person changed it.';
COMMENT ON COLUMN calls.changed IS 'JSON paths of the input that the person changed.';
COMMENT ON COLUMN calls.decision_reason IS 'Sealed: the person''s reason.';
COMMENT ON COLUMN calls.definition_version IS 'Of releases before 0027, which hashed the connector''s source. Unused.';

CREATE TABLE rounds (
  call_id text NOT NULL REFERENCES calls (id),
  round integer NOT NULL,
  decided_by text NOT NULL,
  decided_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  request bytea,
  preview bytea,
  PRIMARY KEY (call_id, round)
);
COMMENT ON TABLE rounds IS 'Rounds of asking that ended because what matters had changed in the app since the approval. Nothing was sent in them.';
COMMENT ON COLUMN rounds.request IS 'Sealed, as it was approved.';
COMMENT ON COLUMN rounds.preview IS 'Sealed, as it was approved.';

ALTER TABLE notices ADD COLUMN round integer NOT NULL DEFAULT 1;
COMMENT ON COLUMN notices.round IS 'Of asking, of a call that waits.';
ALTER TABLE notices DROP CONSTRAINT notices_target_call_id_kind_key;
ALTER TABLE notices ADD CONSTRAINT notices_once UNIQUE (target, call_id, kind, round);

CREATE OR REPLACE FUNCTION note_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Most owners have no target: asked alone, this costs a third of an insert of nothing.
  IF NOT EXISTS (SELECT FROM notice_targets t WHERE t.owner = NEW.owner AND t.deleted_at IS NULL AND t.enabled) THEN
    RETURN NULL;
  END IF;
  INSERT INTO notices (id, owner, target, kind, call_id, status, round, check_at)
    SELECT 'ntc_' || replace(gen_random_uuid()::text, '-', ''), NEW.owner, t.id, TG_ARGV[0], NEW.id, NEW.status,
      CASE TG_ARGV[0] WHEN 'call.waiting' THEN NEW.round ELSE 1 END,
      clock_timestamp() + CASE t.channel WHEN 'email' THEN interval '15 seconds' ELSE interval '0' END
    FROM notice_targets t WHERE t.owner = NEW.owner AND t.deleted_at IS NULL AND t.enabled AND TG_ARGV[0] = ANY (t.kinds)
    ON CONFLICT (target, call_id, kind, round) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER note_asked_again AFTER UPDATE OF round ON calls FOR EACH ROW
  WHEN (NEW.status = 'awaiting_confirmation' AND NEW.round <> OLD.round) EXECUTE FUNCTION note_call('call.waiting');

-- Calls that wait now are rendered and looked up, and asked again, also those that were approved and not sent: their proofs and hashes were of
-- another kind. Their runs know nothing of that: with another end of the time to decide they are not their calls' any more, and begin anew.
UPDATE calls SET prepare_at = clock_timestamp(), expires_at = expires_at + interval '1 millisecond', check_at = clock_timestamp()
  WHERE status = 'awaiting_confirmation';
UPDATE calls SET status = 'awaiting_confirmation', decision = NULL, decided_by = NULL, decided_at = NULL, approval_proof = NULL,
    waiting_for = NULL, retry_at = NULL, held_for = NULL, held_since = NULL, revision = revision + 1, attempt = attempt + 1,
    prepare_at = clock_timestamp(), expires_at = clock_timestamp() + interval '72 hours', check_at = clock_timestamp()
  WHERE status = 'running' AND confirm AND send = 'ready' AND decision = 'approved';

-- What a person decides is of one revision of what is asked.
CREATE FUNCTION decide_call(
  p_call text, p_decision text, p_by text, p_proof text, p_revision integer, p_reason bytea, p_unseen boolean
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE calls SET decision = p_decision, decided_by = p_by, decided_at = clock_timestamp(), approval_proof = p_proof,
      decision_reason = p_reason,
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
COMMENT ON FUNCTION decide_call(text, text, text, text, integer, bytea, boolean) IS
  'Decides a waiting call, once. True = this decision stands. An approval counts before expires_at, an expiry from then on. p_revision: of what was shown; NULL = whatever stands. p_unseen: the page had nothing of the app yet, so nothing that the app told is approved.';

-- Releases before this one name only what they know.
CREATE OR REPLACE FUNCTION decide_call(p_call text, p_decision text, p_by text, p_proof text) RETURNS boolean
LANGUAGE sql AS $$ SELECT decide_call(p_call, p_decision, p_by, p_proof, NULL, NULL, false) $$;

CREATE FUNCTION ask_again(
  p_call text, p_attempt integer, p_round integer, p_most integer, p_request bytea, p_preview bytea, p_prepare boolean,
  p_expiry_seconds integer, p_error bytea, p_error_code text, OUT stands text
) LANGUAGE plpgsql AS $$
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
END $$;
COMMENT ON FUNCTION ask_again IS
  'What matters has changed in the app since the approval, and nothing was sent: the call waits for its person once more, in the next round. After p_most rounds it ends as failed.';

CREATE FUNCTION refuse_call(p_call text, p_revision integer, p_error bytea, p_error_code text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE calls SET status = 'failed', error = p_error, error_code = p_error_code, waiting_for = NULL, prepare_at = NULL, look_up = NULL,
      check_at = clock_timestamp() + interval '2 seconds', updated_at = clock_timestamp()
    WHERE id = p_call AND status = 'awaiting_confirmation' AND revision = p_revision;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM release_credits(p_call);
  RETURN true;
END $$;
COMMENT ON FUNCTION refuse_call IS 'The app would refuse what a waiting call asks for: it ends as failed before anybody decided.';

-- The same with what is asked. Of equal calls that wait the first is told, whatever release made it.
DROP FUNCTION accept_call(text, text, text, text, text, text, text, boolean, integer, bytea, bytea, text, integer, text, bytea, integer, text[], integer[], text[], timestamptz, integer);
CREATE FUNCTION accept_call(
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
  p_definition_version text,
  p_credits integer,
  p_idempotency_key text,
  p_request_hash bytea,
  p_max_open integer,
  p_standing text[] DEFAULT NULL::text[],
  p_per_day integer[] DEFAULT NULL::integer[],
  p_proofs text[] DEFAULT NULL::text[],
  p_decide_until timestamp with time zone DEFAULT NULL,
  p_max_running integer DEFAULT NULL::integer,
  p_request bytea DEFAULT NULL,
  p_why bytea DEFAULT NULL,
  p_prepare boolean DEFAULT false,
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
AS $$
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
        AND c.expires_at > clock_timestamp()
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
      definition_version, credits, reserved_month, decision, decided_by, decided_at, approval_proof, request, why, prepare_at)
    VALUES (p_id, p_owner, p_key_id, p_app, p_endpoint, p_account, p_access, p_confirm, p_status,
      CASE WHEN approved_by IS NOT NULL THEN p_decide_until
           WHEN p_confirm THEN clock_timestamp() + make_interval(secs => p_expiry_seconds) END,
      p_input, p_content_hash, p_definition_version, p_credits, CASE WHEN p_credits > 0 THEN balance.month END,
      CASE WHEN approved_by IS NOT NULL THEN 'approved' END, approved_by,
      CASE WHEN approved_by IS NOT NULL THEN clock_timestamp() END, p_proof,
      CASE WHEN approved_by IS NULL THEN p_request END, p_why,
      CASE WHEN p_prepare AND p_status = 'awaiting_confirmation' THEN clock_timestamp() END)
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
COMMENT ON FUNCTION accept_call IS 'Writes a call, its reservation and its idempotency key, or says why not and writes none of them: accepted; replayed (call_id is the earlier call); reused (this idempotency key came with another request); full; poor. The balance row is the owner''s lock: equal calls, caps and credits are judged one call at a time. Idempotency keys and equal calls that wait count within the line of the key, up to its own turn; an equal call is told while its key, or that one''s heir, may make it. Of the standing approvals that cover the call (p_standing, the first wins, each with its budget a day and its proof for exactly this call, made for the time to decide p_decide_until) one that still stands approves it, and that is a use of it. Locks: the standing approvals, then the balance; who revokes locks in the same order. p_request: as it was rendered; p_prepare: something is to be looked up in the app before the person is asked.';
