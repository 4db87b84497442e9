import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from '../activities/db/pool.ts'

export interface Metrics {
  readonly registry: Registry
  /** Answers to calls, by app and by what became of the call (a status) or why it was refused (an error code). */
  readonly answers: Counter<'app' | 'status'>
  readonly requests: Histogram<'route' | 'method' | 'status'>
  /** Clients that wait for a call's end now. */
  readonly waiting: Gauge
}

/** A registry of its own for each API. */
export function createMetrics(db: Pool): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const open = new Gauge({
    name: 'callgate_open_calls',
    help: 'Calls that are not final, by app and status, of all owners. Missing while the database is away.',
    labelNames: ['app', 'status'],
    registers: [],
    async collect() {
      this.reset()
      for (const row of await openCalls(db)) this.set({ app: row.app, status: row.status }, row.count)
    },
  })
  registry.registerMetric(open)
  return {
    registry,
    answers: new Counter({
      name: 'callgate_call_answers_total',
      help: 'Answers to calls of endpoints, by app and status or error code.',
      labelNames: ['app', 'status'],
      registers,
    }),
    requests: new Histogram({
      name: 'callgate_http_request_seconds',
      help: 'Time from the request line to the answer, waiting included.',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50],
      registers,
    }),
    waiting: new Gauge({
      name: 'callgate_waiting_clients',
      help: "Clients that wait for a call's end now.",
      registers,
    }),
  }
}

async function openCalls(db: Pool): Promise<readonly { app: string; status: string; count: number }[]> {
  return db
    .query<{ app: string; status: string; count: number }>(
      `SELECT app, status, count(*)::integer AS count FROM calls
       WHERE status IN ('awaiting_confirmation', 'running') GROUP BY app, status`,
    )
    .then(
      ({ rows }) => rows,
      () => [],
    )
}
