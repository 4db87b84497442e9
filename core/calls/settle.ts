import { ApplicationFailure } from '@temporalio/activity'
import type { Exchange } from '../../connectors/runtime/exchange.ts'
import { isFinal } from '../../schemas/call.ts'
import type { FinalStatus, ReconnectCode, SendOutcome } from '../../schemas/call.ts'
import type { ErrorCode, ErrorFields } from '../../schemas/errors.ts'
import { connectUrl } from '../accounts/accounts.ts'
import { noteSessionState } from '../accounts/sessions.ts'
import type { Context } from '../context.ts'
import { refusalOf } from './refusal.ts'
import { settleSent } from './rows.ts'
import { block, endPause, returnProbe } from './blocks.ts'
import { nextAttempt, noteChanged } from './sending-rows.ts'
import type { SendRow } from './sending-rows.ts'
import { finalOutcome } from './evidence.ts'
import { failPointUnanswered } from '../fail-point.ts'
import { traced } from '../tracing.ts'
import { lostRight } from '../temporal/failures.ts'
import { noteChange } from '../watch/changes.ts'
import { keptError, placeOf, sealPayload } from './payload.ts'

/** Public error code of each outcome that needs a new sign-in. */
export const reconnectCodes = {
  auth_expired: 'AUTH_EXPIRED',
  captcha: 'CAPTCHA_REQUIRED',
  mfa: 'MFA_REQUIRED',
} as const satisfies Record<string, ReconnectCode>

/** A call settled by its sender or, without `sentBy`, by a check that found it must not be sent. */
type SentRow = SendRow & { readonly sentBy?: number }

/**
 * Turns an exchange with the app into the call's end, its next attempt or, for a read, a retry.
 * `row.session_version` is the version that the app knows now: a sign-in since has another one.
 */
export async function settleExchange(
  ctx: Context,
  row: SentRow,
  exchange: Exchange,
  lastTry: boolean,
): Promise<SendOutcome> {
  const attributes = { 'callgate.call': row.id, 'callgate.outcome': exchange.outcome.kind }
  return traced('settle', { attributes }, () => settle(ctx, row, exchange, lastTry))
}

async function settle(
  ctx: Context,
  row: SentRow,
  { outcome, sent, excerpt }: Exchange,
  lastTry: boolean,
): Promise<SendOutcome> {
  ctx.outcomes.count(row, outcome)
  const probing = row.paused_until !== null
  if (probing && outcome.kind !== 'ok' && outcome.kind !== 'blocked') await returnProbe(ctx.db, row)
  switch (outcome.kind) {
    case 'ok':
      if (probing) await endPause(ctx.db, row)
      if (row.account_reason !== null) await noteSessionState(ctx.db, row.account, null)
      return end(ctx, row, 'executed', { output: outcome.output })
    case 'blocked':
      return blocked(ctx, row)
    case 'rate_limited':
      return waitOut(ctx, row, outcome.retryAfterMs)
    case 'auth_expired':
    case 'captcha':
    case 'mfa':
      return reconnect(ctx, row, reconnectCodes[outcome.kind])
    case 'rejected': {
      const { fields, message } = refusalOf(outcome)
      return fail(ctx, row, 'app_rejected', fields, message)
    }
    case 'refused':
    case 'app_error':
      return failed(ctx, row, 'app_error', sent, lastTry)
    case 'timeout':
    case 'lost':
      return failed(ctx, row, 'app_timeout', sent, lastTry)
    case 'changed':
      await noteChanged(ctx.db, row.id, row.attempt, outcome.rule)
      ctx.log.warn(
        { call: row.id, app: row.app, endpoint: row.endpoint, rule: outcome.rule },
        'an app answered in a shape that its connector does not know',
      )
      await noteChange(ctx.db, { ...row, kind: 'rule', place: outcome.rule, words: 'in a call', excerpt })
      return failed(ctx, row, 'app_changed', sent, true)
    case 'fenced':
      throw new Error('a fenced exchange has nothing to settle')
  }
}

/** The app failed: a read may be retried; a write is unknown if its bytes went out, else failed. */
function failed(ctx: Context, row: SentRow, code: ErrorCode, sent: boolean, lastTry: boolean): Promise<SendOutcome> {
  if (row.access === 'write') return sent ? end(ctx, row, 'unknown', {}) : fail(ctx, row, code)
  if (!lastTry) throw tryAgain(code)
  return fail(ctx, row, code)
}

/** Ends the call as failed: the app was not changed. */
export function fail(
  ctx: Context,
  row: SentRow,
  code: ErrorCode,
  fields: ErrorFields = {},
  message?: string,
): Promise<SendOutcome> {
  return end(ctx, row, 'failed', { error: { code, fields, message } })
}

async function end(
  ctx: Context,
  row: SentRow,
  status: FinalStatus,
  result: {
    readonly output?: Record<string, unknown>
    readonly error?: { readonly code: ErrorCode; readonly fields: ErrorFields; readonly message: string | undefined }
  },
): Promise<SendOutcome> {
  failPointUnanswered('settle.unanswered')
  const kept = {
    status,
    ...(result.output && { output: sealPayload(ctx.secrets, placeOf(row), 'output', result.output) }),
    ...(result.error && keptError(ctx, row, result.error.code, result.error.fields, result.error.message)),
  }
  const stands = await settleSent(ctx, row.id, row.attempt, kept, row.sentBy)
  if (!isFinal(stands)) throw lostRight()
  return finalOutcome(ctx, row, stands)
}

async function blocked(ctx: Context, row: SendRow): Promise<SendOutcome> {
  const until = await block(ctx.db, row.id, row.attempt)
  if (until === null) throw lostRight()
  return { kind: 'blocked', retryAt: until.getTime(), attempt: row.attempt + 1 }
}

/** The app rate limited the call and did nothing. Only this call waits. */
async function waitOut(ctx: Context, row: SendRow, retryAfterMs: number): Promise<SendOutcome> {
  const retryAt = Date.now() + retryAfterMs
  const attempt = await nextAttempt(ctx.db, row.id, row.attempt, 'rate_limited', new Date(retryAt))
  if (attempt === null) throw lostRight()
  return { kind: 'rate_limited', retryAt, attempt }
}

/** The app needs a new sign-in. An approved call waits for it; any other ends here. */
async function reconnect(ctx: Context, row: SentRow, code: ReconnectCode): Promise<SendOutcome> {
  await noteSessionState(ctx.db, row.account, code, row.session_version)
  if (!row.confirm) {
    return fail(ctx, row, code, { connect_url: connectUrl(ctx.config.publicUrl, row.app, row.account) })
  }
  const attempt = await nextAttempt(ctx.db, row.id, row.attempt, 'reconnect', null)
  if (attempt === null) throw lostRight()
  return { kind: 'reconnect', code, attempt }
}

/** Codes only, as a failure's text stays in Temporal's history. */
function tryAgain(code: ErrorCode): ApplicationFailure {
  return ApplicationFailure.retryable(code, code)
}
