import pg from 'pg'
import { vi } from 'vitest'

/**
 * Stops the clock of this process and of the database at `url`: `now()` is then what `at` says, a microsecond later at each look, so that rows
 * keep their order. To be called before anything else connects to the database.
 */
export async function stopClock(url: string, at: Date): Promise<StoppedClock> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(stopped)
  const clock: StoppedClock = {
    async moveTo(moment) {
      await client.query('UPDATE stopped.clock SET at = $1', [moment])
      vi.setSystemTime(moment)
    },
    async end() {
      vi.useRealTimers()
      await client.end()
    },
  }
  vi.useFakeTimers({ toFake: ['Date'] })
  await clock.moveTo(at)
  return clock
}

export interface StoppedClock {
  moveTo(moment: Date): Promise<void>
  /** The process has its own time again; the database never. */
  end(): Promise<void>
}

/** Functions are looked for in `stopped` first; what columns default to was looked up long ago, and is so again. */
const stopped = `
  CREATE SCHEMA stopped;
  CREATE TABLE stopped.clock (at timestamptz NOT NULL);
  INSERT INTO stopped.clock VALUES (pg_catalog.now());
  CREATE SEQUENCE stopped.looks;
  CREATE FUNCTION stopped.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
    $$ SELECT at + pg_catalog.nextval('stopped.looks') * interval '1 microsecond' FROM stopped.clock $$;
  CREATE FUNCTION stopped.now() RETURNS timestamptz STABLE LANGUAGE sql AS $$ SELECT at FROM stopped.clock $$;
  SET search_path = stopped, pg_catalog, public;
  DO $$
  DECLARE one record;
  BEGIN
    EXECUTE format('ALTER DATABASE %I SET search_path = stopped, pg_catalog, public', current_database());
    FOR one IN
      SELECT d.adrelid::regclass AS place, a.attname AS name, pg_get_expr(d.adbin, d.adrelid) AS value
      FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
      WHERE pg_get_expr(d.adbin, d.adrelid) ~ '(now|clock_timestamp)\\(\\)'
    LOOP
      EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', one.place, one.name,
        regexp_replace(one.value, '(pg_catalog\\.)?(now|clock_timestamp)\\(\\)', 'stopped.clock_timestamp()'));
    END LOOP;
  END $$`
