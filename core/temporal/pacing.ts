import { isDeepStrictEqual } from 'node:util'
import proto from '@temporalio/proto'
import type { Context } from '../context.ts'
import { isConnectionError } from '../database/failures.ts'
import type { Db } from '../database/pool.ts'
import { errorName } from '../error-labels.ts'
import { within } from './deadline.ts'
import { grpcCode } from './grpc.ts'
import { appQueue } from './task-queues.ts'

const { TaskQueueType } = proto.temporal.api.enums.v1

interface Controls {
  readonly paused: boolean
  readonly app_rate: number | null
  readonly account_rate: number | null
}

/** Sets the queue's rate limits: sends per second, per app and account. A paused app has rate 0. */
export async function applyPacing(ctx: Context, slug: string): Promise<void> {
  const app = ctx.apps.get(slug)
  if (app === undefined) throw new Error(`no app ${slug}`)
  let sent: Controls
  let saved = await controlsOf(ctx.db, slug)
  do {
    sent = saved
    await within(ctx, 5_000, () => tellEngine(ctx, slug, sent, app.pacing))
    await noteTaken(ctx.db, slug, sent)
    // Of two concurrent changes, the earlier may reach Temporal last: then send again.
    saved = await controlsOf(ctx.db, slug)
  } while (!isDeepStrictEqual(saved, sent))
}

async function controlsOf(db: Db, slug: string): Promise<Controls> {
  const { rows } = await db.query<Controls>('SELECT paused, app_rate, account_rate FROM app_controls WHERE app = $1', [
    slug,
  ])
  return { ...(rows[0] ?? { paused: false, app_rate: null, account_rate: null }) }
}

/** A concurrent change stays due. */
async function noteTaken(db: Db, slug: string, { paused, app_rate, account_rate }: Controls): Promise<void> {
  await db.query(
    `UPDATE app_controls SET pacing_due = false, pacing_due_since = NULL WHERE app = $1 AND pacing_due AND paused = $2
       AND app_rate IS NOT DISTINCT FROM $3::real AND account_rate IS NOT DISTINCT FROM $4::real`,
    [slug, paused, app_rate, account_rate],
  )
}

async function tellEngine(
  ctx: Context,
  slug: string,
  controls: Controls,
  usual: { readonly perApp: number; readonly perAccount: number },
): Promise<void> {
  const reason = controls.paused ? 'paused by an operator' : 'pacing of the connector or of an operator'
  await ctx.temporal.workflowService.updateTaskQueueConfig({
    namespace: ctx.config.temporalNamespace,
    identity: 'callgate',
    taskQueue: appQueue(slug),
    taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
    updateQueueRateLimit: {
      rateLimit: { requestsPerSecond: controls.paused ? 0 : (controls.app_rate ?? usual.perApp) },
      reason,
    },
    // 0 would mean unlimited: an account's rate is never 0.
    updateFairnessKeyRateLimitDefault: {
      rateLimit: { requestsPerSecond: controls.account_rate ?? usual.perAccount },
      reason,
    },
  })
}

/** Call after saving a change as due. False: Temporal did not accept it; the sweeper retries. */
export async function applyPacingOrLater(ctx: Context, slug: string): Promise<boolean> {
  return ctx.engine.up && tryPacing(ctx, slug)
}

/**
 * Sends rates to Temporal: of all apps, or once that is done (`paced`) only the due ones. In
 * parallel and independently: an app that Temporal refuses is retried later.
 */
export async function reconcilePacing(ctx: Context, paced: boolean): Promise<void> {
  const due = paced ? new Set(await pacingDue(ctx.db)) : undefined
  await Promise.all(
    ctx.apps.all.map(async ({ slug }) => {
      if (due?.has(slug) === false || (await tryPacing(ctx, slug))) return
      if (!paced) await noteDue(ctx.db, slug)
    }),
  )
}

/**
 * False: Temporal did not accept the app's rates. After a change that reached its store but not its
 * memory it refuses further ones (code 3) until it rereads the store
 * (`matching.getUserDataRefresh`); nothing makes it do so earlier.
 */
async function tryPacing(ctx: Context, slug: string): Promise<boolean> {
  try {
    await applyPacing(ctx, slug)
    return true
  } catch (error) {
    if (isConnectionError(error)) throw error
    ctx.log.warn(
      { app: slug, reason: errorName(error), code: grpcCode(error) },
      'the engine did not take the rates of an app; they are sent again',
    )
    return false
  }
}

/** Apps with rates that Temporal has not accepted yet. */
async function pacingDue(db: Db): Promise<readonly string[]> {
  const { rows } = await db.query<{ app: string }>('SELECT app FROM app_controls WHERE pacing_due')
  return rows.map(({ app }) => app)
}

async function noteDue(db: Db, slug: string): Promise<void> {
  await db.query(
    `INSERT INTO app_controls (app, pacing_due, pacing_due_since) VALUES ($1, true, clock_timestamp())
     ON CONFLICT (app) DO UPDATE SET pacing_due = true,
       pacing_due_since = coalesce(app_controls.pacing_due_since, excluded.pacing_due_since)`,
    [slug],
  )
}
