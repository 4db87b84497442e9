import { randomBytes } from 'node:crypto'
import { aboutSession } from '../accounts/sessions.ts'
import type { SealedAccount } from '../accounts/sessions.ts'
import { aboutList } from '../approvals/standing.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { openWithAny, seal, unwrapDataKeys, wrapDataKey } from './crypto.ts'
import { isMark } from './marks.ts'

/** Age at which a data key is replaced, in days. */
const days = 90
/** Accounts per round. */
const batch = 200

type Parts = Pick<Context, 'db' | 'secrets'>
type Account = SealedAccount & { readonly session: Buffer | null; readonly older_data_keys: number }

/**
 * Gives a new data key to up to 200 accounts whose newest is older than `before`; `left`: how many
 * remain. Reseals sessions and rule lists at once; data of calls keeps its key until deleted.
 */
export async function renewDataKeys(
  ctx: Parts,
  before: Date,
): Promise<{ readonly renewed: number; readonly left: number }> {
  const { rows } = await ctx.db.query<{ id: string }>(
    'SELECT id FROM accounts WHERE data_key_since < $1 ORDER BY data_key_since LIMIT $2',
    [before, batch],
  )
  // One transaction each, so that an interrupted round resumes where it stopped.
  for (const { id } of rows) await renew(ctx, id, before)
  const { rows: left } = await ctx.db.query<{ left: number }>(
    'SELECT count(*)::integer AS left FROM accounts WHERE data_key_since < $1',
    [before],
  )
  return { renewed: rows.length, left: left[0]?.left ?? 0 }
}

/** Replaces data keys that are too old, and drops older ones that seal nothing; a batch of each. */
export async function ageDataKeys(ctx: Parts): Promise<void> {
  await renewDataKeys(ctx, new Date(Date.now() - days * 86_400_000))
  const { rows } = await ctx.db.query<{ id: string }>(
    `SELECT id FROM accounts a WHERE older_data_keys > 0 AND ${nothingOlder} ORDER BY data_key_since LIMIT $1`,
    [batch],
  )
  for (const { id } of rows) await dropOlder(ctx, id)
}

/** The age of the data keys, over all accounts that have some. */
export async function dataKeyAges(
  db: Db,
): Promise<{ readonly accounts: number; readonly with_older: number; readonly oldest: Date | null }> {
  const { rows } = await db.query<{ accounts: number; with_older: number; oldest: Date | null }>(
    `SELECT count(*)::integer AS accounts, count(*) FILTER (WHERE older_data_keys > 0)::integer AS with_older, min(data_key_since) AS oldest
     FROM accounts WHERE data_key_since < 'infinity'`,
  )
  return rows[0] ?? { accounts: 0, with_older: 0, oldest: null }
}

/**
 * SQL: nothing is left that an older key may have sealed. No process keeps a row for a day after
 * reading it, so everything sealed later than that uses the newest key.
 */
const late = `a.data_key_since + interval '1 day'`
const nothingOlder = `${late} < clock_timestamp()
  AND NOT EXISTS (SELECT FROM calls c WHERE c.account = a.id AND c.created_at < ${late} AND c.input IS NOT NULL)
  AND NOT EXISTS (SELECT FROM findings f JOIN calls c ON c.id = f.call_id WHERE c.account = a.id AND f.finding IS NOT NULL AND c.created_at < ${late})
  AND NOT EXISTS (SELECT FROM tries t JOIN calls c ON c.id = t.call_id WHERE c.account = a.id AND t.recording IS NOT NULL AND c.created_at < ${late})
  AND NOT EXISTS (SELECT FROM traces t WHERE t.account = a.id AND t.trace IS NOT NULL AND t.begun_at < ${late})`

async function renew(ctx: Parts, id: string, before: Date): Promise<void> {
  await transaction(ctx.db, async (db) => {
    const account = await lock(db, id, 'data_key_since < $2', [before])
    if (account === undefined) return
    const keys = [randomBytes(32), ...unwrapDataKeys(ctx.secrets, id, account.data_key)]
    await resealLasting(db, account, keys)
    await save(
      db,
      id,
      wrapDataKey(ctx.secrets, id, Buffer.concat(keys)),
      keys.filter((key) => !isMark(id, key)).length - 1,
    )
    await db.query('UPDATE accounts SET data_key_since = clock_timestamp() WHERE id = $1', [id])
  })
}

async function dropOlder(ctx: Parts, id: string): Promise<void> {
  await transaction(ctx.db, async (db) => {
    const account = await lock(db, id, nothingOlder)
    if (account === undefined) return
    const keys = unwrapDataKeys(ctx.secrets, id, account.data_key)
    const [newest] = keys
    if (newest === undefined) return
    // A process that read the row before the key changed may have sealed with the old key.
    await resealLasting(db, account, keys)
    // A mark is not a key, and stays.
    await save(
      db,
      id,
      wrapDataKey(ctx.secrets, id, Buffer.concat([newest, ...keys.filter((key) => isMark(id, key))])),
      0,
    )
  })
}

async function lock(
  db: Db,
  id: string,
  condition: string,
  values: readonly unknown[] = [],
): Promise<Account | undefined> {
  const { rows } = await db.query<Account>(
    `SELECT id, owner, origin, data_key, session, session_version, older_data_keys FROM accounts a WHERE id = $1 AND ${condition}
     FOR NO KEY UPDATE`,
    [id, ...values],
  )
  return rows[0]
}

/** Reseals what outlives calls. What no key opens was tampered with, and stays as it is. */
async function resealLasting(db: Db, account: Account, keys: readonly Buffer[]): Promise<void> {
  const { id, session } = account
  const anew = session && resealed(keys, aboutSession(account), session)
  if (anew) await db.query('UPDATE accounts SET session = $2 WHERE id = $1', [id, anew])
  const { rows } = await db.query<{ id: string; owner: string; account: string; allowed: Buffer }>(
    'SELECT id, owner, account, allowed FROM standing_approvals WHERE account = $1 AND allowed IS NOT NULL ORDER BY id FOR UPDATE',
    [id],
  )
  for (const row of rows) {
    const list = resealed(keys, aboutList(row), row.allowed)
    if (list) await db.query('UPDATE standing_approvals SET allowed = $2 WHERE id = $1', [row.id, list])
  }
}

function resealed(keys: readonly Buffer[], about: string, sealed: Buffer): Buffer | undefined {
  const [newest] = keys
  if (newest === undefined) return undefined
  try {
    return seal(newest, about, openWithAny(keys, about, sealed))
  } catch {
    // usableSession and openList find and log the same.
    return undefined
  }
}

async function save(db: Db, id: string, wrapped: Buffer, older: number): Promise<void> {
  await db.query('UPDATE accounts SET data_key = $2, older_data_keys = $3 WHERE id = $1', [id, wrapped, older])
}
