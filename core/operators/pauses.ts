import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import { applyPacingOrLater } from '../temporal/pacing.ts'

/**
 * Pauses or resumes an app: calls are still accepted, but wait. Always saved, and from then on
 * nothing is sent; false: Temporal gets the rate later. Calls that Temporal's rate limit holds cost
 * no worker time and continue at once on resume.
 */
export async function setAppPaused(ctx: Context, app: string, paused: boolean, actor: string): Promise<boolean> {
  await transaction(ctx.db, async (db) => {
    await db.query(
      `INSERT INTO app_controls (app, paused, pacing_due, pacing_due_since) VALUES ($1, $2, true, clock_timestamp())
       ON CONFLICT (app) DO UPDATE SET paused = excluded.paused, pacing_due = true,
         pacing_due_since = coalesce(app_controls.pacing_due_since, excluded.pacing_due_since)`,
      [app, paused],
    )
    await audit(db, actor, 'app.paused', { app, paused })
  })
  return applyPacingOrLater(ctx, app)
}

/**
 * Pauses or resumes an endpoint for all accounts; waiting calls continue within 10 s of a resume.
 */
export async function setEndpointPaused(
  ctx: Pick<Context, 'db'>,
  wanted: { readonly app: string; readonly endpoint: string; readonly paused: boolean },
  actor: string,
): Promise<void> {
  const { app, endpoint, paused } = wanted
  await transaction(ctx.db, async (db) => {
    await db.query(
      `INSERT INTO endpoint_controls (app, endpoint, paused) VALUES ($1, $2, $3)
       ON CONFLICT (app, endpoint) DO UPDATE SET paused = excluded.paused`,
      [app, endpoint, paused],
    )
    await audit(db, actor, 'endpoint.paused', { app, endpoint, paused })
  })
}

/** Ends an endpoint's cool-down; waiting calls continue within 1 s. False: there is none. */
export async function liftPause(
  ctx: Pick<Context, 'db'>,
  account: string,
  endpoint: string,
  actor: string,
): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query('DELETE FROM pauses WHERE account = $1 AND endpoint = $2', [account, endpoint])
    if (rowCount === 1) await audit(db, actor, 'pause.lifted', { account, endpoint })
    return rowCount === 1
  })
}
