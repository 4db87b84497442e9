import { monitorEventLoopDelay } from 'node:perf_hooks'
import { admissionSignals } from '../config.ts'
import type { AdmissionSignal } from '../config.ts'
import type { Context } from './context.ts'
import { workflowBacklog } from './temporal/queue-states.ts'
import { callQueue } from './temporal/task-queues.ts'

/** Interval between two samples of the load, in ms. */
const every = 1_000

/**
 * Admission control: refuses new calls while any load signal is at its limit (`config.admission`),
 * because each further call would slow down all others until they fail. Accepted calls continue,
 * and so do requests that accept nothing.
 */
export interface Admission {
  /** Load of each signal as a share of its limit; from 1 on, new calls are refused. */
  load(): Readonly<Record<AdmissionSignal, number>>
  /** The first signal at its limit; undefined: new calls are accepted. */
  refusal(): AdmissionSignal | undefined
  /** Counts `accept` as being in acceptance until it settles. */
  accepting<T>(accept: () => Promise<T>): Promise<T>
}

/** Samples until `stop` is aborted. The timer does not keep the process alive. */
export function watchLoad(
  ctx: Pick<Context, 'config' | 'db' | 'engine' | 'temporal' | 'log'>,
  stop: AbortSignal,
  queue = callQueue,
): Admission {
  const limits = ctx.config.admission
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let [accepting, delayMs, before, backlog] = [0, 0, 0, 0]

  const ask = async (): Promise<void> => {
    // An unknown backlog refuses no call: watchEngine() checks whether Temporal is up.
    backlog = ctx.engine.up ? ((await workflowBacklog(ctx, queue)) ?? 0) : 0
  }
  let asked: Promise<void> | undefined
  const look = setInterval(() => {
    // Lower of the last two medians: one long turn, such as a compile, can fill a whole sample.
    const median = delay.percentile(50) / 1e6
    delayMs = Math.min(before, median)
    before = median
    delay.reset()
    asked ??= ask().finally(() => (asked = undefined))
  }, every).unref()
  stop.addEventListener('abort', () => {
    clearInterval(look)
    delay.disable()
  })

  const load = (): Record<AdmissionSignal, number> => ({
    accepting: accepting / limits.accepting,
    database: ctx.db.waitingCount / limits.database,
    event_loop: delayMs / limits.event_loop,
    workflows: backlog / limits.workflows,
  })
  return {
    load,
    refusal() {
      const all = load()
      return admissionSignals.find((signal) => all[signal] >= 1)
    },
    async accepting(accept) {
      accepting++
      try {
        return await accept()
      } finally {
        accepting--
      }
    },
  }
}
