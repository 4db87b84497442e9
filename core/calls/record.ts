import type { CallStatus, WaitingFor } from '../../schemas/call.ts'
import { errorInfo, isErrorCode, storedError } from '../../schemas/errors.ts'
import type { StoredError } from '../../schemas/errors.ts'
import { endedRounds } from '../approvals/seen.ts'
import { connectUrl } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Metadata } from './metadata.ts'
import type { CallRow } from './rows.ts'
import { viewCall } from '../temporal/call-runs.ts'
import { openPayload, placeOf } from './payload.ts'

/** Body of GET /calls/{call_id}; absent fields do not apply. Source: contract, "A call". */
export interface CallRecord {
  readonly call_id: string
  readonly app: string
  readonly endpoint: string
  readonly account: string
  readonly status: CallStatus
  readonly waiting_for?: WaitingFor
  readonly created_at: string
  readonly updated_at: string
  readonly expires_at?: string
  /** How often approval was requested again because relevant values had changed in the app. */
  readonly asked_again?: number
  /** The earlier rounds: each was approved, and nothing was sent. */
  readonly rounds?: readonly { readonly by: string; readonly approved_at: string; readonly ended_at: string }[]
  readonly retry_at?: string
  readonly confirm_url?: string
  readonly connect_url?: string
  readonly credits_used: number
  readonly output?: unknown
  readonly error?: StoredError & { readonly request_id: string }
  readonly decision?: DecisionRecord
  /** What the client attached. */
  readonly metadata?: Metadata
  readonly resolution?: { readonly happened: boolean; readonly by: string; readonly at: string }
}

/** A decision by the user or by an approval rule. */
export interface DecisionRecord {
  /** `owner`, or the id of the approval rule. */
  readonly by: string
  readonly at: string
  readonly decision: 'approved' | 'rejected'
  /** The user's reason. */
  readonly reason?: string
  /** JSON paths of the input that the user edited before approving. */
  readonly changed?: readonly string[]
}

export function confirmUrl(publicUrl: string, callId: string): string {
  return `${publicUrl}/confirm/${callId}`
}

