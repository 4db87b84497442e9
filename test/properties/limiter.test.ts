import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLimiter } from '../../core/limiter.ts'
import type { Limiter, Policy, Verdict } from '../../core/limiter.ts'
import { openPool } from '../../core/database/pool.ts'
import type { Pool } from '../../core/database/pool.ts'
import { createDatabase } from '../harness.ts'
import { check, timeout } from './check.ts'

/** After a pause, so many requests at once, each at one of the two processes. */
interface Burst {
  readonly pauseMs: number
  readonly processes: readonly (0 | 1)[]
}

/** A request, with the database's clock before it was asked and after it was answered, in ms. */
interface Asked {
  readonly before: number
  readonly after: number
  readonly verdict: Verdict
}

const bursts = (longest: number, pauseMs: number): fc.Arbitrary<Burst[]> =>
  fc.array(
    fc.record({
      pauseMs: fc.nat({ max: pauseMs }),
      processes: fc.array(fc.constantFrom<0 | 1>(0, 1), { minLength: 1, maxLength: longest }),
    }),
    { minLength: 1, maxLength: 10 },
  )

/** Promise 6, for any times of requests, over two processes with a pool and a memory each. */
describe('the limiter', { timeout }, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let pools: readonly [Pool, Pool]
  let clock: Pool
  beforeAll(async () => {
    database = await createDatabase()
    const open = (): Pool => openPool(database.url, pino({ level: 'silent' }), 8)
    pools = [open(), open()]
    clock = open()
    // Windows forget; this does not.
    await clock.query(`
      CREATE TABLE admitted (bucket text, at timestamptz);
      CREATE FUNCTION note_admitted() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO admitted VALUES (NEW.bucket, NEW.hits[cardinality(NEW.hits)]);
        RETURN NULL;
      END $$;
      CREATE TRIGGER note_admitted AFTER UPDATE ON rate_limits FOR EACH ROW EXECUTE FUNCTION note_admitted()`)
  })
  afterAll(async () => {
    for (const pool of [...pools, clock]) await pool.end()
    await database.drop()
  })

  async function now(): Promise<number> {
    const { rows } = await clock.query<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now',
    )
    return rows[0]?.now ?? Number.NaN
  }

  async function admittedAt(bucket: string): Promise<readonly number[]> {
    const { rows } = await clock.query<{ at: number }>(
      'SELECT (extract(epoch FROM at) * 1000)::double precision AS at FROM admitted WHERE bucket = $1 ORDER BY at',
      [bucket],
    )
    return rows.map(({ at }) => at)
  }

  async function ask(limiter: Limiter, policy: Policy, who: string): Promise<Asked> {
    const before = await now()
    const verdict = await limiter.admit(policy, who)
    return { before, verdict, after: await now() }
  }

  let names = 0
  async function play(policy: Policy, schedule: readonly Burst[]): Promise<void> {
    const who = `who-${++names}`
    const limiters = pools.map((pool) => createLimiter(pool))
    const asked: Asked[] = []
    for (const { pauseMs, processes } of schedule) {
      await sleep(pauseMs)
      asked.push(...(await Promise.all(processes.map((process) => ask(limiters[process] as Limiter, policy, who)))))
    }
    judge(policy, asked, await admittedAt(`${policy.name}:${who}`))
  }

  /** What any limiter must have done, whenever exactly the database looked between `before` and `after`. */
  function judge({ max, seconds }: Policy, asked: readonly Asked[], admitted: readonly number[]): void {
    const window = seconds * 1000
    // The clocks' own grain.
    const grain = 0.01
    expect(admitted, 'one count for each that was let in').toHaveLength(
      asked.filter(({ verdict }) => verdict.admitted).length,
    )
    for (const [i, at] of admitted.slice(max).entries())
      expect(at - (admitted[i] ?? at), `${max + 1} within a window`).toBeGreaterThanOrEqual(window - grain)
    for (const { before, after, verdict } of asked) {
      const inside = (from: number, to: number): number => admitted.filter((at) => at > from && at <= to).length
      const mayBeInside = inside(before - window - grain, after + grain)
      const certainlyInside = inside(after - window + grain, before - grain)
      if (verdict.admitted) {
        expect(certainlyInside, 'let in although the window was full').toBeLessThan(max)
        expect(max - verdict.remaining, 'remaining').toBeGreaterThan(certainlyInside)
        expect(max - verdict.remaining, 'remaining').toBeLessThanOrEqual(mayBeInside)
      } else {
        expect(mayBeInside, 'refused although the window was not full').toBeGreaterThanOrEqual(max)
        // When the database looked is not known: at first, or after one of those that it let in meanwhile.
        const looks = [before, ...admitted.filter((at) => at > before && at <= after)]
        const free = looks
          .map((look) => (admitted.filter((at) => at <= look).at(-max) ?? Number.NaN) + window)
          .filter((end, i) => end > (looks[i] ?? Number.NaN) - grain)
        const freeAt = Math.min(...free)
        expect(after + verdict.retryAfter * 1000, 'Retry-After is long enough').toBeGreaterThanOrEqual(freeAt - grain)
        expect(verdict.retryAfter, 'and not longer than it must be').toBeLessThanOrEqual(Math.ceil(seconds) + 1)
      }
    }
  }

  it('admits exactly what fits into any window, for any times of requests', async () => {
    const policies = fc.record({ max: fc.integer({ min: 1, max: 4 }), seconds: fc.constantFrom(0.1, 0.15, 0.25) })
    await check(
      fc.asyncProperty(policies, fc.array(bursts(6, 60), { minLength: 4, maxLength: 4 }), async (some, schedules) => {
        await Promise.all(schedules.map((schedule) => play({ name: 'short', ...some }, schedule)))
      }),
      14,
    )
  })

  it('lets a clock that is set back lock nobody out for longer than a window, nor lets more into one', async () => {
    const policy = { name: 'ahead', max: 2, seconds: 0.5 }
    const fill = (who: string, hits: number) =>
      clock.query(`INSERT INTO rate_limits VALUES ($1, array_fill(now() + interval '1 day', ARRAY[$2::integer]))`, [
        `${policy.name}:${who}`,
        hits,
      ])
    const [full, half] = [createLimiter(pools[0]), createLimiter(pools[1])]
    await fill('full', 2)
    await fill('half', 1)
    const refused = { admitted: false, remaining: 0, retryAfter: 1 }
    expect(await full.admit(policy, 'full')).toEqual(refused)
    expect(await half.admit(policy, 'half')).toEqual({ admitted: true, remaining: 0, retryAfter: 1 })
    expect(await half.admit(policy, 'half')).toEqual(refused)
    await sleep(600)
    for (const [limiter, who] of [
      [full, 'full'],
      [half, 'half'],
    ] as const)
      expect(await limiter.admit(policy, who), who).toEqual({ admitted: true, remaining: 1, retryAfter: 0 })
  })

  it('says how many whole seconds are enough, for windows of seconds', async () => {
    const windows = fc.constantFrom(1.2, 2.1)
    await check(
      fc.asyncProperty(
        windows,
        fc.array(bursts(3, 500), { minLength: 6, maxLength: 6 }),
        async (seconds, schedules) => {
          await Promise.all(schedules.map((schedule) => play({ name: 'long', max: 2, seconds }, schedule)))
        },
      ),
      2,
    )
  })
})
