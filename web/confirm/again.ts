import { openPayload, placeOf } from '../../core/calls/payload.ts'
import { lastRound, openSeen } from '../../core/approvals/seen.ts'
import type { EndedRound } from '../../core/approvals/seen.ts'
import type { Rendered } from '../../connectors/runtime/rendered.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Context } from '../../core/context.ts'
import { changedLines, formOf } from '../parts/form-view.ts'
import type { ChangedLine } from '../parts/form-view.ts'
import type { Telling } from '../parts/told.ts'
import type { AskedAgainView } from './asked-again.tsx'
import { changesSince } from './since.ts'
import { logUnopened } from '../../core/security-log.ts'

/** What changed since the user's earlier approval of this call; undefined: there was none. */
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
): Pick<AskedAgainView, 'changes' | 'form' | 'isUpdated'> {
  try {
    const before = openSeen(ctx, { ...row, preview })
    const form: readonly ChangedLine[] =
      row.request === null ? [] : changedLines(formOf(ctx, { ...row, request }), formOf(ctx, row))
    const versionOf = (sealed: Buffer | null): string | undefined =>
      sealed === null ? undefined : (openPayload(ctx.secrets, placeOf(row), 'request', sealed) as Rendered).by?.version
    const isUpdated = row.request !== null && versionOf(request) !== versionOf(row.request)
    return { isUpdated, changes: before ? changesSince(telling, before, openSeen(ctx, row)) : [], form }
  } catch (error) {
    // The current request is readable without it.
    logUnopened(ctx, { call: row.id }, error, 'what a call was approved with before cannot be opened')
    return { isUpdated: false, changes: [], form: [] }
  }
}
