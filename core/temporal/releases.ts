import type { Client } from '@temporalio/client'
import { tsToMs } from '@temporalio/common/lib/time.js'
import type { Context } from '../context.ts'
import { errorName } from '../error-labels.ts'
import { sleep } from '../sleep.ts'
import { within } from './deadline.ts'

/*
 * A release (CALLGATE_RELEASE) is a version of the engine's worker deployment "callgate": the workflows of the API processes. What sends is
 * no part of it. Without a name processes are unversioned, and take whatever comes.
 */

export const deploymentName = 'callgate'
const notFound = 5

type Engine = Pick<Client, 'workflowService' | 'options'>

export interface Releases {
  /** Goes on with all runs that no ramp takes; null: unversioned processes do. */
  readonly current: string | null
  readonly ramping: { readonly release: string; readonly percent: number } | null
  /** Newest first; `since`: when it was current last, if it ever was. */
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
    if (codeOf(error) === notFound) return { current: null, ramping: null, all: [] }
    throw error
  }
}

/** From now on the open runs go on with this release; null: with unversioned processes. Ends a ramp. Throws when no process of it runs. */
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

/** So many of a hundred runs go on with this release, always the same ones; null: none does. */
export async function ramp(engine: Engine, release: string | null, percentage: number): Promise<void> {
  await engine.workflowService.setWorkerDeploymentRampingVersion({
    namespace: engine.options.namespace,
    deploymentName,
    buildId: release ?? '',
    percentage,
    identity: 'callgate',
  })
}

/** Ends a ramp; without one, makes current what was so before. Returns what is current then. */
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

/**
 * The first release that there is becomes the current one by itself. Otherwise says in the log when this process is not what goes on with
 * open runs, as is right during a deploy and at no other time.
 */
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
      // The engine knows of a release a moment after its first process asked for work.
      if (Date.now() > soon)
        return ctx.log.error({ release: own, reason: errorName(error) }, 'the release could not be made current')
      await sleep(500, stop)
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
