import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { isPressing } from '../core/calls/due.ts'
import { openStage } from '../scripts/campaign/stage.ts'
import type { Stage } from '../scripts/campaign/stage.ts'
import { startCluster } from './cluster.ts'
import type { Cluster } from './cluster.ts'
import type { Gateway } from './gateway.ts'
import { memoryOf, withChildren } from './measure.ts'
import { app } from './people.ts'
import { rates } from './site.ts'

export const workers = 4

export const engines = ['embedded', 'cluster'] as const
export type Engine = (typeof engines)[number]

/** Inputs of a part of the scale run. */
export interface Scale {
  readonly site: ScaleSite
  /** One per API process. */
  readonly gateways: readonly Gateway[]
  readonly calls: number
  readonly rows: number
  readonly minutes: number
  readonly say: (line: string) => void
}

/** A stage with two API processes and four workers, whose database connection survives kills. */
export class ScaleSite {
  readonly stage: Stage
  readonly #cluster: Cluster | undefined
  #database: pg.Client | undefined

  private constructor(stage: Stage, cluster: Cluster | undefined) {
    this.stage = stage
    this.#cluster = cluster
  }

  /** With the Temporal of `npm start`, or a Temporal server with its own Postgres. */
  static async open(engine: Engine): Promise<ScaleSite> {
    const cluster = engine === 'cluster' ? await startCluster(process.env) : undefined
    const wanted = { workers, ...(cluster && { temporalAddress: cluster.address }) }
    const stage = await openStage(wanted).catch(async (error: unknown) => {
      await cluster?.stop()
      throw error
    })
    const site = new ScaleSite(stage, cluster)
    try {
      await site.stage.start()
      if (!(await site.stage.ready(300_000))) throw new Error('it did not get ready')
      await site.#pace()
      return site
    } catch (error) {
      await site.close()
      throw error
    }
  }

  async query<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      if (this.#database === undefined) {
        const client = new pg.Client({ connectionString: this.stage.databaseUrl })
        client.on('error', () => (this.#database = undefined))
        await client.connect()
        this.#database = client
      }
      return (await this.#database.query<Row>(sql, [...values])).rows
    } catch (error) {
      this.#database = undefined
      throw error
    }
  }

  /** Raises the app's rate limits as an operator can; otherwise they would be measured. */
  async #pace(): Promise<void> {
    await this.query(
      `INSERT INTO app_controls AS c (app, app_rate, account_rate, pacing_due, pacing_due_since) VALUES ($1, $2, $3, true, now())
       ON CONFLICT (app) DO UPDATE SET app_rate = $2, account_rate = $3, pacing_due = true, pacing_due_since = now()`,
      [app, rates.app, rates.account],
    )
    while ((await this.query('SELECT FROM app_controls WHERE app = $1 AND pacing_due', [app])).length > 0)
      await pause(500)
  }

  /** By process, in MB. */
  memory(): string {
    const pid = (name: string): number => {
      const file = path.join(this.stage.dir, 'run', `${name}.json`)
      return (JSON.parse(readFileSync(file, 'utf8')) as { readonly pid: number }).pid
    }
    const names = ['api-1', 'api-2', ...Array.from({ length: workers }, (_, n) => `worker-${n + 1}`)]
    const engine = this.#cluster?.pids ?? { temporal: () => pid('temporal') }
    const figures = memoryOf({
      ...Object.fromEntries(names.map((name) => [name, () => [pid(name)]])),
      ...Object.fromEntries(Object.entries(engine).map(([name, of]) => [name, () => withChildren(of())])),
      postgres: () => withChildren(pid('postgres')),
    })
    return Object.entries(figures)
      .map(([name, mb]) => `${name} ${mb.toFixed(0)}`)
      .join(', ')
  }

  /** SIGKILL for everything but the sandbox, then an immediate restart. */
  async killAll(): Promise<void> {
    await Promise.all([this.stage.killTree(), this.#cluster?.again()])
  }

  async close(): Promise<void> {
    // It may have been killed with everything.
    await this.#database?.end().catch(() => undefined)
    await this.stage.close({ keep: false })
    await this.#cluster?.stop()
  }
}

/** The reconciler's maximum lag, sampled once a second; unknown while the database is down. */
export function watchLag(site: ScaleSite): { most(): string; again(): void; stop(): Promise<string> } {
  let [pressing, waiting] = [0, 0]
  const over = new AbortController()
  const most = (): string =>
    `${pressing.toFixed(0)} s at most with what somebody waits for, ${waiting.toFixed(0)} s with what merely waits`
  const lag = (kind: string): string =>
    `(SELECT coalesce(extract(epoch FROM clock_timestamp() - min(check_at)), 0)::float8 FROM calls WHERE check_at IS NOT NULL AND ${kind})`
  const sql = `SELECT ${lag(isPressing)} AS pressing, ${lag(`NOT ${isPressing}`)} AS waiting`
  const looking = (async () => {
    while (!over.signal.aborted) {
      // The database was killed, too: sample again in a second.
      const [row] = await site.query<{ pressing: number; waiting: number }>(sql).catch(() => [])
      pressing = Math.max(pressing, row?.pressing ?? 0)
      waiting = Math.max(waiting, row?.waiting ?? 0)
      await pause(1_000)
    }
  })()
  return {
    most,
    again: () => ([pressing, waiting] = [0, 0]),
    async stop() {
      over.abort()
      await looking
      return most()
    },
  }
}
