import { randomBytes } from 'node:crypto'
import { NotAgain, Recorder, inputForRecording, recordingText } from '../../connectors/recordings/recorder.ts'
import type { App, Endpoint } from '../../connectors/runtime/app.ts'
import type { Outcome } from '../../connectors/runtime/outcome.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { AppSession } from '../../schemas/session.ts'
import { audit } from '../audit.ts'
import { openPayload, placeOf, sealPayload } from '../calls/payload.ts'
import type { SendRow } from '../calls/sending-rows.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { errorName } from '../error-labels.ts'

/** How long somebody may take to approve it, and to fetch what was kept. */
const lasts = '1 hour'
/** Of one operator's machine, at once. */
const mostOpen = 20

/** What its author is told. */
export interface Try {
  readonly id: string
  /** Null: its call has not talked to the app yet. */
  readonly call_id: string | null
  /** What was said with the app, in the form of recordings, of the kind `tried`. */
  readonly recording?: string
  /** Why there is none. */
  readonly problem?: string
}

type Kept = Pick<Try, 'recording' | 'problem'>

/** The `Idempotency-Key` by which a call says that it is this one. */
export const tryKey = (id: string): string => `try-${id}`

/** Waits for the one call of this endpoint that has the try's `Idempotency-Key`. Throws where the app was not added, or has no such endpoint. */
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

/** Throws not_found where there is none, or where its hour is over. */
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

/** What is kept of one exchange of a call that is a try. */
export interface Trying {
  readonly id: string
  readonly recorder: Recorder
}

/** Undefined: this call is none, as all calls of built-in apps. */
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

/** Keeps what was said for the author. What goes wrong here is no business of the call. */
export async function keepTry(
  ctx: Pick<Context, 'db' | 'secrets' | 'log'>,
  row: SendRow,
  { id, recorder }: Trying,
  run: {
    readonly app: App
    readonly endpoint: Endpoint
    readonly origin: string
    readonly session: AppSession
    /** As the call's row has it. */
    readonly input: Readonly<Record<string, unknown>>
    /** What its cursors are sealed with. */
    readonly cursorKey: Buffer
    /** When the request was made. */
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
    return { recording: await recordingText(app, endpoint, recording) }
  } catch (error) {
    return { problem: error instanceof NotAgain ? error.message : `it cannot be kept: ${errorName(error)}` }
  }
}
