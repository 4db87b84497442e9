import type { Context } from './context.ts'
import { applyPacing } from './pacing.ts'

async function audit(ctx: Pick<Context, 'db'>, actor: string, action: string, detail: object): Promise<void> {
  await ctx.db.query('INSERT INTO audit_log (actor, action, detail) VALUES ($1, $2, $3)', [actor, action, detail])
}

/** The owner's confirm switch and time to decide (2 s to 30 days) of an endpoint; null = the default. */
export async function setConfirm(
  ctx: Pick<Context, 'db'>,
  owner: string,
  app: string,
  endpoint: string,
  settings: { readonly confirm?: boolean | null; readonly expirySeconds?: number | null },
): Promise<void> {
  await ctx.db.query(
    `INSERT INTO endpoint_settings (owner, app, endpoint, confirm, expiry_seconds) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (owner, app, endpoint) DO UPDATE SET confirm = excluded.confirm, expiry_seconds = excluded.expiry_seconds`,
    [owner, app, endpoint, settings.confirm ?? null, settings.expirySeconds ?? null],
  )
  await audit(ctx, owner, 'endpoint.settings', { app, endpoint, ...settings })
}

/** What an owner allows in an app: everything, reads only, or the chosen endpoints. */
export async function setScope(
  ctx: Pick<Context, 'db'>,
  owner: string,
  app: string,
  mode: 'all' | 'read' | 'chosen',
  endpoints: readonly string[] = [],
): Promise<void> {
  await ctx.db.query(
    `INSERT INTO scopes (owner, app, mode, endpoints) VALUES ($1, $2, $3, $4)
     ON CONFLICT (owner, app) DO UPDATE SET mode = excluded.mode, endpoints = excluded.endpoints`,
    [owner, app, mode, endpoints],
  )
  await audit(ctx, owner, 'scope', { app, mode, endpoints })
}

/** An operator's pause of an app: calls are accepted and wait. */
export async function setAppPaused(ctx: Context, app: string, paused: boolean, actor: string): Promise<void> {
  await ctx.db.query(
    'INSERT INTO app_controls (app, paused) VALUES ($1, $2) ON CONFLICT (app) DO UPDATE SET paused = excluded.paused',
    [app, paused],
  )
  await audit(ctx, actor, 'app.paused', { app, paused })
  await applyPacing(ctx, app)
}

/** Lifts the pause that a block put on an endpoint of an account; what waits for it goes on within a second. */
export async function liftPause(
  ctx: Pick<Context, 'db'>,
  account: string,
  endpoint: string,
  actor: string,
): Promise<void> {
  await ctx.db.query('DELETE FROM pauses WHERE account = $1 AND endpoint = $2', [account, endpoint])
  await audit(ctx, actor, 'pause.lifted', { account, endpoint })
}
