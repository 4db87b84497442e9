-- Up Migration

-- Whoever reaches the engine can have every activity run with made-up arguments: what ends a call, or says that its sender is gone, is
-- told by these columns and by nothing that the engine says.

-- Which try took the right to send last: the number of its process, which holds an advisory lock of it for as long as it lives, and 22 bits
-- to count tries. NULL: it is done.
ALTER TABLE calls ADD COLUMN sender bigint;
-- How often a read was sent in this attempt.
ALTER TABLE calls ADD COLUMN tries integer NOT NULL DEFAULT 0;
-- What the call has waited for in a row, and since when: the app (blocked, rate_limited) or the person (reconnect).
ALTER TABLE calls ADD COLUMN held_for text CHECK (held_for IN ('app', 'person'));
ALTER TABLE calls ADD COLUMN held_since timestamptz;
-- How often a call that nobody approved was blocked, or found its endpoint blocked.
ALTER TABLE calls ADD COLUMN blocks integer NOT NULL DEFAULT 0;
UPDATE calls SET held_for = CASE waiting_for WHEN 'reconnect' THEN 'person' ELSE 'app' END, held_since = coalesce(decided_at, created_at)
  WHERE waiting_for IS NOT NULL AND status = 'running';

-- An app that anybody can have asked whether an account's session works must not be asked all the time.
ALTER TABLE accounts ADD COLUMN checked_at timestamptz;

-- Whether nobody can be sending this call any more: its sender said so, or is dead, or has had more time than a try may take.
CREATE FUNCTION sender_is_gone(p_sender bigint, p_since timestamptz) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT p_sender IS NULL OR p_since < clock_timestamp() - interval '100 seconds'
    OR pg_try_advisory_xact_lock_shared(7233301, (p_sender >> 22)::integer)
$$;

