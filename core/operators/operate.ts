import { CallgateError } from '../../schemas/errors.ts'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { takeBack } from '../calls/rows.ts'
import { findCallsOfAll } from './rows.ts'
import type { OperatorCall } from './rows.ts'
import { transaction } from '../database/pool.ts'
import { nudgeCall } from '../temporal/call-runs.ts'
import { applyPacingOrLater } from '../temporal/pacing.ts'
import { resolveUnknown } from '../calls/resolve.ts'

/** Sets sends per second; null: the connector's. Always saved; false: Temporal gets them later. */
export async function setRates(
  ctx: Context,
  app: string,
  rates: { readonly appRate: number | null; readonly accountRate: number | null },
  actor: string,
): Promise<boolean> {
  await transaction(ctx.db, async (db) => {
    await db.query(
      `INSERT INTO app_controls (app, app_rate, account_rate, pacing_due, pacing_due_since)
       VALUES ($1, $2, $3, true, clock_timestamp())
       ON CONFLICT (app) DO UPDATE SET app_rate = excluded.app_rate, account_rate = excluded.account_rate, pacing_due = true,
         pacing_due_since = coalesce(app_controls.pacing_due_since, excluded.pacing_due_since)`,
      [app, rates.appRate, rates.accountRate],
    )
    await audit(db, actor, 'app.rates', { app, app_rate: rates.appRate, account_rate: rates.accountRate })
  })
  return applyPacingOrLater(ctx, app)
}

/** Cancels an unsent call, with a reason. Throws unknown_call or not_cancellable. */
export async function cancelForOwner(ctx: Context, callId: string, reason: string, actor: string): Promise<void> {
  const { owner } = await callOfAll(ctx, callId)
  await transaction(ctx.db, async (db) => {
    if (!(await takeBack(db, callId, actor))) throw new CallgateError('not_cancellable')
    await audit(db, actor, 'call.cancelled', { owner, call: callId, reason })
  })
  await nudgeCall(ctx, callId, 'cancelled')
}

/** Refunds a call; returns the credits, 0 if nothing is left to refund. Throws unknown_call. */
export async function refundCall(ctx: Context, callId: string, reason: string, actor: string): Promise<number> {
  const { owner } = await callOfAll(ctx, callId)
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ refunded: number }>('SELECT refund_call($1, $2) AS refunded', [callId, reason])
    const refunded = rows[0]?.refunded ?? 0
    if (refunded > 0) await audit(db, actor, 'call.refunded', { owner, call: callId, credits: refunded, reason })
    return refunded
  })
}

/** Records whether a call happened. False: not `unknown`, or resolved. Throws unknown_call. */
export async function resolveForOwner(
  ctx: Context,
  callId: string,
  happened: boolean,
  actor: string,
): Promise<boolean> {
  const { owner } = await callOfAll(ctx, callId)
  return resolveUnknown(ctx, { owner, callId, happened, by: actor })
}

export async function callOfAll(ctx: Pick<Context, 'db'>, callId: string): Promise<OperatorCall> {
  const [call] = await findCallsOfAll(ctx.db, { call_id: callId, limit: 1 })
  if (call === undefined) throw new CallgateError('unknown_call')
  return call
}
