import { lastRound, openSeen } from '../../core/approvals/seen.ts'
import type { EndedRound } from '../../core/approvals/seen.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Context } from '../../core/context.ts'
import { changedLines, formOf } from '../parts/form-view.ts'
import type { ChangedLine } from '../parts/form-view.ts'
import type { Telling } from '../parts/told.ts'
import type { AskedAgainView } from './asked-again.tsx'
import { changesSince } from './since.ts'
import { logUnopened } from '../../core/security-log.ts'

/** What a call that its person approved before has to say first; undefined for others. */
export async function askedAgain(
  ctx: Pick<Context, 'db' | 'secrets' | 'log' | 'security'>,
  row: CallRow,
  telling: Telling,
): Promise<AskedAgainView | undefined> {
  const last = await lastRound(ctx, row)
  if (last === undefined) return undefined
  return { round: row.round, approvedAt: last.approvedAt, ...changesIn(ctx, row, last, telling) }
}

function changesIn(
  ctx: Pick<Context, 'secrets' | 'log' | 'security'>,
  row: CallRow,
  { preview, request }: EndedRound,
  telling: Telling,
): Pick<AskedAgainView, 'changes' | 'form'> {
  try {
    const before = openSeen(ctx, { ...row, preview })
    const form: readonly ChangedLine[] =
      row.request === null ? [] : changedLines(formOf(ctx, { ...row, request }), formOf(ctx, row))
    return { changes: before ? changesSince(telling, before, openSeen(ctx, row)) : [], form }
  } catch (error) {
    // What is asked now can be read without it.
    logUnopened(ctx, { call: row.id }, error, 'what a call was approved with before cannot be opened')
    return { changes: [], form: [] }
  }
}
