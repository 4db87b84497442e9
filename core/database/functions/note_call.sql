-- Writes the notices of a call. People hear of a waiting one a moment later where the app is asked about it first,
-- which may end it; and of an end where a write of theirs came to one by itself.
CREATE OR REPLACE FUNCTION note_call()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;
