import { randomBytes } from 'node:crypto'
import type { RegistrationResponseJSON, PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import { challengeOf, takeChallenge } from './passkey-challenges.ts'
import { beginMaking, insertPasskey, verifyMade } from './passkeys.ts'
import type { Party } from './passkeys.ts'
import { hashPassword } from './password-hashes.ts'
import { dropUseless, newRecoveryCodes, recoveryCodesLeft, recoveryHash } from './recovery-codes.ts'
import { findUserByEmail, replacePassword } from './rows.ts'

type Ctx = Pick<Context, 'db' | 'secrets' | 'log'>

/** SQL: an unused code that can add a passkey, which only an account without a password allows. */
const opens = 'used_at IS NULL AND EXISTS (SELECT FROM users WHERE id = owner AND NOT passwords_allowed)'

/**
 * Switches to passkeys only, and ends every other session. Returns the recovery codes, shown once;
 * undefined: the account has no passkey, or is passkeys-only already.
 */
export async function giveUpPassword(
  ctx: Pick<Context, 'db'>,
  { owner, session }: { readonly owner: string; readonly session: string },
): Promise<readonly string[] | undefined> {
  // An older release does not know passwords_allowed and compares with this hash.
  const nobodys = await hashPassword(randomBytes(32).toString('base64url'))
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query(
      `UPDATE users SET passwords_allowed = false, password_hash = $2
       WHERE id = $1 AND passwords_allowed AND EXISTS (SELECT FROM passkeys WHERE owner = $1)`,
      [owner, nobodys],
    )
    if (rowCount !== 1) return undefined
    await db.query('DELETE FROM password_resets WHERE owner = $1', [owner])
    await db.query('DELETE FROM web_sessions WHERE owner = $1 AND id <> $2', [owner, session])
    await audit(db, owner, 'passkeys_only.on', {})
    return newRecoveryCodes(db, owner)
  })
}

/** Sets a password again, and ends all sessions. False: the account takes one already. */
export async function takePasswordAgain(
  ctx: Pick<Context, 'db'> & Parameters<typeof replacePassword>[0],
  owner: string,
  password: string,
): Promise<boolean> {
  const passwordHash = await hashPassword(password)
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query(
      'UPDATE users SET passwords_allowed = true WHERE id = $1 AND NOT passwords_allowed',
      [owner],
    )
    if (rowCount !== 1) return false
    await dropUseless(db, owner)
    await audit(db, owner, 'passkeys_only.off', {})
    return replacePassword(ctx, db, { owner, passwordHash, action: 'password.changed' })
  })
}

/** Options to make a passkey, by a recovery code, not consumed yet. Undefined: no match. */
export async function beginRecovery(
  ctx: Ctx,
  party: Party,
  given: { readonly email: string; readonly code: string },
  formToken: string,
): Promise<PublicKeyCredentialCreationOptionsJSON | undefined> {
  const user = await findUserByEmail(ctx, given.email)
  // The same steps if the user does not exist, so that timing does not reveal it.
  const hash = recoveryHash(user?.id ?? '', given.code)
  const { rowCount } = await ctx.db.query(`SELECT FROM recovery_codes WHERE hash = $1 AND ${opens}`, [hash])
  if (user === undefined || rowCount !== 1) return undefined
  const options = await beginMaking(ctx, party, { owner: user.id, email: user.email }, 'recover', formToken)
  await ctx.db.query('UPDATE recovery_codes SET challenge = $2 WHERE hash = $1', [hash, options.challenge])
  return options
}

/**
 * Adds a passkey and consumes its recovery code. Returns the owner; undefined: invalid response.
 */
export async function recover(
  ctx: Ctx,
  party: Party,
  made: { readonly name: string; readonly response: RegistrationResponseJSON; readonly formToken: string },
): Promise<string | undefined> {
  const { name, response, formToken } = made
  const challenge = await challengeOf(ctx, response)
  if (challenge === undefined || !(await takeChallenge(ctx, challenge, 'recover', formToken))) return undefined
  const credential = await verifyMade(ctx, party, response, challenge)
  if (credential === undefined) return undefined
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ owner: string }>(
      `UPDATE recovery_codes SET used_at = clock_timestamp() WHERE challenge = $1 AND ${opens} RETURNING owner`,
      [challenge],
    )
    const owner = rows[0]?.owner
    if (owner === undefined) return undefined
    const left = await recoveryCodesLeft(db, owner)
    await audit(db, owner, 'passkey_code.used', { left })
    if (await insertPasskey(db, { owner, name, credential, evenIfFull: true })) return owner
    throw new Error('the passkey of a recovery is one that was there')
  })
}
