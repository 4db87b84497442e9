import type { Context } from './context.ts'
import { newestKey, unwrapDataKey, wrapDataKey } from './crypto.ts'
import { failPoint } from './fail-point.ts'

/**
 * Wraps the data keys of all accounts with the newest key-encryption key. It may be interrupted anywhere: each account opens before
 * and after, as long as both keys are in the key file. What the data keys seal stays as it is. Returns how many were wrapped anew.
 */
export async function rewrapDataKeys(ctx: Pick<Context, 'db' | 'secrets'>): Promise<number> {
  const current = Buffer.from(`${newestKey(ctx.secrets.kek).id}\0`)
  const { rows } = await ctx.db.query<{ id: string; data_key: Buffer }>(
    'SELECT id, data_key FROM accounts WHERE substring(data_key FROM 1 FOR $1) <> $2',
    [current.length, current],
  )
  for (const { id, data_key: old } of rows) {
    const wrapped = wrapDataKey(ctx.secrets, id, unwrapDataKey(ctx.secrets, id, old))
    await ctx.db.query('UPDATE accounts SET data_key = $2 WHERE id = $1 AND data_key = $3', [id, wrapped, old])
    failPoint('rotate.halfway')
  }
  return rows.length
}
