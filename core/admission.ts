import { monitorEventLoopDelay } from 'node:perf_hooks'
import { admissionSignals } from '../config.ts'
import type { AdmissionSignal } from '../config.ts'
import type { Context } from './context.ts'
import { workflowBacklog } from './temporal/queue-states.ts'
import { callQueue } from './temporal/task-queues.ts'

/** Between two looks at what does not tell by itself, in ms. */
const every = 1_000

/**
 * Whether this process takes new calls: not while it has more of something to do than `config.admission` says, for then each further call would
 * make all wait, and in the end fail. What was accepted goes on, and so does everything that accepts nothing.
 */
export interface Admission {
  /** How much there is to do of each, as a share of what may be: from 1 on no new call is taken. */
  load(): Readonly<Record<AdmissionSignal, number>>
  /** Why no new call is taken now. */
  refusal(): AdmissionSignal | undefined
  /** Counts as in acceptance until it is over. */
  accepting<T>(accept: () => Promise<T>): Promise<T>
}

/** Looks until `stop` is aborted, and keeps no process alive. */
export function watchLoad(
  ctx: Pick<Context, 'config' | 'db' | 'engine' | 'temporal' | 'log'>,
  stop: AbortSignal,
  queue = callQueue,
): Admission {
  const limits = ctx.config.admission
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let [accepting, delayMs, backlog] = [0, 0, 0]

  const ask = async (): Promise<void> => {
    // What the engine does not say, or has lost, keeps nobody out: whether it is there at all is asked elsewhere.
    backlog = ctx.engine.up ? ((await workflowBacklog(ctx, queue)) ?? 0) : 0
  }
  let asked: Promise<void> | undefined
  const look = setInterval(() => {
    // Half of the turns took longer: a single long one, such as code that is compiled, is none of it.
    delayMs = delay.percentile(50) / 1e6
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
