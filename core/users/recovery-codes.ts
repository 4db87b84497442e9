import { createHash, randomInt } from 'node:crypto'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { keyedHashes } from '../secrets/crypto.ts'

type Ctx = Pick<Context, 'db' | 'secrets'>

/**
 * One set per user. A code, once, replaces a TOTP code where a password and an app sign in, or adds
 * a passkey where only passkeys do. Other accounts have none.
 */
export const recoveryCodes = 10
/** Without letters and digits that are easily confused. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** In a transaction: replaces the set, and returns the codes, which are readable only here. */
export async function newRecoveryCodes(db: Db, owner: string): Promise<readonly string[]> {
  const codes = Array.from({ length: recoveryCodes }, newCode)
  await db.query('DELETE FROM recovery_codes WHERE owner = $1', [owner])
  await db.query('INSERT INTO recovery_codes (hash, owner) SELECT unnest($1::bytea[]), $2', [
    codes.map((code) => recoveryHash(owner, code)),
    owner,
  ])
  return codes
}

/** A new set. Undefined: the account has no use for recovery codes. */
export async function replaceRecoveryCodes(
  ctx: Pick<Ctx, 'db'>,
  owner: string,
): Promise<readonly string[] | undefined> {
  return transaction(ctx.db, async (db) => {
    if (!(await areOfUse(db, owner))) return undefined
    await audit(db, owner, 'recovery_code.renewed', {})
    return newRecoveryCodes(db, owner)
  })
}

/** In a transaction that removed a sign-in method: deletes the codes if they are now of no use. */
export async function dropUseless(db: Db, owner: string): Promise<void> {
  if (!(await areOfUse(db, owner))) await db.query('DELETE FROM recovery_codes WHERE owner = $1', [owner])
}

export async function recoveryCodesLeft(db: Db, owner: string): Promise<number> {
  const { rows } = await db.query<{ left: number }>(
    'SELECT count(*)::integer AS left FROM recovery_codes WHERE owner = $1 AND used_at IS NULL',
    [owner],
  )
  return rows[0]?.left ?? 0
}

/** Consumes a recovery code instead of a TOTP code. False: not one of this user, or used. */
export async function takeRecoveryCode(ctx: Ctx, owner: string, typed: string): Promise<boolean> {
  // Older codes are shorter and hashed with a pepper; such a code cannot add a passkey.
  const hashes = [recoveryHash(owner, typed), ...keyedHashes(ctx.secrets, 'recovery-code', `${owner}\0${bare(typed)}`)]
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query(
      'UPDATE recovery_codes SET used_at = clock_timestamp() WHERE owner = $1 AND hash = ANY ($2) AND used_at IS NULL',
      [owner, hashes],
    )
    if (rowCount !== 1) return false
    await audit(db, owner, 'recovery_code.used', { left: await recoveryCodesLeft(db, owner) })
    return true
  })
}

/** The stored hash of a code. No pepper needed: a code has about 100 random bits. */
export function recoveryHash(owner: string, typed: string): Buffer {
  return createHash('sha256')
    .update(`recovery-code\0${owner}\0${bare(typed)}`)
    .digest()
}

async function areOfUse(db: Db, owner: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM users u WHERE id = $1
       AND (NOT passwords_allowed OR EXISTS (SELECT FROM totp WHERE owner = u.id AND confirmed_at IS NOT NULL))
     FOR NO KEY UPDATE`,
    [owner],
  )
  return rowCount === 1
}

/** Four groups of five characters out of 31. */
function newCode(): string {
  return Array.from({ length: 20 }, () => letters[randomInt(letters.length)])
    .join('')
    .replaceAll(/(.{5})(?=.)/g, '$1-')
}

const bare = (code: string): string => code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
