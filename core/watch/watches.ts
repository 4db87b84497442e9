import { randomBytes } from 'node:crypto'
import type { Endpoint } from '../../connectors/registry.ts'
import { checkCursor } from '../calls/check-cursor.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { derivedKey } from '../secrets/crypto.ts'

/** Per account. */
const mostOfAccount = 10

/** A canary: a daily free read with a connection, made only if its owner has agreed. */
export interface Watch {
  readonly id: string
  readonly app: string
  readonly endpoint: string
  readonly account: string
  readonly input: Readonly<Record<string, unknown>>
  readonly asked_by: string
  readonly asked_at: Date
  readonly agreed_at: Date | null
  readonly next_at: Date | null
  readonly last_at: Date | null
  readonly last_result: string | null
  readonly version: string | null
}

/** With the account's label, which only its owner sees. */
export interface OwnWatch extends Watch {
  readonly label: string
}

const columns = `w.id, w.app, w.endpoint, w.account, w.input, w.asked_by, w.asked_at, w.agreed_at, w.next_at, w.last_at, w.last_result, w.version`

/**
 * Requests a canary, to which the account's owner must agree. Returns the existing one of the same
 * endpoint and account. Throws CallgateError (invalid_input).
 */
export async function askForWatch(
  ctx: Pick<Context, 'db' | 'apps' | 'secrets'>,
  wanted: {
    readonly app: string
    readonly endpoint: string
    readonly account: string
    readonly input: Readonly<Record<string, unknown>>
  },
  actor: string,
): Promise<{ readonly id: string; readonly agreed: boolean }> {
  const { app, account, input } = wanted
  const endpoint = watchable(ctx.apps.get(app)?.endpoints.get(wanted.endpoint))
  const parsed = endpoint.parseInput(input, { cursorKey: derivedKey(ctx.secrets, 'cursor') })
  if (!parsed.ok) throw new CallgateError('invalid_input', { fields: { details: parsed.details } })
  await checkCursor(ctx, endpoint, parsed.input, account)
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ owner: string; open: number }>(
      `SELECT owner, (SELECT count(*)::integer FROM watches WHERE account = $1 AND ended_at IS NULL) AS open
       FROM accounts WHERE id = $1 AND app = $2 AND state <> 'disconnected' FOR UPDATE`,
      [account, app],
    )
    const [row] = rows
    if (row === undefined) throw refused(`There is no connected account ${account} of ${app}.`)
    const there = await db.query<{ id: string; agreed: boolean }>(
      `SELECT id, agreed_at IS NOT NULL AS agreed FROM watches WHERE account = $1 AND endpoint = $2 AND ended_at IS NULL`,
      [account, endpoint.name],
    )
    if (there.rows[0]) return there.rows[0]
    if (row.open >= mostOfAccount)
      throw refused(`${account} is watched in ${mostOfAccount} ways already: end one first.`)
    const id = `watch_${randomBytes(12).toString('hex')}`
    await db.query(
      `INSERT INTO watches (id, owner, app, endpoint, account, input, asked_by) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, row.owner, app, endpoint.name, account, JSON.stringify(input), actor],
    )
    await audit(db, actor, 'watch.asked', { watch: id, owner: row.owner, app, endpoint: endpoint.name, account })
    return { id, agreed: false }
  })
}

/** The account's owner agrees. False: there is nothing to agree to. */
export function agreeToWatch(ctx: Pick<Context, 'db'>, owner: string, id: string): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ app: string; endpoint: string; account: string }>(
      `UPDATE watches SET agreed_at = clock_timestamp(), next_at = clock_timestamp()
       WHERE id = $1 AND owner = $2 AND agreed_at IS NULL AND ended_at IS NULL RETURNING app, endpoint, account`,
      [id, owner],
    )
    if (rows[0]) await audit(db, owner, 'watch.agreed', { watch: id, ...rows[0] })
    return rows[0] !== undefined
  })
}

/** The owner declines or ends it. False: it has ended, or belongs to another user. */
export function endWatch(ctx: Pick<Context, 'db'>, owner: string, id: string): Promise<boolean> {
  return end(ctx, { id, owner, actor: owner })
}

/** An operator ends it. False: it has ended. */
export function dropWatch(ctx: Pick<Context, 'db'>, id: string, actor: string): Promise<boolean> {
  return end(ctx, { id, owner: null, actor })
}

function end(
  ctx: Pick<Context, 'db'>,
  { id, owner, actor }: { readonly id: string; readonly owner: string | null; readonly actor: string },
): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ owner: string; app: string; endpoint: string }>(
      `UPDATE watches SET ended_at = clock_timestamp(), ended_by = $3, next_at = NULL
       WHERE id = $1 AND ($2::text IS NULL OR owner = $2) AND ended_at IS NULL RETURNING owner, app, endpoint`,
      [id, owner, actor],
    )
    if (rows[0]) await audit(db, actor, 'watch.ended', { watch: id, ...rows[0] })
    return rows[0] !== undefined
  })
}

/** Open canaries of an app, for operators. */
export async function watchesOf(db: Db, app: string): Promise<readonly Watch[]> {
  const { rows } = await db.query<Watch>(
    `SELECT ${columns} FROM watches w JOIN accounts a ON a.id = w.account
     WHERE w.app = $1 AND w.ended_at IS NULL AND a.state <> 'disconnected' ORDER BY w.asked_at LIMIT 200`,
    [app],
  )
  return rows
}

/** The owner's open canaries of an app. */
export async function ownWatches(db: Db, owner: string, app: string): Promise<readonly OwnWatch[]> {
  const { rows } = await db.query<OwnWatch>(
    `SELECT ${columns}, a.label FROM watches w JOIN accounts a ON a.id = w.account AND a.owner = w.owner
     WHERE w.owner = $1 AND w.app = $2 AND w.ended_at IS NULL AND a.state <> 'disconnected' ORDER BY w.asked_at`,
    [owner, app],
  )
  return rows
}

/** Only GET reads: canaries run without approval. */
function watchable(endpoint: Endpoint | undefined): Endpoint {
  if (endpoint === undefined) throw refused('There is no such endpoint.')
  if (endpoint.access !== 'read' || endpoint.definition.line.method !== 'GET')
    throw refused(`${endpoint.name} is not read with GET: it cannot be watched.`)
  return endpoint
}

function refused(message: string): CallgateError {
  return new CallgateError('invalid_input', { message })
}
