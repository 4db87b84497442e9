import { auditOfCall, findCallsOfAll } from '../../core/operators/rows.ts'
import { callLedger } from '../../core/credits/statement.ts'
import { engineIsUp } from '../../core/temporal/health.ts'
import { viewCall } from '../../core/temporal/call-runs.ts'
import { callOfAll, cancelForOwner, resolveForOwner } from '../../core/operators/operate.ts'
import { queueStates } from '../../core/temporal/queue-states.ts'
import { isFinal } from '../../schemas/call.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import { refund } from '../../core/operators/refund.ts'
import { OperatorCallPage } from './call-page.tsx'
import { OperatorCallsPage } from './calls-page.tsx'
import type { Posted, Visit } from './visit.ts'
import { whyItWaits } from './why.ts'

const page = 50

export async function showCalls({ ctx, koa, operator }: Visit): Promise<void> {
  const query = koa.URL.searchParams
  const text = (name: string): string | undefined => query.get(name)?.trim() || undefined
  const filter = {
    call_id: text('call_id'),
    owner: text('owner'),
    app: text('app'),
    status: text('status'),
    waiting_for: text('waiting_for'),
    look: text('look'),
  }
  const { look, ...wanted } = filter
  const rows = await findCallsOfAll(ctx.db, {
    ...wanted,
    stuck: look === 'stuck',
    unresolved: look === 'unresolved',
    before: text('before'),
    limit: page + 1,
  })
  replyPage(
    koa,
    200,
    OperatorCallsPage({
      ...{ operator, filter, rows: rows.slice(0, page), apps: ctx.apps.all },
      next: rows.length > page ? rows[page - 1]?.call_id : undefined,
      temporalUiUrl: ctx.config.temporalUiUrl,
    }),
  )
}

export async function showCall(visit: Visit<'call'>): Promise<void> {
  await replyCall(visit, 200)
}

/** Resolves a call that ended `unknown`, cancels an unsent one, or refunds one. */
export async function changeCall(posted: Posted<'call'>): Promise<void> {
  const { api, ctx, koa, operator, form } = posted
  const { call_id: id } = await knownCall(posted)
  const done = (said: string): void => seeOther(koa, `/calls/${id}?said=${said}`)
  const action = form.get('action')
  if (action === 'happened' || action === 'did-not-happen')
    return done((await resolveForOwner(ctx, id, action === 'happened', operator.actor)) ? 'recorded' : 'too-late')
  if (action !== 'refund' && action !== 'cancel')
    throw new PageError(422, 'Nothing was done', 'The form did not say what to do.')
  const reason = (form.get('reason') ?? '').trim()
  if (reason.length < 3 || reason.length > 500) return replyCall(posted, 422, reason)
  if (action === 'cancel') return done((await cancelled(posted, id, reason)) ? 'cancelled' : 'not-cancellable')
  done((await refund(api, id, reason, operator.actor)) > 0 ? 'refunded' : 'nothing-to-refund')
}

/** False: sending has begun, or the call is settled. */
async function cancelled({ ctx, operator }: Visit, id: string, reason: string): Promise<boolean> {
  try {
    await cancelForOwner(ctx, id, reason, operator.actor)
    return true
  } catch (error) {
    if (error instanceof CallgateError && error.code === 'not_cancellable') return false
    throw error
  }
}

/** `reason`: of a refund or cancellation, as typed, if it was rejected. */
async function replyCall(visit: Visit<'call'>, status: number, reason?: string): Promise<void> {
  const { ctx, koa, operator } = visit
  const call = await knownCall(visit)
  const open = !isFinal(call.status)
  const [done, credits, queues, view] = await Promise.all([
    auditOfCall(ctx.db, call),
    callLedger(ctx.db, call.owner, call.call_id),
    open ? queueStates(ctx, [call.app]) : new Map<string, never>(),
    open && engineIsUp(ctx) ? viewCall(ctx, call.call_id) : undefined,
  ])
  const { temporalUiUrl, temporalNamespace } = ctx.config
  replyPage(
    koa,
    status,
    OperatorCallPage({
      ...{ operator, call, done, credits, temporalUiUrl },
      why: whyItWaits(call, {
        engineUp: engineIsUp(ctx),
        broken: ctx.apps.broken.has(call.app),
        known: view !== 'missing',
        queue: queues.get(call.app),
      }),
      runUrl: `${temporalUiUrl}/namespaces/${encodeURIComponent(temporalNamespace)}/workflows/${call.call_id}`,
      reason,
      said: koa.URL.searchParams.get('said'),
    }),
  )
}

async function knownCall({ ctx, params }: Visit<'call'>) {
  try {
    return await callOfAll(ctx, params.call)
  } catch (error) {
    if (!(error instanceof CallgateError) || error.code !== 'unknown_call') throw error
    throw new PageError(404, 'No such call', 'There is no call with this id.')
  }
}
