import { Counter, Histogram, Registry } from 'prom-client'
import type { Outcome } from '../connectors/runtime/outcome.ts'
import type { Context } from '../core/context.ts'
import { processMetrics } from '../core/process-metrics.ts'
import { outcomeCode } from '../core/watch/outcomes.ts'
import type { FinalStatus } from '../schemas/call.ts'

interface Of {
  readonly app: string
  readonly endpoint: string
}

/** What a worker counts. Labels are existing apps, endpoints and outcomes, never user input. */
export interface WorkerMetrics {
  readonly registry: Registry
  /** Records an app's outcome and how long it took. Returns the outcome's label. */
  asked(of: Of, outcome: Outcome, seconds: number): string
  /** An attempt ended its call. */
  ended(of: Of, status: FinalStatus): void
}

/** A registry of its own for each worker. */
export function createWorkerMetrics(ctx: Pick<Context, 'db' | 'engine' | 'apps' | 'security'>): WorkerMetrics {
  const registry = new Registry()
  const registers = [registry]
  processMetrics(ctx, registry)
  const seconds = new Histogram({
    name: 'callgate_send_seconds',
    help: 'How long an app took for one try of a call, pages and tokens that the request needs included, by app and endpoint.',
    labelNames: ['app', 'endpoint'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  })
  const sends = new Counter({
    name: 'callgate_sends_total',
    help: 'What came of asking apps, by app, endpoint and outcome: executed, or the error code that fits.',
    labelNames: ['app', 'endpoint', 'outcome'],
    registers,
  })
  const ended = new Counter({
    name: 'callgate_calls_ended_total',
    help: 'Calls that ended in this process, by app and status. Those that nobody sends any more (expired, rejected, most cancelled ones) end elsewhere.',
    labelNames: ['app', 'status'],
    registers,
  })
  // Prometheus sees a counter rise, not appear: the counters that alerts use start at 0.
  for (const { slug: app } of ctx.apps.all) ended.inc({ app, status: 'unknown' }, 0)
  return {
    registry,
    asked({ app, endpoint }, outcome, took) {
      if (outcome.kind === 'fenced') return 'not sent'
      seconds.observe({ app, endpoint }, took)
      const code = outcomeCode(outcome)
      sends.inc({ app, endpoint, outcome: code })
      return code
    },
    ended: ({ app }, status) => ended.inc({ app, status }),
  }
}
