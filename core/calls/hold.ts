import { ApplicationFailure, Context as Activity } from '@temporalio/activity'
import type { Context } from '../context.ts'
import { isHeld, noteHeld } from './holding-rows.ts'
import type { SendRow } from './sending-rows.ts'

/** Stands in the run's history, and as the last failure of its pending activity while the call waits. */
const reason = 'held_by_operator'
/** Between two looks at the pause, in seconds: it grows to the second. */
const look = { first: 2, last: 10 }

/**
 * Throws when an operator has paused the app or the endpoint: before any right to send is taken, so that `recover` finds the call unsent.
 * The engine holds back a paused app by itself, once it has taken the pause; this holds from the moment that it is saved.
 */
export async function holdIfPaused(ctx: Pick<Context, 'db'>, row: SendRow): Promise<void> {
  if (!row.paused_by_operator) return
  await noteHeld(ctx.db, row)
  throw ApplicationFailure.nonRetryable(reason, reason)
}

/** Throws, to be asked again later, while the pause holds the call. Such retries leave nothing in the history, however long it takes. */
export async function waitWhileHeld(ctx: Pick<Context, 'db'>, callId: string): Promise<void> {
  if (!(await isHeld(ctx.db, callId))) return
  const seconds = Math.min(look.first * Activity.current().info.attempt, look.last)
  throw ApplicationFailure.create({ message: reason, type: reason, nextRetryDelay: `${seconds}s` })
}
