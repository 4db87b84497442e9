import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { admissionSignals } from '../../config.ts'
import type { Admission } from '../admission.ts'
import type { Context } from '../context.ts'
import { processMetrics } from '../process-metrics.ts'
import { gauges } from './gauges.ts'

export interface Metrics {
  readonly registry: Registry
  /** Answers to calls, by app and the call's status or error code. */
  readonly answers: Counter<'app' | 'status'>
  readonly requests: Histogram<'route' | 'method' | 'status'>
  /** Calls refused because of overload, by admission signal. */
  readonly turnedAway: Counter<'signal'>
  /** Clients that currently wait for a call to end. */
  readonly waiting: Gauge
  /** Credits that operators refunded. */
  readonly refunds: Counter
  /** Registers the gauge of sign-in browsers (open), and users who wait for one (waiting). */
  tellSignIns(counts: () => { readonly open: number; readonly waiting: number }): void
}

/** Answers that are Callgate's own fault (deploy/alerts.yml, CallgateUnserved…). */
const unserved = ['unavailable', 'internal', 'refused'] as const

/** Creates a registry per API. Metrics of all owners' calls are queried on scrape. */
export function createMetrics(
  ctx: Pick<Context, 'db' | 'engine' | 'apps' | 'security'>,
  admission: Pick<Admission, 'load'>,
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  processMetrics(ctx, registry)
  gauges(ctx, registry)
  registry.registerMetric(
    new Gauge({
      name: 'callgate_admission_load',
      help: 'What this process has to do, as a share of what it may have before it takes no new calls, by signal (accepting, database, event_loop, workflows).',
      labelNames: ['signal'],
      registers: [],
      collect() {
        for (const [signal, share] of Object.entries(admission.load())) this.set({ signal }, share)
      },
    }),
  )
  registry.registerMetric(
    new Counter({
      name: 'callgate_stuck_runs_total',
      help: 'Runs of calls whose tasks had failed five times or more in a row when this process swept, by what became of them (ended, restarted, left); one that was left is counted again each minute.',
      labelNames: ['end'],
      registers: [],
      collect() {
        this.reset()
        for (const [end, times] of Object.entries(ctx.engine.stuck)) this.inc({ end }, times)
      },
    }),
  )
  const metrics: Metrics = {
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
    turnedAway: new Counter({
      name: 'callgate_admission_refusals_total',
      help: 'Calls that were not taken (503) because this process had more to do than it may, by signal.',
      labelNames: ['signal'],
      registers,
    }),
    waiting: new Gauge({
      name: 'callgate_waiting_clients',
      help: "Clients that wait for a call's end now.",
      registers,
    }),
    refunds: new Counter({
      name: 'callgate_refunded_credits_total',
      help: 'Credits that operators gave back through this process. What failed was never charged.',
      registers,
    }),
    tellSignIns(counts) {
      const gauge = new Gauge({
        name: 'callgate_sign_in_browsers',
        help: 'Sign-in browsers of this process (open), and people who wait in line for one (waiting).',
        labelNames: ['state'],
        registers: [],
        collect() {
          const { open, waiting } = counts()
          this.set({ state: 'open' }, open)
          this.set({ state: 'waiting' }, waiting)
        },
      })
      registry.registerMetric(gauge)
    },
  }
  // Prometheus misses the first increase of a counter that appears late: start alerted ones at 0.
  for (const signal of admissionSignals) metrics.turnedAway.inc({ signal }, 0)
  for (const { slug: app } of ctx.apps.all) for (const status of unserved) metrics.answers.inc({ app, status }, 0)
  return metrics
}
