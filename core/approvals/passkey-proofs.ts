import { randomBytes } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'
import type { Context } from '../context.ts'
import { equalTexts, newestKey } from '../secrets/crypto.ts'
import { content, mac, verify } from './approval.ts'
import type { ApprovedRow } from './approval.ts'

/** Proof that a passkey of the user approved exactly `row`: `<passkey> <key id>.<…>`. */
export function passkeyProof(ctx: Pick<Context, 'secrets'>, row: ApprovedRow, passkey: string): string {
  const { id, key } = newestKey(ctx.secrets.approval)
  return `${passkey} ${id}.${mac(key, 'approved with passkey', `${passkey}\0${content(ctx, row)}`)}`
}

/** Whether the row as it is now was approved with a passkey. */
export function passkeyProofMatches(ctx: Pick<Context, 'secrets'>, row: ApprovedRow, proof: string | null): boolean {
  const [passkey = '', given = ''] = proof?.split(' ') ?? []
  return verify(ctx, given, 'approved with passkey', () => `${passkey}\0${content(ctx, row)}`)
}

/** A decision for a passkey to sign. */
export interface AskedDecision {
  readonly owner: string
  readonly callId: string
  readonly round: number
  /** The hash that the page carried. */
  readonly hash: string
  readonly decision: string
}

const nonceLength = 16

const decisionText = (nonce: Buffer, { owner, callId, round, hash, decision }: AskedDecision): string =>
  [nonce.toString('base64url'), owner, callId, round, hash, decision].join('\0')

/** A challenge bound to one decision on one round of one call, as its page showed it. */
export function decisionChallenge(ctx: Pick<Context, 'secrets'>, decision: AskedDecision): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(nonceLength)
  const { key } = newestKey(ctx.secrets.approval)
  const bound = mac(key, 'passkey challenge', decisionText(nonce, decision))
  return Uint8Array.from(Buffer.concat([nonce, Buffer.from(bound, 'base64url')]))
}

/** Whether a challenge, as base64url, was made for exactly this decision. */
export function isChallengeOf(ctx: Pick<Context, 'secrets'>, challenge: string, decision: AskedDecision): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  const text = decisionText(bytes.subarray(0, nonceLength), decision)
  const given = bytes.subarray(nonceLength).toString('base64url')
  return [...ctx.secrets.approval.values()].some((key) => equalTexts(given, mac(key, 'passkey challenge', text)))
}

const demandsText = (owner: string, demands: unknown): string => canonicalJson({ owner, demands })

/** Proof that the user set exactly these passkey requirements. */
export function demandsProof(ctx: Pick<Context, 'secrets'>, owner: string, demands: unknown): string {
  const { id, key } = newestKey(ctx.secrets.approval)
  return `${id}.${mac(key, 'passkey demands', demandsText(owner, demands))}`
}

export function demandsMatch(ctx: Pick<Context, 'secrets'>, owner: string, demands: unknown, proof: string): boolean {
  return verify(ctx, proof, 'passkey demands', () => demandsText(owner, demands))
}
