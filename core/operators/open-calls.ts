import type { Db } from '../database/pool.ts'

/** Counting takes at most 1/20 of the time, however many calls are open. */
const share = 20

interface OpenRow {
  readonly app: string
  readonly status: string
  readonly waiting_for: string | null
  readonly calls: number
  /** Longest wait of a call for its turn, in seconds; null: none waits. */
  readonly oldest: number | null
}

interface Counted {
  /** Ms of this process's monotonic clock. */
  readonly at: number
  readonly tookMs: number
  readonly rows: readonly OpenRow[]
}

/** Counts all open calls in one shared pass, repeated at most as often as `share` allows. */
export class OpenCalls {
  readonly #db: Db
  #counting: Promise<Counted> | undefined
  #last: Counted | undefined

  constructor(db: Db) {
    this.#db = db
  }

  async rows(): Promise<readonly OpenRow[]> {
    const last = this.#last
    if (last !== undefined && performance.now() - last.at < last.tookMs * share) return aged(last)
    this.#counting ??= count(this.#db).finally(() => (this.#counting = undefined))
    this.#last = await this.#counting
    return aged(this.#last)
  }
}

/** Adds the time since the count: queued calls still wait. */
function aged({ at, rows }: Counted): readonly OpenRow[] {
  const since = (performance.now() - at) / 1_000
  return rows.map((row) => ({ ...row, oldest: row.oldest === null ? null : row.oldest + since }))
}

async function count(db: Db): Promise<Counted> {
  const began = performance.now()
  const { rows } = await db.query<OpenRow>({
    name: 'open-calls',
    text: `SELECT app, status, waiting_for, count(*)::float8 AS calls,
        extract(epoch FROM clock_timestamp() - min(coalesce(decided_at, created_at)) FILTER (
          WHERE status = 'running' AND send = 'ready' AND waiting_for IS NULL
            AND NOT EXISTS (SELECT FROM app_controls p WHERE p.app = calls.app AND p.paused)
            AND NOT EXISTS (SELECT FROM endpoint_controls e WHERE e.app = calls.app AND e.endpoint = calls.endpoint AND e.paused)))::float8 AS oldest
      FROM calls WHERE status IN ('awaiting_confirmation', 'running') GROUP BY app, status, waiting_for`,
  })
  const at = performance.now()
  return { at, tookMs: at - began, rows }
}
