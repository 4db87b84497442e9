-- Up Migration

-- People ---------------------------------------------------------------------

CREATE TABLE plans (
  name text PRIMARY KEY,
  monthly_credits integer NOT NULL CHECK (monthly_credits >= 0)
);
INSERT INTO plans VALUES ('none', 0), ('small', 1000), ('medium', 10000), ('large', 100000);

CREATE TABLE users (
  id text PRIMARY KEY,
  email text NOT NULL,
  password_hash text NOT NULL,
  plan text NOT NULL DEFAULT 'small' REFERENCES plans,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email ON users (lower(email));

-- Browser sessions of signed-in people. Only a keyed hash of the cookie is here.
CREATE TABLE web_sessions (
  hash bytea PRIMARY KEY,
  owner text NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX web_sessions_owner ON web_sessions (owner);

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  owner text NOT NULL REFERENCES users,
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  hint text NOT NULL,
  -- Apps the key may use; NULL = all.
  apps text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX api_keys_owner ON api_keys (owner);

-- What an owner allows in an app. No row = everything.
CREATE TABLE scopes (
  owner text NOT NULL REFERENCES users,
  app text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('all', 'read', 'chosen')),
  endpoints text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (owner, app)
);

-- An owner's confirm switch and time to decide. No row or NULL = the default.
CREATE TABLE endpoint_settings (
  owner text NOT NULL REFERENCES users,
  app text NOT NULL,
  endpoint text NOT NULL,
  confirm boolean,
  expiry_seconds integer CHECK (expiry_seconds BETWEEN 2 AND 2592000),
  PRIMARY KEY (owner, app, endpoint)
);

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL,
  action text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}'
);

-- Apps -----------------------------------------------------------------------

-- An operator's pause and rates of an app. No row or NULL = the connector's own.
CREATE TABLE app_controls (
  app text PRIMARY KEY,
  paused boolean NOT NULL DEFAULT false,
  app_rate real CHECK (app_rate > 0),
  account_rate real CHECK (account_rate > 0)
);

-- A person's account in an app. `session` is sealed with `data_key`, which is wrapped by a key outside the database.
CREATE TABLE accounts (
  id text PRIMARY KEY,
  owner text NOT NULL REFERENCES users,
  app text NOT NULL,
  external_id text NOT NULL,
  label text NOT NULL,
  state text NOT NULL CHECK (state IN ('connected', 'expired', 'needs_check', 'disconnected')),
  -- Why it must be renewed: AUTH_EXPIRED, CAPTCHA_REQUIRED or MFA_REQUIRED.
  reason text,
  data_key bytea NOT NULL,
  session bytea,
  session_version integer NOT NULL DEFAULT 0,
  connected_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (owner, app, external_id)
);

-- The ladder of blocks: one per account and endpoint. Gone after a success.
CREATE TABLE pauses (
  account text NOT NULL REFERENCES accounts,
  endpoint text NOT NULL,
  until timestamptz NOT NULL,
  seconds integer NOT NULL,
  -- The one call that may try once `until` has passed.
  probe_call text,
  probe_until timestamptz,
  PRIMARY KEY (account, endpoint)
);

-- Calls ----------------------------------------------------------------------

