import { Worker } from '@temporalio/worker'
import type { InjectedSinks, NativeConnection, WorkerOptions, WorkflowBundleOption } from '@temporalio/worker'
import type { Config } from '../config.ts'
import type { Context } from '../core/context.ts'
import { callgateActivities } from '../activities/callgate.ts'
import { deploymentName } from '../core/temporal/releases.ts'
import { callQueue } from '../core/temporal/task-queues.ts'
import { housekeepingActivities } from '../activities/housekeeping.ts'
import { noticeActivities } from '../activities/deliver-notice.ts'
import { runAll } from '../activities/send-worker.ts'
import type { Stoppable } from '../core/stoppable.ts'
import { noticeWords } from '../web/index.ts'
import type { TraceSinks } from '../workflows/tracing.ts'
import { tracePast } from '../core/tracing.ts'
import { dormantPatches } from '../workflows/dormant-patches.ts'

/** Workers of "callgate" and "notices": all but sends. On the client's connection: eager starts. */
export async function startWorkflowWorker(
  ctx: Context,
  connection: NativeConnection,
  workflowBundle: WorkflowBundleOption,
): Promise<Stoppable> {
  const worker = await Worker.create({
    connection,
    namespace: ctx.config.temporalNamespace,
    taskQueue: callQueue,
    activities: { ...callgateActivities(ctx), ...housekeepingActivities(ctx) },
    workflowBundle,
    sinks: traceSinks,
    // Ten thousand waiting calls must not stay in this process's memory.
    maxCachedWorkflows: 100,
    // After a crash, the dead process's calls continue after 1 s, not 10.
    stickyQueueScheduleToStartTimeout: '1s',
    shutdownGraceTime: '10s',
    // Otherwise each `patched` of a workflow waits for an answer of the main thread.
    ...(dormantPatches.size > 0 && { patchActivationCallback: ({ patchId }) => !dormantPatches.has(patchId) }),
    ...versionOf(ctx.config),
  })
  const notices = await Worker.create({
    connection,
    namespace: ctx.config.temporalNamespace,
    taskQueue: 'notices',
    activities: noticeActivities(ctx, noticeWords(ctx)),
    // These wait for remote servers. One user's webhooks take fewer (core/notices/crowding.ts).
    maxConcurrentActivityTaskExecutions: 100,
    shutdownGraceTime: '5s',
  })
  return runAll([worker, notices])
}

const traceSinks: InjectedSinks<TraceSinks> = {
  traces: {
    ran: {
      fn: ({ workflowId }, parent, workflow, from, to) =>
        tracePast(`workflow ${workflow}`, { parent, attributes: { 'callgate.call': workflowId } }, from, to),
      callDuringReplay: false,
    },
  },
}

/** Each step of a run uses the current or ramping release: each can replay what the next begins. */
function versionOf({ release }: Config): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (release === null) return {}
  return {
    workerDeploymentOptions: {
      version: { deploymentName, buildId: release },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  }
}
