import type { Logger } from 'pino'
import type { Outcome } from '../../connectors/runtime/outcome.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import type { Db } from '../database/pool.ts'
import { repeat } from '../retry.ts'
import type { Stoppable } from '../stoppable.ts'

/** Flush interval in ms. A killed process loses the counts since its last flush. */
const every = 5_000
/** Retention in days. */
const days = 90

/** Name of each outcome in the counts. */
const codes: Readonly<Record<Exclude<Outcome['kind'], 'fenced'>, ErrorCode | 'executed'>> = {
  ok: 'executed',
  blocked: 'TARGET_BLOCKED',
  rate_limited: 'TARGET_BLOCKED',
  auth_expired: 'AUTH_EXPIRED',
  captcha: 'CAPTCHA_REQUIRED',
  mfa: 'MFA_REQUIRED',
  rejected: 'app_rejected',
  refused: 'app_error',
  app_error: 'app_error',
  timeout: 'app_timeout',
  lost: 'app_timeout',
  changed: 'app_changed',
}

export function outcomeCode({ kind }: { readonly kind: keyof typeof codes }): string {
  return codes[kind]
}

/** Counts outcomes of requests to apps in this process; a flush is one statement for all. */
export class OutcomeCounts {
  #counts = new Map<string, number>()

  /** Counts the outcome of one attempt. */
  count({ app, endpoint }: { readonly app: string; readonly endpoint: string }, outcome: Outcome): void {
    if (outcome.kind === 'fenced') return
    const key = JSON.stringify([app, endpoint, new Date().toISOString().slice(0, 10), outcomeCode(outcome)])
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  /** Writes the counts since the last flush. If that fails, they are kept for the next. */
  async flush(db: Db): Promise<void> {
    const counts = this.#counts
    if (counts.size === 0) return
    this.#counts = new Map()
    // Sorted, so that two processes never deadlock.
    const rows = [...counts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, times]) => [...(JSON.parse(key) as string[]), times])
    const column = (at: number) => rows.map((row) => row[at])
    try {
      await db.query({
        name: 'add-outcomes',
        text: `INSERT INTO app_outcomes AS o (app, endpoint, day, outcome, times)
          SELECT * FROM unnest($1::text[], $2::text[], $3::date[], $4::text[], $5::bigint[])
          ON CONFLICT (app, endpoint, day, outcome) DO UPDATE SET times = o.times + excluded.times`,
        values: [column(0), column(1), column(2), column(3), column(4)],
      })
    } catch (error) {
      for (const [key, times] of counts) this.#counts.set(key, (this.#counts.get(key) ?? 0) + times)
      throw error
    }
  }
}

/** Flushes the counts every few seconds, and once more when stopped. */
export function keepOutcomes(ctx: {
  readonly db: Db
  readonly log: Logger
  readonly outcomes: OutcomeCounts
}): Stoppable {
  const stopped = new AbortController()
  const add = (): Promise<void> => ctx.outcomes.flush(ctx.db)
  const onError = (error: unknown): void =>
    ctx.log.warn({ err: error }, 'outcomes were not added; they are with the next ones')
  const run = repeat(add, { every, stop: stopped.signal, onError })
  return {
    async stop() {
      stopped.abort()
      await run
      await add().catch(onError)
    },
  }
}

export interface OutcomeRow {
  readonly endpoint: string
  /** YYYY-MM-DD, in UTC. */
  readonly day: string
  readonly outcome: string
  readonly times: number
}

/** Outcomes of an app's endpoints on the last days. */
export async function outcomesOf(db: Db, app: string, lastDays: number): Promise<readonly OutcomeRow[]> {
  const { rows } = await db.query<OutcomeRow>(
    `SELECT endpoint, day::text, outcome, times::float8 AS times FROM app_outcomes
     WHERE app = $1 AND day > (clock_timestamp() AT TIME ZONE 'UTC')::date - $2::integer ORDER BY endpoint, day, outcome`,
    [app, lastDays],
  )
  return rows
}

/** Deletes counts, and closed changes, older than 90 days. */
export async function forgetOutcomes(db: Db): Promise<void> {
  await db.query('DELETE FROM app_outcomes WHERE day < current_date - $1::integer', [days])
  await db.query('DELETE FROM app_changes WHERE closed_at < clock_timestamp() - make_interval(days => $1)', [days])
}
