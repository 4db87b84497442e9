import { Worker } from '@temporalio/worker'
import type { NativeConnection } from '@temporalio/worker'
import { askedToCheck } from './check-account.ts'
import { hidingCauses } from './hiding-causes.ts'
import { look } from './look.ts'
import type { Context } from '../core/context.ts'
import type { Stoppable } from '../core/stoppable.ts'
import { holdSenderLock } from '../core/calls/sender-lock.ts'
import { appQueue } from '../core/temporal/task-queues.ts'
import { keepOutcomes } from '../core/watch/outcomes.ts'
import type { WorkerMetrics } from './metrics.ts'
import { prepareActivities } from './prepare.ts'
import { workQueues } from './queues.ts'
import { sendActivities } from './send.ts'
import { watch } from './watch.ts'

/** What runs on an app's queue besides sends. */
function checkActivities(ctx: Context) {
  return hidingCauses(ctx, {
    checkAccount: (accountId: string) => askedToCheck(ctx, accountId),
    look: (callId: string) => look(ctx, callId),
    watch: (day: string) => watch(ctx, day),
  })
}

export type CheckActivities = ReturnType<typeof checkActivities>

/**
 * One worker per paced app queue, all on one connection. Tasks for an app that is off or removed
 * stay queued until a worker can run them. Stopping lets running tasks finish, for up to 30 s.
 */
export async function startSendWorkers(
  ctx: Context,
  connection: NativeConnection,
  metrics: WorkerMetrics,
): Promise<Stoppable> {
  const over = new AbortController()
  const leaving = new AbortController()
  const self = holdSenderLock(ctx.config.databaseUrl, ctx.log, over.signal)
  const activities = {
    ...sendActivities(ctx, self, metrics, leaving.signal),
    ...prepareActivities(ctx),
    ...checkActivities(ctx),
  }
  const create = (slug: string): Promise<Worker> =>
    Worker.create({
      connection,
      namespace: ctx.config.temporalNamespace,
      taskQueue: appQueue(slug),
      activities,
      maxConcurrentActivityTaskExecutions: 100,
      activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 2, maximum: 10 },
      // Heartbeats come each second and when a send begins, which Temporal must learn at once.
      // Throttled as usual, a second of stall would look like a death (heartbeat timeout 5 s).
      maxHeartbeatThrottleInterval: '50ms',
      shutdownGraceTime: '30s',
    })
  const running = await workQueues(ctx, create)
  const outcomes = keepOutcomes(ctx)
  return {
    async stop() {
      leaving.abort()
      await running.stop()
      await outcomes.stop()
      over.abort()
    },
  }
}

/** Runs workers until stopped. One that fails ends the process; the supervisor restarts it. */
export function runAll(workers: readonly Worker[]): Stoppable {
  const runs = workers.map((worker) => worker.run())
  const all = Promise.all(runs)
  all.catch((error: unknown) => {
    process.exitCode = 1
    throw error
  })
  return {
    async stop() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
      await all
    },
  }
}
