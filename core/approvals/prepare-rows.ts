import type { ErrorCode } from '../../schemas/errors.ts'
import type { CallStatus } from '../../schemas/call.ts'
import type { CallRow } from '../calls/rows.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { named } from '../database/named.ts'
import { idle } from '../calls/due.ts'

type Row = Pick<CallRow, 'id' | 'revision' | 'request'>
type Telling = Pick<Context, 'db' | 'endings'>

/** Saves the progress of a preview and the request, if rendered meanwhile. */
export async function saveLookingUp(db: Db, { id, revision, request }: Row, found: Buffer): Promise<void> {
  await db.query(
    `UPDATE calls SET request = $3, look_up = $4, updated_at = clock_timestamp()
     WHERE id = $1 AND revision = $2 AND status = 'awaiting_confirmation'`,
    [id, revision, request, found],
  )
}

/**
 * Preparation is complete: notifies waiting clients. The call's own run did this, so the reconciler
 * need not check on it soon. `changed`: the page now shows something else.
 */
export async function finishPreparing(
  { db, endings }: Telling,
  { id, revision, request }: Row,
  done: {
    readonly preview: Buffer | null
    readonly changed: boolean
    readonly waitingFor: 'reconnect' | null
    /** All values are from just now; otherwise some are older. */
    readonly fresh: boolean
  },
): Promise<void> {
  const { rowCount } = await db.query(
    `UPDATE calls SET revision = revision + ($5 OR request IS DISTINCT FROM $3)::integer, request = $3, preview = $4,
       previewed_at = CASE WHEN $7 OR preview IS NULL THEN clock_timestamp() ELSE previewed_at END,
       looked_at = clock_timestamp(), look_up = NULL, prepare_at = NULL, prepare_tries = 0, waiting_for = $6, updated_at = clock_timestamp(),
       check_at = least(expires_at + interval '5 seconds', clock_timestamp() + make_interval(secs => $8))
     WHERE id = $1 AND revision = $2 AND status = 'awaiting_confirmation'`,
    [id, revision, request, done.preview, done.changed, done.waitingFor, done.fresh, idle],
  )
  if (rowCount === 1) endings.tell(id)
}

/** Postpones preparing: the app cannot help to render the request now. Notifies waiting clients. */
export async function postponePreparing({ db, endings }: Telling, { id, revision }: Row, ms: number): Promise<void> {
  const { rowCount } = await db.query(
    `UPDATE calls SET prepare_at = clock_timestamp() + $3 * interval '1 millisecond', prepare_tries = prepare_tries + 1,
       previewed_at = clock_timestamp(), updated_at = clock_timestamp()
     WHERE id = $1 AND revision = $2 AND status = 'awaiting_confirmation'`,
    [id, revision, ms],
  )
  if (rowCount === 1) endings.tell(id)
}

/** Ends a waiting call as failed. False: decided or changed meanwhile. */
export async function refuse(
  db: Db,
  { id, revision }: Row,
  kept: { readonly error?: Buffer; readonly code: ErrorCode },
): Promise<boolean> {
  const { list, values } = named({ p_call: id, p_revision: revision, p_error: kept.error, p_error_code: kept.code })
  const { rows } = await db.query<{ ended: boolean }>(`SELECT refuse_call(${list}) AS ended`, values)
  return rows[0]?.ended === true
}

/** Prepares a waiting call again if its preview is over a minute old. True: nudge its workflow. */
export async function wantFresh(db: Db, callId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE calls SET prepare_at = clock_timestamp(), look_up = NULL, check_at = least(check_at, clock_timestamp() + interval '5 seconds')
     WHERE id = $1 AND status = 'awaiting_confirmation' AND prepare_at IS NULL AND request IS NOT NULL
       AND preview IS NOT NULL AND previewed_at < clock_timestamp() - interval '1 minute'
       AND coalesce(looked_at, '-infinity') < clock_timestamp() - interval '10 seconds'`,
    [callId],
  )
  return rowCount === 1
}

const restart = `request = NULL, preview = NULL, previewed_at = NULL, look_up = NULL, prepare_at = clock_timestamp(), prepare_tries = 0, waiting_for = NULL,
  revision = revision + 1, check_at = clock_timestamp() + interval '2 seconds', updated_at = clock_timestamp()`

/** Renders and previews a waiting call again, with a new hash. */
export async function renderAgain(db: Db, { id, revision }: Pick<Row, 'id' | 'revision'>): Promise<void> {
  await db.query(
    `UPDATE calls SET ${restart} WHERE id = $1 AND revision = $2 AND status = 'awaiting_confirmation' AND expires_at > clock_timestamp()`,
    [id, revision],
  )
}

/** The same for all waiting calls of an app; returns their ids. */
export async function renderAllAgain(db: Db, app: string): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>(
    `UPDATE calls SET ${restart}
     WHERE app = $1 AND status = 'awaiting_confirmation' AND request IS NOT NULL AND expires_at > clock_timestamp() RETURNING id`,
    [app],
  )
  return rows.map(({ id }) => id)
}

/** Prepares calls again that wait for a sign-in, once the account works. Returns their ids. */
export async function releaseForPreparing(db: Db, most: number): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>(
    `UPDATE calls SET prepare_at = clock_timestamp(), waiting_for = NULL, updated_at = clock_timestamp(),
       check_at = least(check_at, clock_timestamp() + interval '5 seconds') WHERE id IN (
       SELECT c.id FROM calls c JOIN accounts a ON a.id = c.account
       WHERE c.status = 'awaiting_confirmation' AND c.waiting_for = 'reconnect' AND a.state = 'connected' LIMIT $1)
     RETURNING id`,
    [most],
  )
  return rows.map(({ id }) => id)
}

/** Asks again in the next round, as the app's data changed; after the last round the call fails. */
export async function askAgain(
  db: Db,
  row: Pick<CallRow, 'id' | 'attempt' | 'round'>,
  again: {
    readonly mostRounds: number
    readonly request: Buffer | null
    readonly preview: Buffer | null
    /** The request must be rendered again or its entities previewed. */
    readonly prepare: boolean
    readonly expirySeconds: number
    /** How it ends after the last round. */
    readonly end: { readonly error?: Buffer; readonly code: ErrorCode }
  },
): Promise<CallStatus> {
  const { list, values } = named({
    p_call: row.id,
    p_attempt: row.attempt,
    p_round: row.round,
    p_most: again.mostRounds,
    p_request: again.request,
    p_preview: again.preview,
    p_prepare: again.prepare,
    p_expiry_seconds: again.expirySeconds,
    p_error: again.end.error,
    p_error_code: again.end.code,
  })
  const { rows } = await db.query<{ stands: CallStatus }>(`SELECT ask_again(${list}) AS stands`, values)
  const stands = rows[0]?.stands
  if (stands === undefined) throw new Error('a call to be asked again does not exist')
  return stands
}
