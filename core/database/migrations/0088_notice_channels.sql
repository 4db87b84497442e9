-- Up Migration

-- People hear of calls on their phones, too: by what their browser's maker pushes, and by ntfy. Each says what it tells of, and how much.
ALTER TABLE notice_targets
  DROP CONSTRAINT notice_targets_channel_check,
  DROP CONSTRAINT notice_targets_check,
  ADD COLUMN name text CHECK (length(name) BETWEEN 1 AND 60),
  ADD COLUMN place bytea,
  ADD COLUMN muted text[] NOT NULL DEFAULT '{}',
  ADD COLUMN shows text NOT NULL DEFAULT 'action' CHECK (shows IN ('count', 'action', 'all'));
ALTER TABLE notice_targets
  ADD CONSTRAINT notice_targets_channel_check CHECK (channel IN ('webhook', 'email', 'push', 'ntfy')),
  ADD CONSTRAINT notice_targets_url_check CHECK ((channel = 'webhook') = (url IS NOT NULL)),
  ADD CONSTRAINT notice_targets_secret_check CHECK ((channel <> 'email' AND deleted_at IS NULL) = (secret IS NOT NULL)),
  ADD CONSTRAINT notice_targets_place_check CHECK (place IS NULL OR (channel = 'push' AND deleted_at IS NULL));
CREATE UNIQUE INDEX notice_targets_place ON notice_targets (place) WHERE place IS NOT NULL;
COMMENT ON TABLE notice_targets IS 'Where an owner hears of calls: webhooks of programs, the email address of the account, devices that are pushed to, and ntfy. A deleted one stays as a row, without its secrets, so that a call that is being written meanwhile never fails over it.';
COMMENT ON COLUMN notice_targets.secret IS 'Wrapped as data keys are. Of a webhook, the signing secret; the old one signs too until its time is over. Of a device or ntfy, the address with its keys, as JSON.';
COMMENT ON COLUMN notice_targets.mail_at IS 'Of what people read: the next one leaves no sooner.';
COMMENT ON COLUMN notice_targets.name IS 'What its owner calls a device, or the host of ntfy.';
COMMENT ON COLUMN notice_targets.place IS 'SHA-256 of a device''s address: one browser is one device, of whoever added it last.';
COMMENT ON COLUMN notice_targets.muted IS 'Apps and kinds that it is not told of, such as ''crm call.final''.';
COMMENT ON COLUMN notice_targets.shows IS 'How much a notice says where others may see it: that something waits, the app and the action, or also names and amounts.';

-- What signs that a push comes from here.
CREATE TABLE push_keys (
  id text PRIMARY KEY,
  public_key text NOT NULL,
  secret bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE push_keys IS 'The gateway''s own key pair for pushing to browsers (VAPID). Made when it is first needed; devices are bound to it.';
COMMENT ON COLUMN push_keys.public_key IS 'As browsers take it: base64url.';
COMMENT ON COLUMN push_keys.secret IS 'The private key, wrapped as data keys are.';

-- When a person wants to hear of nothing.
CREATE TABLE quiet_hours (
  owner text PRIMARY KEY REFERENCES users,
  from_minute integer NOT NULL CHECK (from_minute BETWEEN 0 AND 1439),
  to_minute integer NOT NULL CHECK (to_minute BETWEEN 0 AND 1439),
  zone text NOT NULL,
  CHECK (from_minute <> to_minute)
);
COMMENT ON TABLE quiet_hours IS 'Between these times of day emails, pushes and ntfy wait. Webhooks do not.';
COMMENT ON COLUMN quiet_hours.from_minute IS 'Minutes after midnight, by the clocks of the zone; past midnight where it is the later one.';
COMMENT ON COLUMN quiet_hours.zone IS 'By its IANA name.';

CREATE OR REPLACE FUNCTION note_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Most owners have no target: asked alone, this costs a third of an insert of nothing.
  IF NOT EXISTS (SELECT FROM notice_targets t WHERE t.owner = NEW.owner AND t.deleted_at IS NULL AND t.enabled) THEN
    RETURN NULL;
  END IF;
  INSERT INTO notices (id, owner, target, kind, call_id, status, round, check_at)
    SELECT 'ntc_' || replace(gen_random_uuid()::text, '-', ''), NEW.owner, t.id, TG_ARGV[0], NEW.id, NEW.status,
      CASE TG_ARGV[0] WHEN 'call.waiting' THEN NEW.round ELSE 1 END,
      clock_timestamp() + CASE WHEN t.channel <> 'webhook' AND TG_ARGV[0] = 'call.waiting' AND NEW.prepare_at IS NOT NULL
        THEN interval '4 seconds' ELSE interval '0' END
    FROM notice_targets t WHERE t.owner = NEW.owner AND t.deleted_at IS NULL AND t.enabled AND TG_ARGV[0] = ANY (t.kinds)
      AND NOT (NEW.app || ' ' || TG_ARGV[0]) = ANY (t.muted)
      AND (t.channel = 'webhook' OR TG_ARGV[0] <> 'call.final'
        OR (NEW.access = 'write' AND NEW.status NOT IN ('rejected', 'cancelled')))
    ON CONFLICT (target, call_id, kind, round) DO NOTHING;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION note_call IS 'Writes the notices of a call. People hear of a waiting one a moment later where the app is asked about it first, which may end it; and of an end where a write of theirs came to one by itself.';
