-- Up Migration

-- As before, and besides: a clock that is set back finds hits that are still to come. They count as of now, once, so that nobody waits
-- for longer than a window, and nobody gets more into one.
CREATE OR REPLACE FUNCTION admit(p_bucket text, p_max integer, p_window interval, OUT admitted boolean, OUT remaining integer, OUT retry_after interval)
LANGUAGE plpgsql AS $$
DECLARE
  recent timestamptz[];
  at timestamptz;
  ahead boolean;
BEGIN
  LOOP
    SELECT hits INTO recent FROM rate_limits WHERE bucket = p_bucket FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO rate_limits (bucket) VALUES (p_bucket) ON CONFLICT DO NOTHING;
  END LOOP;
  at := clock_timestamp();
  ahead := recent[cardinality(recent)] > at;
  recent := ARRAY(SELECT least(h, at) FROM unnest(recent) AS h WHERE h > at - p_window ORDER BY h);
  admitted := cardinality(recent) < p_max;
  IF admitted THEN
    recent := recent || at;
  END IF;
  -- Not written down, they would count as of now again at the next look.
  IF admitted OR ahead THEN
    UPDATE rate_limits SET hits = recent WHERE bucket = p_bucket;
  END IF;
  remaining := p_max - cardinality(recent);
  retry_after := CASE WHEN remaining > 0 THEN interval '0' ELSE recent[1] + p_window - at END;
END $$;

-- Of a target, those that wait to be started apart from the others, each in the order of their turns: however many thousand wait for one
-- target, a few are read.
CREATE INDEX notices_turn ON notices (target, (started_at IS NULL AND kind <> 'test'), check_at) WHERE state = 'pending';
-- What the engine has of a target without having tried it once: few.
CREATE INDEX notices_untried ON notices (target) WHERE state = 'pending' AND started_at IS NOT NULL AND tries = 0;
DROP INDEX notices_check;
DROP INDEX notices_open;
