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

/** A code makes a passkey, and so opens the account by itself, where the account takes nothing but passkeys; elsewhere never. */
const opens = 'used_at IS NULL AND EXISTS (SELECT FROM users WHERE id = owner AND NOT passwords_allowed)'

/** Switches the password off, and signs out every other browser. Returns the codes, which are shown once; undefined: no passkey, or it is off already. */
export async function giveUpPassword(
  ctx: Pick<Context, 'db'>,
  { owner, session }: { readonly owner: string; readonly session: string },
): Promise<readonly string[] | undefined> {
  // A release that does not know the column compares with this.
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

/** Takes a password again, and signs out everywhere. False: it takes one already. */
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

/** What a browser makes a passkey from for who has a recovery code that was not used; nothing is used up by asking. Undefined: it is none of theirs. */
export async function beginRecovery(
  ctx: Ctx,
  party: Party,
  given: { readonly email: string; readonly code: string },
  formToken: string,
): Promise<PublicKeyCredentialCreationOptionsJSON | undefined> {
  const user = await findUserByEmail(ctx, given.email)
  // The same steps where there is no such user.
  const hash = recoveryHash(user?.id ?? '', given.code)
  const { rowCount } = await ctx.db.query(`SELECT FROM recovery_codes WHERE hash = $1 AND ${opens}`, [hash])
  if (user === undefined || rowCount !== 1) return undefined
  const options = await beginMaking(ctx, party, { owner: user.id, email: user.email }, 'recover', formToken)
  await ctx.db.query('UPDATE recovery_codes SET challenge = $2 WHERE hash = $1', [hash, options.challenge])
  return options
}

/** Adds the passkey that was made with a recovery code, which is used up with it. Returns whose it is; undefined: it is not what was asked for. */
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
