import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { decisionChallenge, isChallengeOf } from '../approvals/passkey-proofs.ts'
import type { AskedDecision } from '../approvals/passkey-proofs.ts'
import type { Context } from '../context.ts'
import { challengeOf, keepChallenge, takeChallenge } from './passkey-challenges.ts'
import { verifySigned } from './passkey-sign-in.ts'
import type { Party } from './passkeys.ts'
import { webauthn } from './webauthn.ts'

type Ctx = Pick<Context, 'db' | 'secrets' | 'log'>

/** The signed response, and the browser that sent it. */
export interface SignedDecision {
  readonly party: Party
  readonly response: AuthenticationResponseJSON
  readonly formToken: string
}

/** Requests a passkey signature for one decision. */
export async function beginDecision(
  ctx: Ctx,
  party: Party,
  decision: AskedDecision,
  formToken: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: decisionChallenge(ctx, decision),
    userVerification: 'required',
    timeout: 300_000,
  })
  await keepChallenge(ctx, options.challenge, 'approve', formToken)
  return options
}

/**
 * The owner's passkey that signed this decision in this browser, or undefined. Uses the challenge.
 */
export async function verifyForDecision(
  ctx: Ctx,
  { party, response, formToken }: SignedDecision,
  decision: AskedDecision,
): Promise<string | undefined> {
  const challenge = await challengeOf(ctx, response)
  if (challenge === undefined || !(await takeChallenge(ctx, challenge, 'approve', formToken))) return undefined
  if (!isChallengeOf(ctx, challenge, decision)) return undefined
  const { owner, callId } = decision
  const use = { action: 'passkey.approved', detail: { call: callId }, owner }
  return (await verifySigned(ctx, party, response, challenge, use))?.id
}
