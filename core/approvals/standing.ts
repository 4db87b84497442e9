import { approvalProof, standingMatches } from './approval.ts'
import type { ApprovedRow } from './approval.ts'
import type { Context } from '../context.ts'
import { noteTampered } from '../security-log.ts'
import { openWithAny, unwrapDataKeys } from '../secrets/crypto.ts'
import { standingFields } from './standing-fields.ts'
import { standingAt, standingOf } from './standing-rows.ts'
import type { StandingRow } from './standing-rows.ts'

const prefix = 'sta_'

/** Whether a call was decided by a standing approval, told by who decided it. */
export function isStanding(decidedBy: string | null): decidedBy is string {
  return decidedBy?.startsWith(prefix) === true
}

/** Where the list of a standing approval belongs: it opens nowhere else. */
export function aboutList({ id, owner, account }: Pick<StandingRow, 'id' | 'owner' | 'account'>): string {
  return `standing:${id}:allowed:${owner}:${account}`
}

/** The values that its field may have; null when it is bound to none. Throws when the bytes were changed. */
export function openList(ctx: Pick<Context, 'secrets'>, row: StandingRow): readonly string[] | null {
  if (row.allowed === null) return null
  const plain = openWithAny(unwrapDataKeys(ctx.secrets, row.account, row.data_key), aboutList(row), row.allowed)
  return JSON.parse(plain.toString('utf8')) as string[]
}

/**
 * `gone`: the app has no such write, or no such field of it to bind, at present; it stands again if that comes back. `invalid`: its proof does not verify, because its key is gone
 * or because somebody changed the row; nobody can tell these two apart for certain.
 */
export type StandingState = 'stands' | 'revoked' | 'over' | 'gone' | 'invalid'

export function stateOf(ctx: Pick<Context, 'secrets' | 'apps'>, row: StandingRow): StandingState {
  if (row.revoked_at !== null) return 'revoked'
  if (!proven(ctx, row)) return 'invalid'
  if (row.over) return 'over'
  return isThere(ctx, row) ? 'stands' : 'gone'
}

/** It says "calls of this action, on this account, within these bounds", whatever the action is made of by now. */
function isThere(ctx: Pick<Context, 'apps'>, row: StandingRow): boolean {
  const endpoint = ctx.apps.get(row.app)?.endpoints.get(row.endpoint)
  if (endpoint?.access !== 'write') return false
  return row.field === null || standingFields(endpoint).some(({ name }) => name === row.field)
}

function proven(ctx: Pick<Context, 'secrets'>, row: StandingRow): boolean {
  return row.proof !== null && standingMatches(ctx, row, () => openList(ctx, row), row.proof)
}

/** Whether a call with this input is within the list: an empty or missing value never is, of several each has to be. */
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

/** What `accept_call` needs to let one of them approve the call. */
export interface Standing {
  readonly ids: readonly string[]
  /** The budget of each; null = none. */
  readonly perDay: readonly (number | null)[]
  /** Of each, that it approves exactly this call. */
  readonly proofs: readonly string[]
  /** The end of the time to decide that the proofs are made for. */
  readonly decideUntil: Date
}

/** The standing approvals that cover a call of the key, their budgets aside. */
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

/** Whether the standing approval that approved a call still stands for its account and endpoint. */
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

/** Whether it approves calls now. One that does not verify is noted. */
function proves(ctx: Context, row: StandingRow): boolean {
  const state = stateOf(ctx, row)
  if (state === 'invalid') noteTampered(ctx, `standing:${row.id}`)
  return state === 'stands'
}
