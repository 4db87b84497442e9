import type { CallStatus, WaitingFor } from '../../schemas/call.ts'
import { errorInfo, isErrorCode, storedError } from '../../schemas/errors.ts'
import type { StoredError } from '../../schemas/errors.ts'
import { endedRounds } from '../approvals/seen.ts'
import { connectUrl } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { CallRow } from './rows.ts'
import { viewCall } from '../temporal/call-runs.ts'
import { openPayload, placeOf } from './payload.ts'

/** The body of GET /calls/{call_id}. Fields that do not apply are absent. Source: contract, "A call". */
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
  /** How often the person was asked once more, as what matters had changed in the app. */
  readonly asked_again?: number
  /** The rounds of asking that ended so: each was approved, and nothing was sent. */
  readonly rounds?: readonly { readonly by: string; readonly approved_at: string; readonly ended_at: string }[]
  readonly retry_at?: string
  readonly confirm_url?: string
  readonly connect_url?: string
  readonly credits_used: number
  readonly output?: unknown
  readonly error?: StoredError & { readonly request_id: string }
  readonly decision?: DecisionRecord
  readonly resolution?: { readonly happened: boolean; readonly by: string; readonly at: string }
}

/** What the person said, or had said in advance. */
export interface DecisionRecord {
  /** `owner`, or the id of the standing approval. */
  readonly by: string
  readonly at: string
  readonly decision: 'approved' | 'rejected'
  /** The person's words. */
  readonly reason?: string
  /** JSON paths of the input that they changed before. */
  readonly changed?: readonly string[]
}

export function confirmUrl(publicUrl: string, callId: string): string {
  return `${publicUrl}/confirm/${callId}`
}

/** The call as its owner sees it, from the row and, while it runs, from its workflow. */
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

/** Who decided, as clients are told. */
const byOf = ({ owner }: Pick<CallRow, 'owner'>, by: string): string => (by === owner ? 'owner' : by)

/** What a call waits for besides its person's decision; undefined when it is being sent, or over. */
async function waitsFor(ctx: Context, row: CallRow): Promise<WaitingFor | undefined> {
  if (row.status === 'awaiting_confirmation') return needsSignIn(row) ? 'reconnect' : undefined
  if (row.status !== 'running') return undefined
  if (row.waiting_for !== null) return row.waiting_for === 'rate_limited' ? 'blocked' : row.waiting_for
  if (row.send !== 'ready') return undefined
  // An app whose connector is broken is mended by them, too.
  if (row.app_paused || ctx.apps.broken.has(row.app)) return 'operator'
  if (!ctx.engine.up) return 'engine'
  const view = await viewCall(ctx, row.id)
  if (view === 'missing') return 'engine'
  if (view?.phase === 'sending') return 'pacing'
  // It lets another call try first whether the pause is over.
  return view?.phase === 'blocked' ? 'blocked' : undefined
}

/** What a waiting call names cannot be looked up in the app before the person has signed in there again. */
export function needsSignIn(row: Pick<CallRow, 'status' | 'waiting_for'>): boolean {
  return row.status === 'awaiting_confirmation' && row.waiting_for === 'reconnect'
}

/** That nobody decided in time, or that the call was taken back, is no decision about it: the status tells. */
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

/** The person's words about their decision. */
function openReason(ctx: Pick<Context, 'secrets'>, row: CallRow): string | undefined {
  if (row.decision_reason === null) return undefined
  return String(openPayload(ctx.secrets, placeOf(row), 'decision_reason', row.decision_reason))
}

/** Why the agent asks, in its own words. */
export function openWhy(ctx: Pick<Context, 'secrets'>, row: CallRow): string | undefined {
  return row.why === null ? undefined : String(openPayload(ctx.secrets, placeOf(row), 'why', row.why))
}

/** What the agent asked for, where the person changed it. */
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

/** The code alone stays: the rest is forgotten after a while, and never kept where the account's data key could not be opened. */
function errorOfCode(kept: string | null): StoredError {
  const code = kept !== null && isErrorCode(kept) ? kept : 'internal'
  return storedError(code, `${errorInfo(code).remedy} Its details are not kept.`)
}
