import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Context } from '../activities/context.ts'
import { callIdFrom } from '../activities/db/call-id.ts'
import { engineIsUp } from '../activities/engine.ts'

const dayMs = 86_400_000

interface Figure {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

interface Asked {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  readonly sql: string
  readonly values?: () => readonly string[]
}

/** Gauges of what stands in the database: name, what it says, its labels, and the rows that say it (columns: the labels, `value`), with their parameters. */
const figures: readonly Asked[] = [
  {
    name: 'callgate_calls_of_a_day',
    help: 'Calls accepted within the last 24 hours, by app and the status that they have now, of all owners.',
    labels: ['app', 'status'],
    sql: 'SELECT app, status, count(*)::float8 AS value FROM calls WHERE id >= $1 GROUP BY app, status',
    values: () => [callIdFrom(Date.now() - dayMs)],
  },
  {
    name: 'callgate_open_calls',
    help: 'Calls that are not final, by app and status, of all owners.',
    labels: ['app', 'status'],
    sql: `SELECT app, status, count(*)::float8 AS value FROM calls WHERE status IN ('awaiting_confirmation', 'running') GROUP BY app, status`,
  },
  {
    name: 'callgate_held_calls',
    help: 'Running calls that wait for something other than their turn, by app and what it is.',
    labels: ['app', 'waiting_for'],
    sql: `SELECT app, waiting_for, count(*)::float8 AS value FROM calls WHERE status = 'running' AND waiting_for IS NOT NULL GROUP BY app, waiting_for`,
  },
  {
    name: 'callgate_queue_oldest_seconds',
    help: 'How long the call that has waited longest for its turn has done so, by app.',
    labels: ['app'],
    sql: `SELECT app, extract(epoch FROM clock_timestamp() - min(coalesce(decided_at, created_at)))::float8 AS value FROM calls
          WHERE status = 'running' AND send = 'ready' AND waiting_for IS NULL GROUP BY app`,
  },
  {
    name: 'callgate_blocked_endpoints',
    help: 'Endpoints of accounts that are paused because their app refused access, by app.',
    labels: ['app'],
    sql: 'SELECT app, count(*)::float8 AS value FROM pauses JOIN accounts ON accounts.id = account GROUP BY app',
  },
]

/** Registers what is asked for when somebody looks. While the database is away its gauges are missing, and `callgate_database_up` is 0. */
export function gauges(ctx: Pick<Context, 'db' | 'engine'>, registry: Registry): void {
  for (const { name, help, labels, sql, values } of figures) {
    registry.registerMetric(
      new Gauge<string>({
        name,
        help,
        labelNames: [...labels],
        registers: [],
        async collect() {
          this.reset()
          for (const { labels: of, value } of await read(ctx, sql, values?.())) this.set(of, value)
        },
      }),
    )
  }
  registry.registerMetric(
    new Gauge({
      name: 'callgate_database_up',
      help: '1 when the database answers.',
      registers: [],
      async collect() {
        this.set((await read(ctx, 'SELECT 1::float8 AS value')).length)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'callgate_engine_up',
      help: '1 when the engine answered its last health check.',
      registers: [],
      collect() {
        this.set(engineIsUp(ctx) ? 1 : 0)
      },
    }),
  )
}

/** Nothing while the database is away: `callgate_database_up` says so. */
async function read(
  { db }: Pick<Context, 'db'>,
  sql: string,
  values: readonly string[] = [],
): Promise<readonly Figure[]> {
  return db.query<Record<string, string> & { value: number }>(sql, [...values]).then(
    ({ rows }) => rows.map(({ value, ...labels }) => ({ labels, value })),
    () => [],
  )
}
