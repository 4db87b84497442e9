import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { wrapDataKey } from '../secrets/crypto.ts'

type Parts = Pick<Context, 'db' | 'secrets'>

/** Accounts per round. */
const batch = 200

/** Replaces the label that the owner gave. */
const noLabel = 'disconnected account'

/** Columns of a disconnected account: no session, and no trace of its identity in the app. */
export const disconnected = `state = 'disconnected', reason = NULL, session = NULL, label = '${noLabel}', external_id = id`

/** Ends the approval rules and canaries of these accounts. */
export async function endOfAccounts(db: Db, ids: readonly string[]): Promise<void> {
  await db.query(
    `UPDATE standing_approvals SET revoked_at = clock_timestamp(), proof = NULL WHERE id IN (
       SELECT id FROM standing_approvals WHERE account = ANY ($1) AND revoked_at IS NULL ORDER BY id FOR UPDATE)`,
    [ids],
  )
  await db.query(
    `UPDATE watches SET ended_at = clock_timestamp(), ended_by = owner, next_at = NULL WHERE account = ANY ($1) AND ended_at IS NULL`,
    [ids],
  )
}

/** SQL: account `a` has no readable data left that one of its data keys sealed. */
const nothingSealed = `a.state = 'disconnected' AND a.data_key_since < 'infinity'
  AND NOT EXISTS (SELECT FROM calls c WHERE c.account = a.id AND (c.input IS NOT NULL OR c.status IN ('awaiting_confirmation', 'running')))
  AND NOT EXISTS (SELECT FROM findings f JOIN calls c ON c.id = f.call_id WHERE c.account = a.id AND f.finding IS NOT NULL)
  AND NOT EXISTS (SELECT FROM tries t JOIN calls c ON c.id = t.call_id WHERE c.account = a.id AND t.recording IS NOT NULL)
  AND NOT EXISTS (SELECT FROM traces t WHERE t.account = a.id AND t.trace IS NOT NULL)`

/**
 * Shreds the data keys of a disconnected account once they seal nothing: data of calls stays
 * readable for its retention. An empty wrapped value replaces them, so readers still parse it.
 */
export async function shredIfEmpty(ctx: Pick<Context, 'secrets'>, db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE accounts a SET data_key = $2, data_key_since = 'infinity', older_data_keys = 0, origin = '' WHERE id = $1 AND ${nothingSealed}`,
    [id, wrapDataKey(ctx.secrets, id, Buffer.alloc(0))],
  )
  return rowCount === 1
}

/** Finishes disconnected accounts of earlier releases, and shreds data keys that nothing needs. */
export async function forgetDisconnected(ctx: Parts): Promise<void> {
  for (let more = true; more;) more = (await forgetOwners(ctx)) === batch
  for (let after = ''; ;) {
    const { rows } = await ctx.db.query<{ id: string }>(
      `SELECT id FROM accounts a WHERE id > $1 AND state = 'disconnected' AND data_key_since < 'infinity' ORDER BY id LIMIT $2`,
      [after, batch],
    )
    // One statement each, so that an interrupted round resumes where it stopped.
    for (const { id } of rows) await shredIfEmpty(ctx, ctx.db, id)
    const last = rows.at(-1)
    if (rows.length < batch || last === undefined) return
    after = last.id
  }
}

async function forgetOwners({ db }: Parts): Promise<number> {
  return transaction(db, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `UPDATE accounts SET ${disconnected} WHERE id IN (
         SELECT id FROM accounts WHERE state = 'disconnected' AND data_key_since < 'infinity' AND external_id <> id LIMIT $1)
       RETURNING id`,
      [batch],
    )
    await endOfAccounts(
      client,
      rows.map(({ id }) => id),
    )
    return rows.length
  })
}
