import { ApplicationFailure, Context as Activity } from '@temporalio/activity'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { problemOfCall } from '../keys/access.ts'
import { tryAgainIn } from '../temporal/failures.ts'
import type { SendRow } from './sending-rows.ts'

/** Appears in the run's history, and as the last failure of its pending activity meanwhile. */
const reason = 'held_by_operator'
/** Delay between two checks of the pause, in ms: grows from `first` to `last`. */
const look = { first: 2_000, last: 10_000 }

/**
 * Throws if an operator has paused the app or endpoint: before the send lease is taken, so that
 * `recover` finds the call unsent. Temporal holds a paused app's queue too, but this applies as
 * soon as the pause is saved.
 */
export async function holdIfPaused(ctx: Pick<Context, 'db'>, row: SendRow): Promise<void> {
  if (!row.paused_by_operator) return
  await noteHeld(ctx.db, row)
  throw ApplicationFailure.nonRetryable(reason, reason)
}

/** Throws a retryable failure while the pause holds the call. */
export async function waitWhileHeld(ctx: Pick<Context, 'db'>, callId: string): Promise<void> {
  if (!(await isHeld(ctx.db, callId))) return
  throw tryAgainIn(Math.min(look.first * Activity.current().info.attempt, look.last), reason)
}

/**
 * An attempt found the app or endpoint paused. A read in progress restarts later, as reading twice
 * is harmless. An approved call now waits for the operator, whatever it waited for before.
 */
async function noteHeld(db: Db, row: Pick<SendRow, 'id' | 'attempt'>): Promise<void> {
  await db.query(
    `UPDATE calls SET send = 'ready', tries = 0, updated_at = clock_timestamp(),
       waiting_for = CASE WHEN NOT confirm THEN waiting_for END, retry_at = CASE WHEN NOT confirm THEN retry_at END
     WHERE id = $1 AND attempt = $2 AND status = 'running' AND (send = 'ready' OR (send = 'sending' AND access = 'read'))`,
    [row.id, row.attempt],
  )
}

/** Whether an operator's pause holds the call. One that may no longer be sent must end instead. */
async function isHeld(db: Db, callId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM calls c JOIN accounts a ON a.id = c.account
     LEFT JOIN app_controls o ON o.app = c.app
     LEFT JOIN endpoint_controls e ON e.app = c.app AND e.endpoint = c.endpoint
     WHERE c.id = $1 AND (o.paused OR e.paused) AND c.status = 'running' AND c.send = 'ready' AND a.state <> 'disconnected'
       AND ${problemOfCall} IS NULL`,
    [callId],
  )
  return rowCount === 1
}
