import { approvalProof, standingMatches } from './approval.ts'
import type { ApprovedRow } from './approval.ts'
import type { Context } from '../context.ts'
import { noteTampered } from '../security-log.ts'
import { openWithAny, unwrapDataKeys } from '../secrets/crypto.ts'
import { standingFields } from './standing-fields.ts'
import { standingAt, standingOf } from './standing-rows.ts'
import type { StandingRow } from './standing-rows.ts'

const prefix = 'sta_'

/** Whether an approval rule decided the call, judged by the id in `decided_by`. */
export function isStanding(decidedBy: string | null): decidedBy is string {
  return decidedBy?.startsWith(prefix) === true
}

/** The context that a rule's list is sealed for; it opens in no other. */
export function aboutList({ id, owner, account }: Pick<StandingRow, 'id' | 'owner' | 'account'>): string {
  return `standing:${id}:allowed:${owner}:${account}`
}

/** The allowed values of its field; null: no restriction. Throws when the bytes were altered. */
export function openList(ctx: Pick<Context, 'secrets'>, row: StandingRow): readonly string[] | null {
  if (row.allowed === null) return null
  const plain = openWithAny(unwrapDataKeys(ctx.secrets, row.account, row.data_key), aboutList(row), row.allowed)
  return JSON.parse(plain.toString('utf8')) as string[]
}

/**
 * `stands`: active. `over`: expired. `gone`: the app currently lacks this write or the field;
 * active again if that returns. `invalid`: the proof does not verify, as its key is gone or the row
 * was altered (indistinguishable).
 */
export type StandingState = 'stands' | 'revoked' | 'over' | 'gone' | 'invalid'

export function stateOf(ctx: Pick<Context, 'secrets' | 'apps'>, row: StandingRow): StandingState {
  if (row.revoked_at !== null) return 'revoked'
  if (!proven(ctx, row)) return 'invalid'
  if (row.over) return 'over'
  return isThere(ctx, row) ? 'stands' : 'gone'
}

/** A rule covers calls of its action and account within its bounds, however the action changes. */
function isThere(ctx: Pick<Context, 'apps'>, row: StandingRow): boolean {
  const endpoint = ctx.apps.get(row.app)?.endpoints.get(row.endpoint)
  if (endpoint?.access !== 'write') return false
  return row.field === null || standingFields(endpoint).some(({ name }) => name === row.field)
}

function proven(ctx: Pick<Context, 'secrets'>, row: StandingRow): boolean {
  return row.proof !== null && standingMatches(ctx, row, () => openList(ctx, row), row.proof)
}

/** Whether the input is within the list: never if missing or empty; of several, all must be. */
export function isListed(
  row: Pick<StandingRow, 'field'>,
  list: readonly string[] | null,
  input: Readonly<Record<string, unknown>>,
): boolean {
  if (row.field === null) return true
  const value = Object.hasOwn(input, row.field) ? input[row.field] : undefined
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.length > 0 && values.every((one) => typeof one === 'string' && list?.includes(one) === true)
}

/** What `accept_call` needs to let a rule approve the call. */
export interface Standing {
  readonly ids: readonly string[]
  /** Calls per day of each rule; null: unlimited. */
  readonly perDay: readonly (number | null)[]
  /** Each rule's proof that it approves exactly this call. */
  readonly proofs: readonly string[]
  /** The approval deadline that the proofs are made for. */
  readonly decideUntil: Date
}

/** The rules that cover a call of the key, budgets aside; undefined: none. */
export async function coveringCall(
  ctx: Context,
  call: Omit<ApprovedRow, 'expires_at'>,
  input: Readonly<Record<string, unknown>>,
  { keyId, expirySeconds }: { readonly keyId: string; readonly expirySeconds: number },
): Promise<Standing | undefined> {
  const rows = await standingAt(ctx.db, call, keyId)
  const covering = rows.filter((row) => proves(ctx, row) && isListed(row, openList(ctx, row), input))
  const [first] = covering
  if (first === undefined) return undefined
  const decideUntil = new Date(first.now.getTime() + expirySeconds * 1_000)
  const approved = { ...call, expires_at: decideUntil }
  return {
    ids: covering.map(({ id }) => id),
    perDay: covering.map(({ per_day }) => per_day),
    proofs: covering.map(({ id }) => approvalProof(ctx, approved, id)),
    decideUntil,
  }
}

/** Whether the rule that approved a call is still active for its account and endpoint. */
export async function stillStands(
  ctx: Context,
  call: Pick<ApprovedRow, 'owner' | 'account' | 'app' | 'endpoint'>,
  id: string,
): Promise<boolean> {
  const row = await standingOf(ctx.db, call.owner, id)
  if (row === undefined || row.account !== call.account || row.app !== call.app || row.endpoint !== call.endpoint)
    return false
  return proves(ctx, row)
}

/** Whether the rule is active. Records one whose proof does not verify as tampered. */
function proves(ctx: Context, row: StandingRow): boolean {
  const state = stateOf(ctx, row)
  if (state === 'invalid') noteTampered(ctx, `standing:${row.id}`)
  return state === 'stands'
}