CREATE TABLE calls (
  id text PRIMARY KEY,
  owner text NOT NULL REFERENCES users,
  key_id text NOT NULL REFERENCES api_keys,
  app text NOT NULL,
  endpoint text NOT NULL,
  account text NOT NULL REFERENCES accounts,
  access text NOT NULL CHECK (access IN ('read', 'write')),
  confirm boolean NOT NULL,
  status text NOT NULL CHECK (status IN
    ('awaiting_confirmation', 'running', 'executed', 'failed', 'unknown', 'rejected', 'expired', 'cancelled')),
  -- rate_limited: the app itself said when to come back. People see it as blocked.
  waiting_for text CHECK (waiting_for IN ('blocked', 'rate_limited', 'reconnect')),
  retry_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz,
  -- Sealed with the account's data key.
  input bytea,
  output bytea,
  error bytea,
  error_code text,
  -- Keyed hash of account, app, endpoint and canonical input: equal calls have equal hashes.
  content_hash bytea NOT NULL,
  definition_version text NOT NULL,
  credits integer NOT NULL CHECK (credits >= 0),
  credits_used integer NOT NULL DEFAULT 0,
  -- The month whose credits are reserved now; NULL = nothing reserved.
  reserved_month date,
  decision text CHECK (decision IN ('approved', 'rejected', 'expired', 'cancelled')),
  decided_by text,
  decided_at timestamptz,
  -- `<key id>.<base64url>`: proves that the owner approved exactly this content.
  approval_proof text,
  -- The right to send: a write's bytes leave only after ready -> sending for its attempt.
  send text NOT NULL DEFAULT 'ready' CHECK (send IN ('ready', 'sending', 'withdrawn')),
  attempt integer NOT NULL DEFAULT 0,
  resolution jsonb,
  -- When the sweeper looks at the call next; NULL = never again.
  check_at timestamptz DEFAULT clock_timestamp() + interval '5 seconds',
  CHECK (confirm = (expires_at IS NOT NULL)),
  CHECK ((decision IS NULL) = (decided_at IS NULL)),
  CHECK (status <> 'awaiting_confirmation' OR (confirm AND decision IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX calls_owner ON calls (owner, id DESC);
CREATE INDEX calls_open ON calls (owner, status) WHERE status IN ('awaiting_confirmation', 'running');
CREATE INDEX calls_check ON calls (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX calls_equal ON calls (owner, content_hash) WHERE status = 'awaiting_confirmation';
CREATE INDEX calls_held ON calls (account, endpoint) WHERE waiting_for IS NOT NULL;

CREATE TABLE idempotency_keys (
  owner text NOT NULL REFERENCES users,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  call_id text NOT NULL REFERENCES calls DEFERRABLE INITIALLY DEFERRED,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, key)
);
CREATE INDEX idempotency_keys_call ON idempotency_keys (call_id);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- Credits --------------------------------------------------------------------

CREATE TABLE balances (
  owner text PRIMARY KEY REFERENCES users,
  month date,
  available integer NOT NULL DEFAULT 0 CHECK (available >= 0),
  reserved integer NOT NULL DEFAULT 0 CHECK (reserved >= 0)
);

CREATE TABLE ledger (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  owner text NOT NULL REFERENCES users,
  kind text NOT NULL CHECK (kind IN ('grant', 'lapse', 'reserve', 'capture', 'release', 'refund')),
  amount integer NOT NULL CHECK (amount > 0),
  month date NOT NULL,
  call_id text REFERENCES calls,
  note text,
  CHECK ((call_id IS NOT NULL) = (kind IN ('reserve', 'capture', 'release', 'refund')))
);
CREATE INDEX ledger_owner ON ledger (owner, id);
CREATE INDEX ledger_call ON ledger (call_id);
CREATE UNIQUE INDEX ledger_one_capture ON ledger (call_id) WHERE kind = 'capture';
CREATE UNIQUE INDEX ledger_one_grant ON ledger (owner, month) WHERE kind = 'grant';

CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only';
END $$;
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

CREATE FUNCTION this_month() RETURNS date LANGUAGE sql STABLE AS $$
  SELECT date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date
$$;

-- Locks the owner's balance and brings it to this month: what was left lapses, the plan's credits are granted once.
CREATE FUNCTION lock_balance(p_owner text) RETURNS balances LANGUAGE plpgsql AS $$
DECLARE
  balance balances;
  granted integer;
BEGIN
  SELECT * INTO STRICT balance FROM balances WHERE owner = p_owner FOR UPDATE;
  IF balance.month IS NOT DISTINCT FROM this_month() THEN
    RETURN balance;
  END IF;
  IF balance.available > 0 THEN
    INSERT INTO ledger (owner, kind, amount, month) VALUES (p_owner, 'lapse', balance.available, balance.month);
  END IF;
  SELECT monthly_credits INTO STRICT granted FROM users JOIN plans ON plans.name = users.plan WHERE users.id = p_owner;
  IF granted > 0 THEN
    INSERT INTO ledger (owner, kind, amount, month) VALUES (p_owner, 'grant', granted, this_month());
  END IF;
  UPDATE balances SET month = this_month(), available = granted WHERE owner = p_owner RETURNING * INTO balance;
  RETURN balance;
END $$;

-- Reserves the call's credits; false = there are not enough, or it has a reservation already in which case true.
CREATE FUNCTION reserve_credits(p_call text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  c calls;
BEGIN
  SELECT * INTO STRICT c FROM calls WHERE id = p_call FOR UPDATE;
  IF c.credits = 0 OR c.reserved_month IS NOT NULL THEN
    RETURN true;
  END IF;
  PERFORM lock_balance(c.owner);
  UPDATE balances SET available = available - c.credits, reserved = reserved + c.credits
    WHERE owner = c.owner AND available >= c.credits;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (c.owner, 'reserve', c.credits, this_month(), p_call);
  UPDATE calls SET reserved_month = this_month() WHERE id = p_call;
  RETURN true;
END $$;

-- Gives the reservation back. Credits of a month that is over lapse at once.
CREATE FUNCTION release_credits(p_call text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  balance balances;
BEGIN
  SELECT * INTO STRICT c FROM calls WHERE id = p_call FOR UPDATE;
  IF c.reserved_month IS NULL THEN
    RETURN;
  END IF;
  balance := lock_balance(c.owner);
  INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (c.owner, 'release', c.credits, c.reserved_month, p_call);
  IF c.reserved_month = balance.month THEN
    UPDATE balances SET available = available + c.credits, reserved = reserved - c.credits WHERE owner = c.owner;
  ELSE
    INSERT INTO ledger (owner, kind, amount, month) VALUES (c.owner, 'lapse', c.credits, c.reserved_month);
    UPDATE balances SET reserved = reserved - c.credits WHERE owner = c.owner;
  END IF;
  UPDATE calls SET reserved_month = NULL WHERE id = p_call;
END $$;

CREATE FUNCTION capture_credits(p_call text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c calls;
BEGIN
  SELECT * INTO STRICT c FROM calls WHERE id = p_call FOR UPDATE;
  IF c.reserved_month IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (c.owner, 'capture', c.credits, c.reserved_month, p_call);
  UPDATE balances SET reserved = reserved - c.credits WHERE owner = c.owner;
  UPDATE calls SET reserved_month = NULL, credits_used = c.credits WHERE id = p_call;
END $$;

-- The life of a call ---------------------------------------------------------

-- Ends a call, once: whoever comes second gets the status that stands. p_attempt NULL = whichever attempt is current.
CREATE FUNCTION settle_call(p_call text, p_attempt integer, p_status text, p_output bytea, p_error bytea, p_error_code text)
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  UPDATE calls SET status = p_status, output = p_output, error = p_error, error_code = p_error_code,
      waiting_for = NULL, retry_at = NULL, check_at = NULL, updated_at = clock_timestamp()
    WHERE id = p_call AND status = 'running' AND attempt = coalesce(p_attempt, attempt);
  IF NOT FOUND THEN
    RETURN (SELECT status FROM calls WHERE id = p_call);
  END IF;
  IF p_status = 'executed' THEN
    PERFORM capture_credits(p_call);
  ELSE
    PERFORM release_credits(p_call);
  END IF;
  RETURN p_status;
END $$;

-- Decides a waiting call, once. True = this decision stands. An approval counts before expires_at, an expiry from then on.
CREATE FUNCTION decide_call(p_call text, p_decision text, p_by text, p_proof text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE calls SET decision = p_decision, decided_by = p_by, decided_at = clock_timestamp(), approval_proof = p_proof,
      status = CASE p_decision WHEN 'approved' THEN 'running' ELSE p_decision END,
      check_at = clock_timestamp() + interval '2 seconds', updated_at = clock_timestamp()
    WHERE id = p_call AND status = 'awaiting_confirmation'
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

-- Takes a running call back before anything was sent. True = nothing was sent and nothing will be.
CREATE FUNCTION withdraw_call(p_call text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE calls SET status = 'cancelled', send = 'withdrawn', waiting_for = NULL, retry_at = NULL,
      check_at = clock_timestamp() + interval '2 seconds', updated_at = clock_timestamp()
    WHERE id = p_call AND status = 'running' AND send = 'ready';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM release_credits(p_call);
  RETURN true;
END $$;

-- The app blocked an attempt and did nothing: refund it, ready the next one, and put the ladder of its account and endpoint in place.
-- A block during a pause leaves the ladder alone; the block of a probe doubles it, up to an hour.
CREATE FUNCTION block_call(p_call text, p_attempt integer) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  paused_until timestamptz;
BEGIN
  UPDATE calls SET send = 'ready', attempt = attempt + 1, waiting_for = 'blocked', updated_at = clock_timestamp()
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

-- Limits ---------------------------------------------------------------------

CREATE TABLE rate_limits (
  bucket text PRIMARY KEY,
  hits timestamptz[] NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50);

-- Exact sliding window: admits at most p_max in any p_window, by the database's clock, over all processes.
-- Returns how many more fit now, and how long until the next fits (0 = now). Only admitted requests count.
CREATE FUNCTION admit(p_bucket text, p_max integer, p_window interval, OUT admitted boolean, OUT remaining integer, OUT retry_after interval)
LANGUAGE plpgsql AS $$
DECLARE
  recent timestamptz[];
  at timestamptz;
BEGIN
  LOOP
    SELECT hits INTO recent FROM rate_limits WHERE bucket = p_bucket FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO rate_limits (bucket) VALUES (p_bucket) ON CONFLICT DO NOTHING;
  END LOOP;
  at := greatest(clock_timestamp(), recent[cardinality(recent)]);
  recent := ARRAY(SELECT h FROM unnest(recent) AS h WHERE h > at - p_window ORDER BY h);
  admitted := cardinality(recent) < p_max;
  IF admitted THEN
    recent := recent || at;
    UPDATE rate_limits SET hits = recent WHERE bucket = p_bucket;
  END IF;
  remaining := p_max - cardinality(recent);
  retry_after := CASE WHEN remaining > 0 THEN interval '0' ELSE recent[1] + p_window - at END;
END $$;
