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

/** The worker of the "callgate" queue: workflows, and the activities that are not sends. It shares the client's connection, so that starts are eager. */
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
    // Ten thousand waiting calls must not live in this process's memory.
    maxCachedWorkflows: 100,
    // After a crash the calls of the dead process move on after a second, not ten.
    stickyQueueScheduleToStartTimeout: '1s',
    shutdownGraceTime: '10s',
    // Each `patched` of a workflow would wait for an answer of the main thread.
    ...(dormantPatches.size > 0 && { patchActivationCallback: ({ patchId }) => !dormantPatches.has(patchId) }),
    ...versionOf(ctx.config),
  })
  const notices = await Worker.create({
    connection,
    namespace: ctx.config.temporalNamespace,
    taskQueue: 'notices',
    activities: noticeActivities(ctx, noticeWords(ctx)),
    // Each waits for somebody else's computer, and costs little: more than the webhooks of one owner can take (core/notices/crowding.ts).
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

/** A run goes on with what is current or ramping at each of its steps: each release can replay what the one after it begins. */
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
