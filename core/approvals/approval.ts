import { createHmac } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'
import type { Context } from '../context.ts'
import { equalTexts, newestKey } from '../secrets/crypto.ts'
import type { CallRow } from '../calls/rows.ts'
import type { StandingRow } from './standing-rows.ts'
import { openPayload, placeOf } from '../calls/payload.ts'
import { openFiles } from '../files/files.ts'

/** What of a call its approval covers, and what opens it. */
export type ApprovedRow = Pick<
  CallRow,
  | 'id'
  | 'owner'
  | 'account'
  | 'app'
  | 'endpoint'
  | 'input'
  | 'request'
  | 'preview'
  | 'files'
  | 'round'
  | 'credits'
  | 'expires_at'
  | 'data_key'
>

/**
 * What a person approves: the request as it will be sent and for whom, its files by their hashes, what the app told of its things as the page shows it, and which time of
 * asking it is. What somebody approved in advance is rendered when it is sent: then the input alone says what is.
 */
export function content(ctx: Pick<Context, 'secrets'>, row: ApprovedRow): string {
  if (row.input === null) throw new Error('the input is gone')
  const opened = (column: 'request' | 'preview'): unknown => {
    const sealed = row[column]
    return sealed && openPayload(ctx.secrets, placeOf(row), column, sealed)
  }
  return canonicalJson({
    call_id: row.id,
    owner: row.owner,
    account: row.account,
    app: row.app,
    endpoint: row.endpoint,
    round: row.round,
    input: openPayload(ctx.secrets, placeOf(row), 'input', row.input),
    request: opened('request'),
    preview: opened('preview'),
    ...(row.files && { files: openFiles(ctx, row) }),
    credits: row.credits,
    expires_at: row.expires_at?.toISOString() ?? null,
  })
}

/** As base64url. */
export const mac = (key: Buffer, purpose: string, text: string): string =>
  createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url')

/** The hash that the confirm page carries: `<key id>.<HMAC of the RFC 8785 JSON of what will be sent>`. */
export function approvalHash(ctx: Pick<Context, 'secrets'>, row: ApprovedRow): string {
  const { id, key } = newestKey(ctx.secrets.approval)
  return `${id}.${mac(key, 'approval', content(ctx, row))}`
}

/** Proof of an approval by `by`, a person or a standing approval, of exactly what `row` holds. Only who has the approval key can make it. */
export function approvalProof(ctx: Pick<Context, 'secrets'>, row: ApprovedRow, by: string): string {
  const { id, key } = newestKey(ctx.secrets.approval)
  return `${id}.${mac(key, 'approved', `${by}\0${content(ctx, row)}`)}`
}

/** Whether a page's hash is of what the row holds now. */
export function hashMatches(ctx: Pick<Context, 'secrets'>, row: ApprovedRow, hash: string): boolean {
  return verify(ctx, hash, 'approval', () => content(ctx, row))
}

/** Whether the row's approval was given by `by` for what the row holds now. */
export function proofMatches(ctx: Pick<Context, 'secrets'>, row: ApprovedRow, by: string, proof: string): boolean {
  return verify(ctx, proof, 'approved', () => `${by}\0${content(ctx, row)}`)
}

/** All that a standing approval says. */
type StandingText = Omit<StandingRow, 'allowed' | 'revoked_at' | 'proof' | 'over' | 'data_key'>

function standingText(row: StandingText, list: readonly string[] | null): string {
  return canonicalJson({
    id: row.id,
    owner: row.owner,
    account: row.account,
    app: row.app,
    endpoint: row.endpoint,
    definition_version: row.definition_version,
    per_day: row.per_day,
    field: row.field,
    allowed: list,
    until: row.until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    // What is for all keys says nothing of it, as before there was the choice.
    ...(row.key_line !== null && { key_line: row.key_line }),
  })
}

/** Proof that the owner made this standing approval. */
export function standingProof(
  ctx: Pick<Context, 'secrets'>,
  row: StandingText,
  list: readonly string[] | null,
): string {
  const { id, key } = newestKey(ctx.secrets.approval)
  return `${id}.${mac(key, 'standing', standingText(row, list))}`
}

/** Whether a standing approval is as its owner made it. `list` may throw. */
export function standingMatches(
  ctx: Pick<Context, 'secrets'>,
  row: StandingText,
  list: () => readonly string[] | null,
  proof: string,
): boolean {
  return verify(ctx, proof, 'standing', () => standingText(row, list()))
}

/** An endpoint of an owner. */
export interface SwitchPlace {
  readonly owner: string
  readonly app: string
  readonly endpoint: string
  /** The line of the key that it is switched off for; undefined: for all, of which it says nothing, as before there was the choice. */
  readonly keyLine?: string
}

const switchText = ({ owner, app, endpoint, keyLine }: SwitchPlace): string =>
  canonicalJson({ owner, app, endpoint, confirm: false, ...(keyLine !== undefined && { key_line: keyLine }) })

/** Proof that the owner switched asking off. */
export function switchProof(ctx: Pick<Context, 'secrets'>, place: SwitchPlace): string {
  const { id, key } = newestKey(ctx.secrets.approval)
  return `${id}.${mac(key, 'switch', switchText(place))}`
}

/** Whether the owner switched asking off in just this place. */
export function switchMatches(ctx: Pick<Context, 'secrets'>, place: SwitchPlace, proof: string): boolean {
  return verify(ctx, proof, 'switch', () => switchText(place))
}

/** Whether it is `<key id>.<…>` of the text. `text` may throw: what cannot be opened is not what was shown. */
export function verify(ctx: Pick<Context, 'secrets'>, given: string, purpose: string, text: () => string): boolean {
  const key = ctx.secrets.approval.get(given.split('.', 1)[0] ?? '')
  if (key === undefined) return false
  let expected: string
  try {
    expected = mac(key, purpose, text())
  } catch {
    return false
  }
  return equalTexts(given.slice(given.indexOf('.') + 1), expected)
}
