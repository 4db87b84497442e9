-- Devices, ntfy and quiet hours are forgotten.
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
DROP TABLE quiet_hours;
DROP TABLE push_keys;
DELETE FROM notices WHERE target IN (SELECT id FROM notice_targets WHERE channel IN ('push', 'ntfy'));
DELETE FROM notice_targets WHERE channel IN ('push', 'ntfy');
ALTER TABLE notice_targets
  DROP CONSTRAINT notice_targets_channel_check,
  DROP CONSTRAINT notice_targets_url_check,
  DROP CONSTRAINT notice_targets_secret_check,
  DROP CONSTRAINT notice_targets_place_check,
  DROP COLUMN name,
  DROP COLUMN place,
  DROP COLUMN muted,
  DROP COLUMN shows;
ALTER TABLE notice_targets
  ADD CONSTRAINT notice_targets_channel_check CHECK (channel IN ('webhook', 'email')),
  ADD CONSTRAINT notice_targets_check CHECK ((channel = 'webhook' AND deleted_at IS NULL) = (url IS NOT NULL AND secret IS NOT NULL));
COMMENT ON TABLE notice_targets IS 'Where an owner hears of calls: webhooks of programs, and the email address of the account. A deleted one stays as a row, without its secrets, so that a call that is being written meanwhile never fails over it.';
COMMENT ON COLUMN notice_targets.secret IS 'The signing secret, wrapped as data keys are. The old one signs too until its time is over.';
COMMENT ON COLUMN notice_targets.mail_at IS 'Email: the next one leaves no sooner.';
COMMENT ON FUNCTION note_call IS 'Writes the notices of a call. Emails wait a little, so that one tells of all that are asked for together.';
