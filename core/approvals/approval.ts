import { createHmac } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'
import type { Context } from '../context.ts'
import { equalTexts, newestKey } from '../secrets/crypto.ts'
import type { CallRow } from '../calls/rows.ts'
import type { StandingRow } from './standing-rows.ts'
import { openPayload, placeOf } from '../calls/payload.ts'
import { openFiles } from '../files/files.ts'

/** The columns of a call that its approval covers, and what opens them. */
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
 * What the approver approves: the request as it will be sent, and for whom, its files by hash, the
 * preview as the page shows it, and the round. A call approved by a rule is rendered when sent, so
 * only its input describes it. Throws when the input is erased or cannot be opened.
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

/** The hash on the confirm page: `<key id>.<HMAC of the RFC 8785 JSON of what will be sent>`. */
export function approvalHash(ctx: Pick<Context, 'secrets'>, row: ApprovedRow): string {
  const { id, key } = newestKey(ctx.secrets.approval)
  return `${id}.${mac(key, 'approval', content(ctx, row))}`
}

/** Proof that `by`, a user or approval rule, approved exactly `row`. Needs the approval key. */
export function approvalProof(ctx: Pick<Context, 'secrets'>, row: ApprovedRow, by: string): string {
  const { id, key } = newestKey(ctx.secrets.approval)
  return `${id}.${mac(key, 'approved', `${by}\0${content(ctx, row)}`)}`
}

/** Whether a page's hash matches the row as it is now. */
export function hashMatches(ctx: Pick<Context, 'secrets'>, row: ApprovedRow, hash: string): boolean {
  return verify(ctx, hash, 'approval', () => content(ctx, row))
}

/** Whether `by` approved the row as it is now. */
export function proofMatches(ctx: Pick<Context, 'secrets'>, row: ApprovedRow, by: string, proof: string): boolean {
  return verify(ctx, proof, 'approved', () => `${by}\0${content(ctx, row)}`)
}

/** Everything that an approval rule's proof covers. */
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
    // Omitted for rules for all keys, so that proofs from before per-key rules stay valid.
    ...(row.key_line !== null && { key_line: row.key_line }),
  })
}

/** Proof that the user created this approval rule. */
export function standingProof(
  ctx: Pick<Context, 'secrets'>,
  row: StandingText,
  list: readonly string[] | null,
): string {
  const { id, key } = newestKey(ctx.secrets.approval)
  return `${id}.${mac(key, 'standing', standingText(row, list))}`
}

/** Whether an approval rule is unaltered since its user created it. `list` may throw. */
export function standingMatches(
  ctx: Pick<Context, 'secrets'>,
  row: StandingText,
  list: () => readonly string[] | null,
  proof: string,
): boolean {
  return verify(ctx, proof, 'standing', () => standingText(row, list()))
}

/** An endpoint of a user, to which an approval policy applies. */
export interface SwitchPlace {
  readonly owner: string
  readonly app: string
  readonly endpoint: string
  /** Lineage of the key that never asks; undefined: all keys, omitted so that old proofs hold. */
  readonly keyLine?: string
}

const switchText = ({ owner, app, endpoint, keyLine }: SwitchPlace): string =>
  canonicalJson({ owner, app, endpoint, confirm: false, ...(keyLine !== undefined && { key_line: keyLine }) })

/** Proof that the user set the endpoint to never ask. */
export function switchProof(ctx: Pick<Context, 'secrets'>, place: SwitchPlace): string {
  const { id, key } = newestKey(ctx.secrets.approval)
  return `${id}.${mac(key, 'switch', switchText(place))}`
}

/** Whether the user set exactly this endpoint, for this key, to never ask. */
export function switchMatches(ctx: Pick<Context, 'secrets'>, place: SwitchPlace, proof: string): boolean {
  return verify(ctx, proof, 'switch', () => switchText(place))
}

/** Whether `given` is `<key id>.<…>` of the text. False if `text` throws or the key is gone. */
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
