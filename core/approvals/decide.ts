import { CallgateError } from '../../schemas/errors.ts'
import { approvalHash as hashOf, approvalProof } from './approval.ts'
import type { Context } from '../context.ts'
import { callIdFrom } from '../../schemas/ids.ts'
import { decide, findCall, takeBack } from '../calls/rows.ts'
import type { CallRow } from '../calls/rows.ts'
import { nudgeCall } from '../temporal/call-runs.ts'
import { failPoint } from '../fail-point.ts'
import { openInput } from '../calls/record.ts'
import { verifyForDecision } from '../users/passkey-decisions.ts'
import type { SignedDecision } from '../users/passkey-decisions.ts'
import { passkeyNeeded, readDemands } from './passkey-demands.ts'
import type { DemandsRow } from './passkey-demands.ts'
import { passkeyProof } from './passkey-proofs.ts'
import { renderAgain } from './prepare-rows.ts'
import { isOutdated } from './render.ts'
import { onShown } from './shown.ts'
import type { ShownCall } from './shown.ts'
import { placeOf, sealPayload } from '../calls/payload.ts'

export { hashOf as approvalHash }

const hourMs = 3_600_000

/** Whether approving the call requires a passkey. False if its endpoint is gone: it cannot run. */
export function approvalNeedsPasskey(ctx: Context, row: CallRow, demands: DemandsRow): boolean {
  const endpoint = ctx.apps.get(row.app)?.endpoints.get(row.endpoint)
  if (endpoint === undefined || row.input === null) return false
  return passkeyNeeded(ctx, row, demands, endpoint, () => openInput(ctx, row)) !== undefined
}

/**
 * Records the user's decision on a waiting call, once. 'stale': another hash, decided, expired, or
 * approving what is not rendered yet. 'passkey': approval needs one that signed this decision.
 */
export async function decideCall(
  ctx: Context,
  wanted: ShownCall & {
    readonly decision: 'approved' | 'rejected'
    /** The user's reason, if given. */
    readonly reason?: string | undefined
    /** The decision as signed by one of the user's passkeys. */
    readonly signed?: SignedDecision | undefined
  },
): Promise<'decided' | 'stale' | 'passkey'> {
  const { callId, owner, decision, reason, hash } = wanted
  const approves = decision === 'approved'
  let passkey: string | undefined
  const result = await onShown(ctx, wanted, async (row, shown) => {
    if (approves && shown.request === null) return 'stale'
    if (approves && isOutdated(ctx, row)) {
      await renderAgain(ctx.db, row)
      await nudgeCall(ctx, callId)
      return 'stale'
    }
    if (approves && passkey === undefined && approvalNeedsPasskey(ctx, row, await readDemands(ctx.db, owner))) {
      // A challenge works only once: keep its result for the retry after a lost race.
      passkey =
        wanted.signed &&
        (await verifyForDecision(ctx, wanted.signed, { owner, callId, round: shown.round, hash, decision }))
      if (passkey === undefined) return 'passkey'
    }
    failPoint('decide.before-commit')
    const won = await decide(ctx.db, callId, decision, owner, {
      proof: approves ? approvalProof(ctx, shown, owner) : null,
      passkeyProof: passkey === undefined ? null : passkeyProof(ctx, shown, passkey),
      revision: row.revision,
      reason: reason === undefined ? null : sealPayload(ctx.secrets, placeOf(row), 'decision_reason', reason),
      unseen: shown !== row,
    })
    return won ? 'decided' : 'lost'
  })
  if (result !== 'decided') return result
  failPoint('decide.after-commit')
  await nudgeCall(ctx, callId, decision)
  failPoint('decide.before-answer')
  return 'decided'
}

/** Cancels an unsent call for its user or a key (`by`). Throws unknown_call or not_cancellable. */
export async function cancelCall(ctx: Context, owner: string, callId: string, by = owner): Promise<void> {
  const row = await findCall(ctx.db, owner, callId)
  if (row === undefined) throw new CallgateError('unknown_call')
  if (!(await takeBack(ctx.db, callId, by))) throw new CallgateError('not_cancellable')
  failPoint('decide.after-commit')
  await nudgeCall(ctx, callId, 'cancelled')
  failPoint('decide.before-answer')
}

/** Other calls with the same content: all that wait now, and those of the last 24 hours. */
export async function equalCallsLately(
  ctx: Pick<Context, 'db'>,
  row: CallRow,
): Promise<{ readonly waiting: number; readonly recent: readonly Pick<CallRow, 'id' | 'status' | 'created_at'>[] }> {
  const { rows } = await ctx.db.query<Pick<CallRow, 'id' | 'status' | 'created_at'>>(
    `SELECT id, status, created_at FROM (
       SELECT id, status, created_at FROM calls
       WHERE owner = $1 AND content_hash = $2 AND id <> $3 AND status = 'awaiting_confirmation'
       UNION SELECT id, status, created_at FROM calls
       WHERE owner = $1 AND content_hash = $2 AND id <> $3 AND id > $4 AND created_at > now() - interval '24 hours') equal
     ORDER BY status <> 'awaiting_confirmation', id DESC LIMIT 20`,
    // One hour more: ids use the clock of the process that accepted the call.
    [row.owner, row.content_hash, row.id, callIdFrom(Date.now() - 25 * hourMs)],
  )
  return { waiting: rows.filter((call) => call.status === 'awaiting_confirmation').length, recent: rows }
}
