-- Exact sliding window: admits at most p_max in any p_window, by the database's clock, over all processes. Returns how
-- many more fit now, and how long until the next fits (0 = now). Only admitted requests count. A clock that is set back
-- finds hits that are still to come: they count as of now, once.
CREATE OR REPLACE FUNCTION admit(
  p_bucket text,
  p_max integer,
  p_window interval,
  OUT admitted boolean,
  OUT remaining integer,
  OUT retry_after interval
)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
END $function$;
