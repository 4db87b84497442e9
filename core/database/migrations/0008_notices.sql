-- Up Migration

-- Where an owner hears of calls: webhooks of programs, and the email address of the account. A deleted one stays as a row, without its
-- secrets, so that a call that is being written meanwhile never fails over it.
CREATE TABLE notice_targets (
  id text PRIMARY KEY,
  owner text NOT NULL REFERENCES users,
  channel text NOT NULL CHECK (channel IN ('webhook', 'email')),
  kinds text[] NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  -- Why Callgate switched it off by itself: the receiver said 410, or took nothing for three days.
  disabled_reason text CHECK (disabled_reason IN ('gone', 'failing')),
  url text,
  -- The signing secrets, wrapped as data keys are. The old one signs too until then.
  secret bytea,
  old_secret bytea,
  old_secret_until timestamptz,
  last_try_at timestamptz,
  last_result text,
  last_delivered_at timestamptz,
  -- Email: the next one leaves no sooner.
  mail_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  deleted_at timestamptz,
  CHECK ((channel = 'webhook' AND deleted_at IS NULL) = (url IS NOT NULL AND secret IS NOT NULL)),
  CHECK ((old_secret IS NULL) = (old_secret_until IS NULL)),
  CHECK (NOT enabled OR (disabled_reason IS NULL AND deleted_at IS NULL))
);
CREATE INDEX notice_targets_owner ON notice_targets (owner) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX notice_targets_email ON notice_targets (owner) WHERE channel = 'email';

-- What is to be told, once a target. Written in the transaction of the change itself.
CREATE TABLE notices (
  id text PRIMARY KEY,
  owner text NOT NULL,
  target text NOT NULL REFERENCES notice_targets,
  kind text NOT NULL CHECK (kind IN ('call.waiting', 'call.final', 'test')),
  call_id text REFERENCES calls,
  -- The call's, at that moment.
  status text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed', 'dropped')),
  tries integer NOT NULL DEFAULT 0,
  first_try_at timestamptz,
  next_try_at timestamptz,
  last_result text,
  ended_at timestamptz,
  -- The engine was told of it.
  started_at timestamptz,
  -- When the sweeper looks at it next; NULL = never again.
  check_at timestamptz DEFAULT clock_timestamp(),
  UNIQUE (target, call_id, kind),
  CHECK ((state = 'pending') = (ended_at IS NULL)),
  CHECK ((kind = 'test') = (call_id IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX notices_check ON notices (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX notices_open ON notices (target) WHERE state = 'pending';
CREATE INDEX notices_owner ON notices (owner, created_at DESC);

-- Emails wait a little, so that one tells of all that are asked for together.
CREATE FUNCTION note_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Most owners have no target: asked alone, this costs a third of an insert of nothing.
  IF NOT EXISTS (SELECT FROM notice_targets t WHERE t.owner = NEW.owner AND t.deleted_at IS NULL AND t.enabled) THEN
    RETURN NULL;
  END IF;
  INSERT INTO notices (id, owner, target, kind, call_id, status, check_at)
    SELECT 'ntc_' || replace(gen_random_uuid()::text, '-', ''), NEW.owner, t.id, TG_ARGV[0], NEW.id, NEW.status,
      clock_timestamp() + CASE t.channel WHEN 'email' THEN interval '15 seconds' ELSE interval '0' END
    FROM notice_targets t WHERE t.owner = NEW.owner AND t.deleted_at IS NULL AND t.enabled AND TG_ARGV[0] = ANY (t.kinds)
    ON CONFLICT (target, call_id, kind) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER note_waiting AFTER INSERT ON calls FOR EACH ROW
  WHEN (NEW.status = 'awaiting_confirmation') EXECUTE FUNCTION note_call('call.waiting');
CREATE TRIGGER note_final AFTER UPDATE OF status ON calls FOR EACH ROW
  WHEN (OLD.status IN ('awaiting_confirmation', 'running') AND NEW.status NOT IN ('awaiting_confirmation', 'running'))
  EXECUTE FUNCTION note_call('call.final');

-- Ends notices, once, and remembers at their target what came of it. Returns how many had not ended yet.
CREATE FUNCTION end_notices(p_ids text[], p_state text, p_result text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  ended integer;
BEGIN
  UPDATE notices SET state = p_state, last_result = coalesce(p_result, last_result), ended_at = clock_timestamp(), check_at = NULL,
      next_try_at = NULL, tries = tries + (p_result IS NOT NULL)::integer, first_try_at = coalesce(first_try_at, clock_timestamp())
    WHERE id = ANY (p_ids) AND state = 'pending';
  GET DIAGNOSTICS ended = ROW_COUNT;
  IF p_result IS NOT NULL THEN
    UPDATE notice_targets SET last_try_at = clock_timestamp(), last_result = p_result,
        last_delivered_at = CASE p_state WHEN 'delivered' THEN clock_timestamp() ELSE last_delivered_at END
      WHERE id = (SELECT target FROM notices WHERE id = p_ids[1]);
  END IF;
  RETURN ended;
END $$;

-- Switches a target off; what is still to be told there is dropped.
CREATE FUNCTION disable_target(p_target text, p_reason text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE notice_targets SET enabled = false, disabled_reason = p_reason WHERE id = p_target AND enabled;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE notices SET state = 'dropped', ended_at = clock_timestamp(), check_at = NULL, next_try_at = NULL
    WHERE target = p_target AND state = 'pending';
  RETURN true;
END $$;
