import { randomBytes } from 'node:crypto'
import type { Trace } from '../../connectors/authoring/trace.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { named } from '../../schemas/names.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { openWithAny, seal, unwrapDataKey, unwrapDataKeys } from '../secrets/crypto.ts'

/** How long a recording's page can be opened. */
const opensFor = '1 hour'
const keptFor = '30 days'
/** Most recordings of one app. */
const mostTraces = 200

/** A recording, as shown on its page and to its author. */
export interface TraceRow {
  readonly id: string
  readonly app: string
  readonly name: string
  readonly begun_by: string
  readonly begun_at: Date
  /** Null: its page has not been opened yet. */
  readonly owner: string | null
  readonly ended_at: Date | null
  readonly exchanges: number | null
  /** True: kept; false: not ended, or discarded. */
  readonly kept: boolean
}

const columns = 'id, app, name, begun_by, begun_at, owner, ended_at, exchanges, trace IS NOT NULL AS kept'

/**
 * Requests a recording for an endpoint name; a user can open its page within an hour. Throws
 * invalid_input if the app was not added, the name is no endpoint name, or the app has too many
 * recordings.
 */
export async function beginTrace(
  ctx: Pick<Context, 'db' | 'apps'>,
  wanted: { readonly app: string; readonly name: string },
  actor: string,
): Promise<string> {
  const { app, name } = wanted
  if (ctx.apps.get(app)?.added === undefined) throw refused(`${app} was not added, or does not run.`)
  if (!named('{endpoint}').test(name) || name.length > 64)
    throw refused(`"${name}" names no endpoint: small letters, digits and _, such as add_comment.`)
  const id = randomBytes(18).toString('hex')
  await transaction(ctx.db, async (db) => {
    await db.query('LOCK TABLE traces IN SHARE ROW EXCLUSIVE MODE')
    await forgetTraces(db)
    const { rows } = await db.query<{ all: number }>('SELECT count(*)::int AS all FROM traces WHERE app = $1', [app])
    if ((rows[0]?.all ?? 0) >= mostTraces)
      throw refused(`${app} has ${mostTraces} recordings: forget some with callgate connector recordings.`)
    await db.query(
      `INSERT INTO traces (id, app, name, begun_by, expires_at) VALUES ($1, $2, $3, $4, clock_timestamp() + $5::interval)`,
      [id, app, name, actor, opensFor],
    )
    await audit(db, actor, 'connector.recorded', wanted)
  })
  return id
}

function refused(message: string): CallgateError {
  return new CallgateError('invalid_input', { message })
}

/** The first user to open the page owns the recording. Undefined: none for this user. */
export async function claimTrace(db: Db, owner: string, id: string): Promise<TraceRow | undefined> {
  const { rows } = await db.query<TraceRow>(
    `UPDATE traces SET owner = $2 WHERE id = $1 AND coalesce(owner = $2, true) AND expires_at > clock_timestamp()
     RETURNING ${columns}`,
    [id, owner],
  )
  return rows[0]
}

/** Whether this user owns this recording of the app, and can still make it. */
export async function isToBeMade(db: Db, owner: string, app: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM traces WHERE id = $1 AND owner = $2 AND app = $3 AND ended_at IS NULL AND expires_at > clock_timestamp()`,
    [id, owner, app],
  )
  return rowCount === 1
}

/** Saves it, sealed with its account's data key. False: ended, expired, or the account is gone. */
export async function keepTrace(
  ctx: Pick<Context, 'db' | 'secrets'>,
  wanted: { readonly id: string; readonly owner: string; readonly account: string },
  trace: Trace,
): Promise<boolean> {
  const { id, owner, account } = wanted
  const { rows } = await ctx.db.query<{ data_key: Buffer }>(
    `SELECT data_key FROM accounts WHERE id = $1 AND owner = $2 AND state <> 'disconnected'`,
    [account, owner],
  )
  if (rows[0] === undefined) return false
  const key = unwrapDataKey(ctx.secrets, account, rows[0].data_key)
  const sealed = seal(key, aboutTrace(wanted), JSON.stringify(trace))
  return transaction(ctx.db, async (db) => {
    const { rows: kept } = await db.query<{ app: string; name: string }>(
      `UPDATE traces SET account = $3, trace = $4, exchanges = $5, ended_at = clock_timestamp(),
         expires_at = clock_timestamp() + $6::interval
       WHERE id = $1 AND owner = $2 AND ended_at IS NULL AND expires_at > clock_timestamp() RETURNING app, name`,
      [id, owner, account, sealed, trace.exchanges.length, keptFor],
    )
    if (kept[0] === undefined) return false
    await audit(db, owner, 'recording.kept', kept[0])
    return true
  })
}

/** Ends the recording without keeping it; its author sees that it was discarded. */
export async function discardTrace(db: Db, owner: string, id: string): Promise<void> {
  await db.query('UPDATE traces SET ended_at = clock_timestamp() WHERE id = $1 AND owner = $2 AND ended_at IS NULL', [
    id,
    owner,
  ])
}

/** Recordings of an app, newest first. */
export async function listTraces(db: Db, app: string): Promise<readonly TraceRow[]> {
  const { rows } = await db.query<TraceRow>(
    `SELECT ${columns} FROM traces WHERE app = $1 AND expires_at > clock_timestamp() ORDER BY begun_at DESC`,
    [app],
  )
  return rows
}

/** Kept recordings of one endpoint name, oldest first. */
export async function openTraces(
  ctx: Pick<Context, 'db' | 'secrets'>,
  app: string,
  name: string,
): Promise<readonly Trace[]> {
  const { rows } = await ctx.db.query<{ id: string; owner: string; account: string; data_key: Buffer; trace: Buffer }>(
    `SELECT t.id, t.owner, t.account, t.trace, a.data_key FROM traces t JOIN accounts a ON a.id = t.account
     WHERE t.app = $1 AND t.name = $2 AND t.trace IS NOT NULL AND t.expires_at > clock_timestamp() ORDER BY t.ended_at`,
    [app, name],
  )
  return rows.map((row) => {
    const keys = unwrapDataKeys(ctx.secrets, row.account, row.data_key)
    return JSON.parse(openWithAny(keys, aboutTrace(row), row.trace).toString('utf8')) as Trace
  })
}

/** Throws not_found if there is none. */
export async function forgetTrace(db: Db, wanted: { readonly app: string; readonly id: string }, actor: string) {
  const { app, id } = wanted
  const { rows } = await db.query<{ name: string }>('DELETE FROM traces WHERE id = $1 AND app = $2 RETURNING name', [
    id,
    app,
  ])
  if (rows[0] === undefined) throw new CallgateError('not_found')
  await audit(db, actor, 'connector.recording_forgotten', { app, name: rows[0].name })
}

export async function forgetTraces(db: Db): Promise<void> {
  await db.query('DELETE FROM traces WHERE expires_at < clock_timestamp()')
}

export const aboutTrace = ({
  id,
  owner,
  account,
}: {
  readonly id: string
  readonly owner: string
  readonly account: string
}): string => `trace:${id}:${owner}:${account}`
