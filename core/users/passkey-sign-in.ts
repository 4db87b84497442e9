import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import { challengeOf, keepChallenge, takeChallenge, unlessRefused } from './passkey-challenges.ts'
import type { Party } from './passkeys.ts'
import { webauthn } from './webauthn.ts'

type Ctx = Pick<Context, 'db' | 'secrets' | 'log'>

/** Requests a signature of any passkey of this gateway: the passkey itself identifies its owner. */
export async function beginPasskeySignIn(
  ctx: Ctx,
  party: Party,
  formToken: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    userVerification: 'required',
    timeout: 300_000,
  })
  await keepChallenge(ctx, options.challenge, 'sign_in', formToken)
  return options
}

interface Use {
  readonly action: string
  readonly detail: object
  readonly owner?: string
}

interface Known {
  readonly id: string
  readonly owner: string
  readonly name: string
  readonly public_key: Buffer
}

/** The owner of the passkey that signed; undefined: unknown passkey, wrong origin or challenge. */
export async function verifyPasskey(
  ctx: Ctx,
  party: Party,
  response: AuthenticationResponseJSON,
  formToken: string,
): Promise<string | undefined> {
  const challenge = await challengeOf(ctx, response)
  if (challenge === undefined || !(await takeChallenge(ctx, challenge, 'sign_in', formToken))) return undefined
  return (await verifySigned(ctx, party, response, challenge, { action: 'signed_in', detail: {} }))?.owner
}

/**
 * Verifies the signature of an already consumed challenge; returns the passkey and its owner.
 * `use`: the action to audit, and the owner that the passkey must have, if any.
 */
export async function verifySigned(
  ctx: Ctx,
  party: Party,
  response: AuthenticationResponseJSON,
  challenge: string,
  use: Use,
): Promise<{ readonly id: string; readonly owner: string } | undefined> {
  const { rows } = await ctx.db.query<Known>(
    'SELECT id, owner, name, public_key FROM passkeys WHERE credential = $1 AND ($2::text IS NULL OR owner = $2)',
    [response.id, use.owner ?? null],
  )
  const [known] = rows
  if (known === undefined) return undefined
  if (response.response.userHandle !== Buffer.from(known.owner).toString('base64url')) return undefined
  const counter = await unlessRefused(ctx, async () => {
    const { verifyAuthenticationResponse } = await webauthn()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      // 0 disables the library's check: useOnce compares the counter under a row lock.
      credential: { id: response.id, publicKey: new Uint8Array(known.public_key), counter: 0 },
    })
    return verified ? authenticationInfo.newCounter : undefined
  })
  return counter !== undefined && (await useOnce(ctx, known, counter, use)) ? known : undefined
}

/** Records the use. False: the counter did not increase, a sign of a copy (0 may stay 0). */
async function useOnce(ctx: Ctx, { id, owner, name }: Known, counter: number, use: Use): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ went_on: boolean }>(
      'SELECT counter < $2 OR (counter = 0 AND $2 = 0) AS went_on FROM passkeys WHERE id = $1 FOR UPDATE',
      [id, counter],
    )
    if (rows[0] === undefined) return false
    if (!rows[0].went_on) {
      await audit(db, owner, 'passkey.refused', {
        passkey: id,
        name,
        reason: 'its counter went back: it may be a copy',
      })
      return false
    }
    await db.query('UPDATE passkeys SET counter = $2, last_used_at = now() WHERE id = $1', [id, counter])
    await audit(db, owner, use.action, { ...use.detail, passkey: id, name })
    return true
  })
}
