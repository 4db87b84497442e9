import { lookUpsOf } from '../../core/approvals/look-ups.ts'
import { openSeen } from '../../core/approvals/seen.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Context } from '../../core/context.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { Told } from '../../core/approvals/look-ups.ts'
import { thingsIn } from './told.ts'
import type { Telling, ToldThing } from './told.ts'

/** The preview as shown on a page. */
export interface ToldView {
  readonly things: readonly ToldThing[]
  /** The same, read by read. */
  readonly seen: readonly Told[]
  /** Number of entities that were not previewed. */
  readonly omitted: number
  /** The preview is still being fetched. */
  readonly isLookingUp: boolean
}

/** `row` must be decryptable. */
export function toldOf(
  ctx: Pick<Context, 'secrets'>,
  row: CallRow,
  telling: Telling,
  input: Fields | undefined,
): ToldView {
  const seen = openSeen(ctx, row)
  const { status, prepare_at: due } = row
  const isDue = status === 'awaiting_confirmation' && due !== null && seen === undefined
  const { endpoint } = telling
  return {
    things: seen ? thingsIn(telling, seen) : [],
    seen: seen?.things ?? [],
    omitted: seen?.omitted ?? 0,
    isLookingUp:
      isDue && endpoint !== undefined && input !== undefined && lookUpsOf(endpoint, input).lookUps.length > 0,
  }
}

/** Where the user reconnects the account of a call; leads back to the call. */
export function connectPath({ app, account, id }: Pick<CallRow, 'app' | 'account' | 'id'>): string {
  return `/connect/${encodeURIComponent(app)}?${new URLSearchParams({ account, call: id }).toString()}`
}
