import { ApplicationFailure, Context as Activity } from '@temporalio/activity'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { problemOfCall } from '../keys/access.ts'
import { tryAgainIn } from '../temporal/failures.ts'
import type { SendRow } from './sending-rows.ts'

/** Stands in the run's history, and as the last failure of its pending activity while the call waits. */
const reason = 'held_by_operator'
/** Between two looks at the pause, in ms: it grows to the second. */
const look = { first: 2_000, last: 10_000 }

/**
 * Throws when an operator has paused the app or the endpoint: before any right to send is taken, so that `recover` finds the call unsent.
 * The engine holds back a paused app by itself, once it has taken the pause; this holds from the moment that it is saved.
 */
export async function holdIfPaused(ctx: Pick<Context, 'db'>, row: SendRow): Promise<void> {
  if (!row.paused_by_operator) return
  await noteHeld(ctx.db, row)
  throw ApplicationFailure.nonRetryable(reason, reason)
}

/** Throws, to be asked again later, while the pause holds the call. */
export async function waitWhileHeld(ctx: Pick<Context, 'db'>, callId: string): Promise<void> {
  if (!(await isHeld(ctx.db, callId))) return
  throw tryAgainIn(Math.min(look.first * Activity.current().info.attempt, look.last), reason)
}

/**
 * A try came to a paused app or endpoint. A read that was under way begins anew later, for reading twice does no harm.
 * An approved call waits for the operator from now on, whatever it waited for before.
 */
async function noteHeld(db: Db, row: Pick<SendRow, 'id' | 'attempt'>): Promise<void> {
  await db.query(
    `UPDATE calls SET send = 'ready', tries = 0, updated_at = clock_timestamp(),
       waiting_for = CASE WHEN NOT confirm THEN waiting_for END, retry_at = CASE WHEN NOT confirm THEN retry_at END
     WHERE id = $1 AND attempt = $2 AND status = 'running' AND (send = 'ready' OR (send = 'sending' AND access = 'read'))`,
    [row.id, row.attempt],
  )
}

/** Whether a call waits for an operator to resume its app or endpoint. One that has lost its right to be sent does not: it is to end. */
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