-- Whether a call that waits for its person may be tried again: the account works, and the last try was not a moment ago.
CREATE FUNCTION may_reconnect(p_state text, p_attempt integer, p_updated_at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_state IN ('connected', 'disconnected')
    AND p_updated_at <= clock_timestamp() - make_interval(secs => 2 ^ (least(p_attempt, 8) - 1) - 1)
$$;

-- Notes on the row what it waits for from now on.
CREATE FUNCTION note_held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.held_since := CASE WHEN OLD.held_for = CASE NEW.waiting_for WHEN 'reconnect' THEN 'person' ELSE 'app' END
    THEN OLD.held_since ELSE clock_timestamp() END;
  NEW.held_for := CASE NEW.waiting_for WHEN 'reconnect' THEN 'person' ELSE 'app' END;
  RETURN NEW;
END $$;
CREATE TRIGGER note_held BEFORE UPDATE OF waiting_for ON calls FOR EACH ROW
  WHEN (NEW.waiting_for IS NOT NULL) EXECUTE FUNCTION note_held();

-- As before, and besides: a write that is being sent is ended by the try that sends it. Nobody else can say that it failed: what the
-- engine asks for (p_attempt NULL) while it may have been sent ends it as unknown, and the others get what stands.
DROP FUNCTION settle_call(text, integer, text, bytea, bytea, text);
CREATE FUNCTION settle_call(
  p_call text, p_attempt integer, p_status text, p_output bytea, p_error bytea, p_error_code text, p_sender bigint DEFAULT NULL
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  captured boolean;
  may_be_out boolean;
BEGIN
  SELECT * INTO c FROM calls WHERE id = p_call FOR UPDATE;
  IF NOT FOUND OR c.status <> 'running' OR c.attempt <> coalesce(p_attempt, c.attempt) THEN
    RETURN c.status;
  END IF;
  may_be_out := c.access = 'write' AND c.send <> 'ready';
  IF may_be_out AND p_attempt IS NOT NULL AND c.sender IS DISTINCT FROM p_sender THEN
    RETURN c.status;
  END IF;
  IF may_be_out AND p_attempt IS NULL THEN
    p_status := 'unknown';
    p_output := NULL;
    p_error := NULL;
    p_error_code := NULL;
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

-- A try is said to have died. What the row proves: `again`, with the number of the attempt to make, since nothing was sent, or a read may be
-- sent again; `sending`, for its sender lives; `worn_out`, for a read that was sent p_tries times; otherwise the status that stands.
CREATE FUNCTION recover_call(p_call text, p_attempt integer, p_tries integer, OUT outcome text, OUT next_attempt integer) LANGUAGE plpgsql AS $$
DECLARE
  c calls;
BEGIN
  SELECT * INTO c FROM calls WHERE id = p_call FOR UPDATE;
  IF NOT FOUND OR c.status <> 'running' THEN
    outcome := c.status;
  ELSIF c.send = 'sending' AND NOT sender_is_gone(c.sender, c.updated_at) THEN
    outcome := 'sending';
  ELSIF c.send = 'sending' AND c.access = 'write' THEN
    outcome := settle_call(p_call, NULL, 'unknown', NULL, NULL, NULL);
  ELSIF c.send = 'sending' AND c.tries >= p_tries THEN
    outcome := 'worn_out';
  ELSIF c.send = 'ready' AND c.attempt <> p_attempt THEN
    outcome := 'again';
    next_attempt := c.attempt;
  ELSE
    UPDATE calls SET send = 'ready', attempt = attempt + 1, updated_at = clock_timestamp()
      WHERE id = p_call RETURNING attempt INTO next_attempt;
    outcome := 'again';
  END IF;
END $$;

-- The engine says that the patience for a wait is over. Ends the call as failed if the row says so, too: with an approval a day of waiting
-- for the app, or three for the person; without one four blocks, or an app that wants to be asked later than a client waits. Returns the
-- status that stands, and how long the wait goes on if its time is all that is missing.
CREATE FUNCTION give_up_call(p_call text, p_for text, p_error bytea, p_error_code text, OUT stands text, OUT time_left interval)
LANGUAGE plpgsql AS $$
DECLARE
  c calls;
BEGIN
  SELECT * INTO c FROM calls WHERE id = p_call FOR UPDATE;
  stands := c.status;
  IF NOT FOUND OR c.status <> 'running' OR c.send <> 'ready' THEN
    RETURN;
  END IF;
  IF c.confirm THEN
    IF c.waiting_for IS NULL OR c.held_for <> p_for THEN
      RETURN;
    END IF;
    time_left := c.held_since + CASE p_for WHEN 'person' THEN interval '72 hours' ELSE interval '24 hours' END - clock_timestamp();
    IF time_left > interval '0' THEN
      RETURN;
    END IF;
    time_left := NULL;
  ELSIF p_for <> 'app' OR (c.blocks < 4 AND NOT coalesce(c.waiting_for = 'rate_limited'
      AND c.retry_at > date_trunc('milliseconds', c.created_at) + interval '25 seconds', false)) THEN
    RETURN;
  END IF;
  stands := settle_call(p_call, NULL, 'failed', NULL, p_error, p_error_code);
END $$;

-- As before, and besides: it counts.
CREATE OR REPLACE FUNCTION block_call(p_call text, p_attempt integer) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  paused_until timestamptz;
BEGIN
  UPDATE calls SET send = 'ready', attempt = attempt + 1, tries = 0, blocks = blocks + 1, waiting_for = 'blocked',
      updated_at = clock_timestamp()
    WHERE id = p_call AND status = 'running' AND attempt = p_attempt RETURNING * INTO c;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  PERFORM release_credits(p_call);
  INSERT INTO pauses AS p (account, endpoint, until, seconds)
    VALUES (c.account, c.endpoint, clock_timestamp() + interval '60 seconds', 60)
    ON CONFLICT (account, endpoint) DO UPDATE SET
      seconds = CASE WHEN p.probe_call = c.id THEN least(p.seconds * 2, 3600) ELSE p.seconds END,
      until = CASE WHEN p.probe_call = c.id THEN clock_timestamp() + make_interval(secs => least(p.seconds * 2, 3600))
                   ELSE p.until END,
      probe_call = CASE WHEN p.probe_call = c.id THEN NULL ELSE p.probe_call END
    RETURNING until INTO paused_until;
  UPDATE calls SET retry_at = paused_until WHERE id = p_call;
  RETURN paused_until;
END $$;
