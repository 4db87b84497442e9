import { randomInt } from 'node:crypto'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { keyedHash, keyedHashes } from '../secrets/crypto.ts'

type Ctx = Pick<Context, 'db' | 'secrets'>

export const recoveryCodes = 10
const purpose = 'recovery-code'
/** Without those that are read for another. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** In a transaction: makes them anew, and returns them, which is the only moment in which they can be read. Those of before are void. */
export async function renewRecoveryCodes({ secrets }: Pick<Ctx, 'secrets'>, db: Db, owner: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, newCode)
  await dropRecoveryCodes(db, owner)
  await db.query('INSERT INTO recovery_codes (hash, owner) SELECT unnest($1::bytea[]), $2', [
    codes.map((code) => keyedHash(secrets, purpose, `${owner}\0${bare(code)}`)),
    owner,
  ])
  return codes
}

export async function dropRecoveryCodes(db: Db, owner: string): Promise<void> {
  await db.query('DELETE FROM recovery_codes WHERE owner = $1', [owner])
}

export async function recoveryCodesLeft(db: Db, owner: string): Promise<number> {
  const { rows } = await db.query<{ left: number }>(
    'SELECT count(*)::integer AS left FROM recovery_codes WHERE owner = $1',
    [owner],
  )
  return rows[0]?.left ?? 0
}

/** Uses one up. False: it is none of theirs, any more or at all. */
export async function takeRecoveryCode(ctx: Ctx, owner: string, typed: string): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query('DELETE FROM recovery_codes WHERE owner = $1 AND hash = ANY ($2)', [
      owner,
      keyedHashes(ctx.secrets, purpose, `${owner}\0${bare(typed)}`),
    ])
    if (rowCount !== 1) return false
    await audit(db, owner, 'recovery_code.used', { left: await recoveryCodesLeft(db, owner) })
    return true
  })
}

/** Two times five characters of 31: about 50 bits. */
function newCode(): string {
  const five = (): string => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
  return `${five()}-${five()}`
}

const bare = (code: string): string => code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
