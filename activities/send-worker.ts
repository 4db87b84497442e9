import { Worker } from '@temporalio/worker'
import type { NativeConnection } from '@temporalio/worker'
import { checkAccount } from './check-account.ts'
import type { Context } from './context.ts'
import { appQueue } from './plan.ts'
import { sendActivities } from './send.ts'

/** What runs on an app's queue besides sends. */
function checkActivities(ctx: Context) {
  return { checkAccount: (accountId: string) => checkAccount(ctx, accountId) }
}

export type CheckActivities = ReturnType<typeof checkActivities>

export interface Running {
  stop(): Promise<void>
}

/** One worker a paced app queue, all on one connection. Stopping lets each finish what it began, for up to 30 s. */
export async function startSendWorkers(ctx: Context, connection: NativeConnection): Promise<Running> {
  const workers = await Promise.all(
    ctx.apps.all.map((app) =>
      Worker.create({
        connection,
        namespace: ctx.config.temporalNamespace,
        taskQueue: appQueue(app.slug),
        activities: { ...sendActivities(ctx), ...checkActivities(ctx) },
        maxConcurrentActivityTaskExecutions: 100,
        activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 2, maximum: 10 },
        // Unthrottled, a second of stall would look like a death (heartbeat timeout 5 s).
        maxHeartbeatThrottleInterval: '1s',
        shutdownGraceTime: '30s',
      }),
    ),
  )
  return runAll(workers)
}

/** Runs workers until stopped. A worker that fails by itself fails the process: the supervisor starts a new one. */
export function runAll(workers: readonly Worker[]): Running {
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
