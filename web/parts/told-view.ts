import { lookUpsOf } from '../../core/approvals/look-ups.ts'
import { openSeen } from '../../core/approvals/seen.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Context } from '../../core/context.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import { thingsIn } from './told.ts'
import type { Telling, ToldThing } from './told.ts'

/** What a page shows of what the app told. */
export interface ToldView {
  readonly things: readonly ToldThing[]
  /** So many more were not looked up. */
  readonly omitted: number
  /** Nothing is there yet, and something will be. */
  readonly isLookingUp: boolean
}

/** `row` is one whose columns can be opened. */
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
    omitted: seen?.omitted ?? 0,
    isLookingUp:
      isDue && endpoint !== undefined && input !== undefined && lookUpsOf(endpoint, input).lookUps.length > 0,
  }
}

/** Where the person signs in to the app of a call again, and then comes back to it. */
export function connectPath({ app, account, id }: Pick<CallRow, 'app' | 'account' | 'id'>): string {
  return `/connect/${encodeURIComponent(app)}?${new URLSearchParams({ account, call: id }).toString()}`
}
