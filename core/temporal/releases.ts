import type { Client } from '@temporalio/client'
import { tsToMs } from '@temporalio/common/lib/time.js'
import type { Context } from '../context.ts'
import { errorName } from '../error-labels.ts'
import { sleep } from '../sleep.ts'
import { within } from './deadline.ts'
import { grpc, grpcCode } from './grpc.ts'

/*
 * A release (CALLGATE_RELEASE) is a version of Temporal's worker deployment "callgate": the
 * workflows of the API processes, not the send workers. Without a name, processes are unversioned
 * and take any run.
 */

export const deploymentName = 'callgate'

type Engine = Pick<Client, 'workflowService' | 'options'>

export interface Releases {
  /** Runs all workflows outside a ramp; null: unversioned processes do. */
  readonly current: string | null
  readonly ramping: { readonly release: string; readonly percent: number } | null
  /** Newest first; `since`: when it was last current, if ever. */
  readonly all: readonly { readonly release: string; readonly since: Date | null }[]
}

export async function readReleases({ workflowService, options }: Engine): Promise<Releases> {
  try {
    const { workerDeploymentInfo: info } = await workflowService.describeWorkerDeployment({
      namespace: options.namespace,
      deploymentName,
    })
    const {
      currentDeploymentVersion: current,
      rampingDeploymentVersion: ramping,
      rampingVersionPercentage: percent,
    } = info?.routingConfig ?? {}
    const all = (info?.versionSummaries ?? []).flatMap(({ deploymentVersion, createTime, lastCurrentTime }) =>
      deploymentVersion?.buildId
        ? [
            {
              release: deploymentVersion.buildId,
              made: tsToMs(createTime),
              since: lastCurrentTime ? new Date(tsToMs(lastCurrentTime)) : null,
            },
          ]
        : [],
    )
    return {
      current: current?.buildId || null,
      ramping: ramping?.buildId ? { release: ramping.buildId, percent: percent ?? 0 } : null,
      all: all.toSorted((a, b) => b.made - a.made).map(({ release, since }) => ({ release, since })),
    }
  } catch (error) {
    if (grpcCode(error) === grpc.notFound) return { current: null, ramping: null, all: [] }
    throw error
  }
}

/**
 * Makes a release current: it continues the open runs; null: unversioned processes do. Ends any
 * ramp. Throws when no process of the release runs.
 */
export async function makeCurrent(engine: Engine, release: string | null): Promise<void> {
  const { ramping } = await readReleases(engine)
  if (ramping !== null && ramping.release !== release) await ramp(engine, null, 0)
  await engine.workflowService.setWorkerDeploymentCurrentVersion({
    namespace: engine.options.namespace,
    deploymentName,
    buildId: release ?? '',
    identity: 'callgate',
  })
}

/** Ramps a release to a percentage of runs, always the same ones; null: ends the ramp. */
export async function ramp(engine: Engine, release: string | null, percentage: number): Promise<void> {
  await engine.workflowService.setWorkerDeploymentRampingVersion({
    namespace: engine.options.namespace,
    deploymentName,
    buildId: release ?? '',
    percentage,
    identity: 'callgate',
  })
}

/** Rolls back: ends a ramp, else makes the previous release current. Returns the current one. */
export async function goBack(engine: Engine): Promise<string | null> {
  const { current, ramping, all } = await readReleases(engine)
  if (ramping !== null) {
    await ramp(engine, null, 0)
    return current
  }
  const earlier = all
    .filter(({ release, since }) => release !== current && since !== null)
    .toSorted((a, b) => Number(b.since) - Number(a.since))
  const [before] = earlier
  await makeCurrent(engine, before?.release ?? null)
  return before?.release ?? null
}

/** Makes the first release current; else warns if this one is not, as is normal during a deploy. */
export async function joinReleases(ctx: Context, stop: AbortSignal): Promise<void> {
  const own = ctx.config.release
  const soon = Date.now() + 30_000
  while (!stop.aborted) {
    try {
      const { current, all } = await within(ctx, 5_000, () => readReleases(ctx.temporal))
      if (current === own) return
      if (current === null && own !== null && all.every(({ since }) => since === null))
        return await within(ctx, 5_000, () => makeCurrent(ctx.temporal, own))
      return ctx.log.warn({ release: own, current }, 'another release goes on with open calls: see `npm run deploy`')
    } catch (error) {
      // Temporal registers a release shortly after its first process polls.
      if (Date.now() > soon)
        return ctx.log.error({ release: own, reason: errorName(error) }, 'the release could not be made current')
      await sleep(500, stop)
    }
  }
}
