import type { Context } from '../context.ts'
import { newestKey, unwrapDataKeys, wrapDataKey } from './crypto.ts'
import { failPoint } from '../fail-point.ts'

/** Every column that holds a wrapped key, and the id that it is wrapped for. */
const wrapped = [
  ['accounts', 'data_key'],
  ['notice_targets', 'secret'],
  ['notice_targets', 'old_secret'],
  ['push_keys', 'secret'],
  ['mails', 'secret'],
  ['totp', 'secret'],
] as const

/**
 * Wraps all wrapped secrets with the newest key-encryption key. Safe to interrupt: all open while
 * both keys are in the key file. What data keys seal is unchanged. `stop` ends it between two rows.
 * Returns how many were rewrapped.
 */
export async function rewrapDataKeys(ctx: Pick<Context, 'db' | 'secrets'>, stop?: AbortSignal): Promise<number> {
  const current = Buffer.from(`${newestKey(ctx.secrets.kek).id}\0`)
  let count = 0
  for (const [table, column] of wrapped) {
    const { rows } = await ctx.db.query<{ id: string; old: Buffer }>(
      `SELECT id, ${column} AS old FROM ${table} WHERE substring(${column} FROM 1 FOR $1) <> $2`,
      [current.length, current],
    )
    for (const { id, old } of rows) {
      if (stop?.aborted === true) return count
      const anew = wrapDataKey(ctx.secrets, id, Buffer.concat(unwrapDataKeys(ctx.secrets, id, old)))
      await ctx.db.query(`UPDATE ${table} SET ${column} = $2 WHERE id = $1 AND ${column} = $3`, [id, anew, old])
      count++
      failPoint('rotate.halfway')
    }
  }
  return count
}
