import { CallgateError } from '../../schemas/errors.ts'
import { findCall } from '../calls/rows.ts'
import type { CallRow } from '../calls/rows.ts'
import type { Context } from '../context.ts'
import { hashMatches } from './approval.ts'

/** A waiting call, identified by the hash on its page. */
export interface ShownCall {
  readonly owner: string
  readonly callId: string
  readonly hash: string
}

/**
 * Acts on a waiting call as its page showed it; `shown` is the row as it was then. 'stale': the
 * page showed something else, or the call no longer waits. Retries `act` once if it lost a race:
 * usually only the preview has arrived. Throws unknown_call.
 */
export async function onShown<T>(
  ctx: Context,
  { owner, callId, hash }: ShownCall,
  act: (row: CallRow, shown: CallRow) => Promise<T | 'lost'>,
): Promise<T | 'stale'> {
  for (let tries = 0; tries < 2; tries++) {
    const row = await findCall(ctx.db, owner, callId)
    if (row === undefined) throw new CallgateError('unknown_call')
    const shown = row.status === 'awaiting_confirmation' ? asShown(ctx, row, hash) : undefined
    if (shown === undefined) return 'stale'
    const done = await act(row, shown)
    if (done !== 'lost') return done
  }
  return 'stale'
}

/** The row as it is, or without preview, or without request too: whichever matches the hash. */
function asShown(ctx: Pick<Context, 'secrets'>, row: CallRow, hash: string): CallRow | undefined {
  const earlier = [
    { ...row, preview: null },
    { ...row, preview: null, request: null },
  ]
  return [row, ...earlier].find((one) => hashMatches(ctx, one, hash))
}
