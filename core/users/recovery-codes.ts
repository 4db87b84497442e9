import { createHash, randomInt } from 'node:crypto'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { keyedHashes } from '../secrets/crypto.ts'

type Ctx = Pick<Context, 'db' | 'secrets'>

/**
 * A person has one set. What one of its codes does, once, hangs on the account: where a password and an authenticator app open it, it stands in for the
 * app; where passkeys alone do, it makes a new passkey. Where neither is so there are none.
 */
export const recoveryCodes = 10
/** Without those that are read for another. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** In a transaction: makes them anew, and returns them, which is the only moment in which they can be read. Those of before are void. */
export async function newRecoveryCodes(db: Db, owner: string): Promise<readonly string[]> {
  const codes = Array.from({ length: recoveryCodes }, newCode)
  await db.query('DELETE FROM recovery_codes WHERE owner = $1', [owner])
  await db.query('INSERT INTO recovery_codes (hash, owner) SELECT unnest($1::bytea[]), $2', [
    codes.map((code) => recoveryHash(owner, code)),
    owner,
  ])
  return codes
}

/** Those that would do something. Undefined: there is nothing that they could stand in for. */
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

/** In a transaction that took away what they stood in for: they go, unless they are of use still. */
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

/** Uses one up in place of a code of the app. False: it is none of theirs, any more or at all. */
export async function takeRecoveryCode(ctx: Ctx, owner: string, typed: string): Promise<boolean> {
  // Those of before there was one set were shorter, and hashed with a pepper; such a one opens nothing by itself.
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

/** What is kept of a code: it has 100 random bits. */
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

/** Four times five characters of 31. */
function newCode(): string {
  return Array.from({ length: 20 }, () => letters[randomInt(letters.length)])
    .join('')
    .replaceAll(/(.{5})(?=.)/g, '$1-')
}

const bare = (code: string): string => code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
