import { collectDefaultMetrics, Counter, Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Context } from './context.ts'
import { figure } from './figure.ts'
import { securityKinds } from './security-log.ts'
import { engineIsUp } from './temporal/health.ts'

/** Metrics of every process: its dependencies, broken connectors and load. */
export function processMetrics(ctx: Pick<Context, 'db' | 'engine' | 'apps' | 'security'>, registry: Registry): void {
  // Registered first: collectors that query the database take connections of the pool.
  registry.registerMetric(
    new Gauge({
      name: 'callgate_database_connections',
      help: 'Connections of the pool of this process: busy, idle; and how many wait for one (waiting).',
      labelNames: ['state'],
      registers: [],
      collect() {
        const { totalCount, idleCount, waitingCount } = ctx.db
        this.set({ state: 'busy' }, totalCount - idleCount)
        this.set({ state: 'idle' }, idleCount)
        this.set({ state: 'waiting' }, waitingCount)
      },
    }),
  )
  // Default Node.js metrics: memory, CPU, event loop and garbage collection.
  collectDefaultMetrics({ register: registry })
  const gauge = (name: string, help: string, collect: (this: Gauge) => void | Promise<void>): void =>
    registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
  const databaseUp = figure(() => ctx.db.query('SELECT 1').then(() => 1), 0)
  gauge('callgate_database_up', '1 when the database answers within 3 s.', async function () {
    this.set(await databaseUp())
  })
  gauge('callgate_engine_up', '1 when the engine answered its last health check.', function () {
    this.set(engineIsUp(ctx) ? 1 : 0)
  })
  registry.registerMetric(
    new Counter({
      name: 'callgate_security_refusals_total',
      help: 'Refusals that an attack would leave behind, by kind: failed and slowed sign-ins, wrong operator tokens, unknown hosts, refused keys, rows that do not verify.',
      labelNames: ['kind'],
      registers: [],
      collect() {
        this.reset()
        // Export every kind from 0 on: Prometheus misses the increase of a late counter.
        for (const kind of securityKinds) this.inc({ kind }, ctx.security.counts().get(kind) ?? 0)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'callgate_connector_broken',
      help: '1 for each app that is off because this process cannot use its connector.',
      labelNames: ['app'],
      registers: [],
      collect() {
        this.reset()
        for (const app of ctx.apps.broken.keys()) this.set({ app }, 1)
      },
    }),
  )
}
