import { randomBytes } from 'node:crypto'
import { Recorder, inputForRecording } from '../../connectors/recordings/recorder.ts'
import type { App, Endpoint } from '../../connectors/runtime/app.ts'
import type { Outcome } from '../../connectors/runtime/outcome.ts'
import { recordingText } from '../../connectors/runtime/threads/exchange-threads.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { AppSession } from '../../schemas/session.ts'
import { audit } from '../audit.ts'
import { openPayload, placeOf, sealPayload } from '../calls/payload.ts'
import type { SendRow } from '../calls/sending-rows.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { errorName } from '../error-labels.ts'

/** Time to approve the call and to fetch its recording. */
const lasts = '1 hour'
/** Most open tries at once. */
const mostOpen = 20

/** A try, as its author reads it. */
export interface Try {
  readonly id: string
  /** Null: its call has not contacted the app yet. */
  readonly call_id: string | null
  /** The exchange with the app, as a recording of kind `tried`. */
  readonly recording?: string
  /** Why there is no recording. */
  readonly problem?: string
}

type Kept = Pick<Try, 'recording' | 'problem'>

/** The `Idempotency-Key` that links a call to its try. */
export const tryKey = (id: string): string => `try-${id}`

/**
 * Registers a try for the one call of this endpoint that has its `Idempotency-Key`. Throws
 * invalid_input if the app was not added, has no such endpoint, or too many tries are open.
 */
export async function beginTry(
  ctx: Pick<Context, 'db' | 'apps'>,
  wanted: { readonly app: string; readonly endpoint: string },
  actor: string,
): Promise<{ readonly id: string; readonly idempotency_key: string }> {
  const app = ctx.apps.get(wanted.app)
  if (app?.added === undefined) throw refused(`${wanted.app} was not added, or does not run.`)
  if (!app.endpoints.has(wanted.endpoint)) throw refused(`${wanted.app} has no endpoint ${wanted.endpoint}.`)
  const id = randomBytes(18).toString('hex')
  await transaction(ctx.db, async (db) => {
    await db.query('LOCK TABLE tries IN SHARE ROW EXCLUSIVE MODE')
    await forgetTries(db)
    const { rows } = await db.query<{ open: number }>('SELECT count(*)::int AS open FROM tries')
    if ((rows[0]?.open ?? 0) >= mostOpen) throw refused(`There are ${mostOpen} tries already: each ends after an hour.`)
    await db.query(
      `INSERT INTO tries (id, app, endpoint, begun_by, expires_at)
       VALUES ($1, $2, $3, $4, clock_timestamp() + $5::interval)`,
      [id, wanted.app, wanted.endpoint, actor, lasts],
    )
    await audit(db, actor, 'connector.tried', wanted)
  })
  return { id, idempotency_key: tryKey(id) }
}

function refused(message: string): CallgateError {
  return new CallgateError('invalid_input', { message })
}

/** Throws not_found if there is none or it has expired. */
export async function readTry(ctx: Pick<Context, 'db' | 'secrets'>, app: string, id: string): Promise<Try> {
  const { rows } = await ctx.db.query<{
    call_id: string | null
    recording: Buffer | null
    owner: string
    account: string
    data_key: Buffer
  }>(
    `SELECT t.call_id, t.recording, c.owner, c.account, a.data_key
     FROM tries t LEFT JOIN calls c ON c.id = t.call_id LEFT JOIN accounts a ON a.id = c.account
     WHERE t.id = $1 AND t.app = $2 AND t.expires_at > clock_timestamp()`,
    [id, app],
  )
  const [row] = rows
  if (row === undefined) throw new CallgateError('not_found')
  if (row.call_id === null || row.recording === null) return { id, call_id: row.call_id }
  const kept = openPayload(ctx.secrets, placeOf({ ...row, id: row.call_id }), 'try', row.recording) as Kept
  return { id, call_id: row.call_id, ...kept }
}

export async function forgetTries(db: Db): Promise<void> {
  await db.query('DELETE FROM tries WHERE expires_at < clock_timestamp()')
}

/** Recorder of a call that is a try. */
export interface Trying {
  readonly id: string
  readonly recorder: Recorder
}

/** Undefined: the call is not a try; calls of built-in apps never are. */
export async function tryOf(db: Db, app: Pick<App, 'added'>, row: SendRow): Promise<Trying | undefined> {
  if (app.added === undefined) return undefined
  const { rows } = await db.query<{ id: string }>(
    `SELECT t.id FROM idempotency_keys k JOIN tries t ON k.key = 'try-' || t.id
     WHERE k.call_id = $1 AND t.app = $2 AND t.endpoint = $3 AND t.expires_at > clock_timestamp()
       AND coalesce(t.call_id = $1, true)`,
    [row.id, row.app, row.endpoint],
  )
  return rows[0] && { id: rows[0].id, recorder: new Recorder() }
}

/** Saves the recording for the author. Errors here never affect the call. */
export async function keepTry(
  ctx: Pick<Context, 'db' | 'secrets' | 'log'>,
  row: SendRow,
  { id, recorder }: Trying,
  run: {
    readonly app: App
    readonly endpoint: Endpoint
    readonly origin: string
    readonly session: AppSession
    /** As stored in the call's row. */
    readonly input: Readonly<Record<string, unknown>>
    /** Key that seals its cursors. */
    readonly cursorKey: Buffer
    /** When the request was rendered. */
    readonly now: Date
    readonly outcome: Outcome
  },
): Promise<void> {
  try {
    const sealed = sealPayload(ctx.secrets, placeOf(row), 'try', await keptOf(recorder, run))
    await ctx.db.query('UPDATE tries SET call_id = $2, recording = $3 WHERE id = $1', [id, row.id, sealed])
  } catch (error) {
    ctx.log.warn({ call: row.id, reason: errorName(error) }, 'what a try said with its app could not be kept')
  }
}

async function keptOf(recorder: Recorder, run: Parameters<typeof keepTry>[3]): Promise<Kept> {
  const { app, endpoint, origin, session, now, outcome } = run
  const { steps, unanswered } = recorder
  if (unanswered !== undefined) return { problem: unanswered.split('?', 1)[0] ?? '' }
  const input = inputForRecording(endpoint, run.input, run.cursorKey)
  const recording = { kind: 'tried', origin, now, session, input, steps, expected: outcome }
  try {
    return await recordingText(app, endpoint.name, recording)
  } catch (error) {
    return { problem: `it cannot be kept: ${errorName(error)}` }
  }
}