/** The call as its user sees it, from the row and, while it runs, from its workflow. */
export async function callRecord(ctx: Context, row: CallRow): Promise<CallRecord> {
  const { publicUrl } = ctx.config
  const waitingFor = await waitsFor(ctx, row)
  const decision = decisionOf(ctx, row)
  return {
    call_id: row.id,
    app: row.app,
    endpoint: row.endpoint,
    account: row.account,
    status: row.status,
    ...(waitingFor && { waiting_for: waitingFor }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ...(row.expires_at && { expires_at: row.expires_at.toISOString() }),
    ...(row.round > 1 && { asked_again: row.round - 1, rounds: await roundsOf(ctx, row) }),
    ...(waitingFor === 'blocked' && row.retry_at && { retry_at: row.retry_at.toISOString() }),
    ...(row.confirm && { confirm_url: confirmUrl(publicUrl, row.id) }),
    ...(waitingFor === 'reconnect' && { connect_url: connectUrl(publicUrl, row.app, row.account) }),
    credits_used: row.credits_used,
    ...(row.output && { output: openOutput(ctx, row) }),
    ...(row.status === 'failed' && { error: { ...openError(ctx, row), request_id: row.id } }),
    ...(decision && { decision }),
    ...(row.metadata && { metadata: row.metadata }),
    ...(row.resolution && { resolution: { ...row.resolution, at: new Date(row.resolution.at).toISOString() } }),
  }
}

async function roundsOf(ctx: Context, row: CallRow): Promise<NonNullable<CallRecord['rounds']>> {
  return (await endedRounds(ctx, row)).map(({ by, approvedAt, endedAt }) => ({
    by: byOf(row, by),
    approved_at: approvedAt.toISOString(),
    ended_at: endedAt.toISOString(),
  }))
}

/** Who decided, as clients see it. */
const byOf = ({ owner }: Pick<CallRow, 'owner'>, by: string): string => (by === owner ? 'owner' : by)

/** What a call waits for besides the decision; undefined: it is being sent, or final. */
async function waitsFor(ctx: Context, row: CallRow): Promise<WaitingFor | undefined> {
  if (row.status === 'awaiting_confirmation') return needsSignIn(row) ? 'reconnect' : undefined
  if (row.status !== 'running') return undefined
  if (row.waiting_for !== null) return row.waiting_for === 'rate_limited' ? 'blocked' : row.waiting_for
  if (row.send !== 'ready') return undefined
  // Operators also repair an app whose connector is broken.
  if (row.app_paused || ctx.apps.broken.has(row.app)) return 'operator'
  if (!ctx.engine.up) return 'engine'
  const view = await viewCall(ctx, row.id)
  if (view === 'missing') return 'engine'
  if (view?.phase === 'sending') return 'pacing'
  // It waits for another call's probe.
  return view?.phase === 'blocked' ? 'blocked' : undefined
}

/** The call's entities cannot be previewed until the user signs in to the app again. */
export function needsSignIn(row: Pick<CallRow, 'status' | 'waiting_for'>): boolean {
  return row.status === 'awaiting_confirmation' && row.waiting_for === 'reconnect'
}

/** Undefined for an expired or cancelled call: its status says it. */
export function decisionOf(ctx: Pick<Context, 'secrets'>, row: CallRow): DecisionRecord | undefined {
  const { decision, decided_at: at, decided_by: by, changed } = row
  if ((decision !== 'approved' && decision !== 'rejected') || at === null || by === null) return undefined
  const reason = openReason(ctx, row)
  return {
    by: byOf(row, by),
    at: at.toISOString(),
    decision,
    ...(reason !== undefined && { reason }),
    ...(changed && { changed }),
  }
}

/** The user's reason for the decision. */
function openReason(ctx: Pick<Context, 'secrets'>, row: CallRow): string | undefined {
  if (row.decision_reason === null) return undefined
  return String(openPayload(ctx.secrets, placeOf(row), 'decision_reason', row.decision_reason))
}

/** Why the agent makes the call, in its own words. */
export function openWhy(ctx: Pick<Context, 'secrets'>, row: CallRow): string | undefined {
  return row.why === null ? undefined : String(openPayload(ctx.secrets, placeOf(row), 'why', row.why))
}

/** The agent's original input, if the user edited it. */
export function openOriginal(ctx: Pick<Context, 'secrets'>, row: CallRow): Record<string, unknown> | undefined {
  if (row.original === null) return undefined
  return openPayload(ctx.secrets, placeOf(row), 'original', row.original) as Record<string, unknown>
}

export function openInput(
  ctx: Pick<Context, 'secrets'>,
  row: Pick<CallRow, 'id' | 'owner' | 'account' | 'data_key' | 'input'>,
): Record<string, unknown> {
  if (row.input === null) throw new Error('the input is gone')
  return openPayload(ctx.secrets, placeOf(row), 'input', row.input) as Record<string, unknown>
}

export function openOutput(ctx: Pick<Context, 'secrets'>, row: CallRow): Record<string, unknown> | undefined {
  if (row.output === null) return undefined
  return openPayload(ctx.secrets, placeOf(row), 'output', row.output) as Record<string, unknown>
}

export function openError(
  ctx: Pick<Context, 'secrets'>,
  row: Pick<CallRow, 'id' | 'owner' | 'account' | 'data_key' | 'error' | 'error_code'>,
): StoredError {
  if (row.error === null) return errorOfCode(row.error_code)
  return openPayload(ctx.secrets, placeOf(row), 'error', row.error) as StoredError
}

/** Details expire, and are never stored if the account's data key could not be opened. */
function errorOfCode(kept: string | null): StoredError {
  const code = kept !== null && isErrorCode(kept) ? kept : 'internal'
  return storedError(code, `${errorInfo(code).remedy} Its details are not kept.`)
}
