import { connectUrl } from '../accounts/accounts.ts'
import type { CallRow } from '../calls/rows.ts'
import { confirmUrl, decisionOf, needsSignIn, openError, openOutput } from '../calls/record.ts'
import type { DecisionRecord } from '../calls/record.ts'
import type { CallStatus } from '../../schemas/call.ts'
import { httpTerms } from '../../schemas/errors.ts'
import type { Terms } from '../../schemas/errors.ts'
import { basePath } from './api.ts'
import type { Api } from './api.ts'

/** The answer to a client about its call, over HTTP and in MCP tools. */
export interface CallAnswer {
  readonly status: number
  readonly callId: string
  readonly creditsUsed: number
  readonly replayed: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  /** An addition to the message. */
  readonly note?: string
  /** For the metrics: the call's status. */
  readonly outcome: CallStatus
  /** The approver's decision, once made. */
  readonly decision?: DecisionRecord
  /** How often the approver was asked again. */
  readonly askedAgain?: number
}

type Call = Pick<CallAnswer, 'callId' | 'replayed'>

/** The answer for the call's row, in the terms of the client's protocol. */
export function answerOf(api: Api, row: CallRow, replayed: boolean, terms: Terms = httpTerms): CallAnswer {
  const decision = decisionOf(api.ctx, row)
  return { ...statusOf(api, row, replayed, terms), ...(decision && { decision }), askedAgain: row.round - 1 }
}

function statusOf(api: Api, row: CallRow, replayed: boolean, terms: Terms): CallAnswer {
  const call = { callId: row.id, replayed, creditsUsed: row.credits_used }
  if (row.status === 'executed') return executed(api, row, call)
  if (row.status === 'failed') return failed(api, row, call, terms)
  if (row.status === 'awaiting_confirmation') return awaiting(api, row, call)
  return { ...stillThere(api, call, row.status), creditsUsed: row.credits_used }
}

/** The call was accepted; its state cannot be read now. */
export function running(api: Api, call: Call): CallAnswer {
  return stillThere(api, call, 'running')
}

/** Outputs are kept for a limited time; a replay may come later. */
function executed(api: Api, row: CallRow, call: Call & { readonly creditsUsed: number }): CallAnswer {
  const message = 'The call was executed; its output is not kept any more.'
  const body = openOutput(api.ctx, row) ?? { status: row.status, call_id: row.id, message }
  return { ...call, status: 200, headers: {}, body, outcome: 'executed' }
}

function awaiting(api: Api, row: CallRow, call: Call): CallAnswer {
  const answer = stillThere(api, call, 'awaiting_confirmation')
  const { status, call_id, message } = answer.body
  const { publicUrl } = api.ctx.config
  const signIn = needsSignIn(row) && {
    waiting_for: 'reconnect',
    connect_url: connectUrl(publicUrl, row.app, row.account),
  }
  const first = signIn ? 'The person must also sign in to the app again, at connect_url. ' : ''
  const until = { confirm_url: confirmUrl(publicUrl, row.id), expires_at: row.expires_at?.toISOString() }
  return { ...answer, body: { status, call_id, ...signIn, ...until, message: `${first}${message}` } }
}

function failed(
  api: Api,
  row: CallRow,
  call: Call & { readonly creditsUsed: number },
  { idempotencyKey }: Terms,
): CallAnswer {
  const { http_status, error, message, ...fields } = openError(api.ctx, row)
  const again = call.replayed ? ` This is the first answer again: a new try needs a new ${idempotencyKey}.` : ''
  return {
    ...call,
    status: http_status,
    headers: retryAfter(fields),
    body: { error, message: `${message}${again}`, request_id: row.id, ...fields },
    outcome: 'failed',
  }
}

/** A stored error has `retry_after` (seconds) or `retry_at` (timestamp). */
function retryAfter(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const { retry_after: seconds, retry_at: moment } = fields
  const wait = typeof moment === 'string' ? (Date.parse(moment) - Date.now()) / 1000 : seconds
  if (typeof wait !== 'number' || Number.isNaN(wait)) return {}
  return { 'Retry-After': String(Math.max(1, Math.ceil(wait))) }
}

type Accepted = Exclude<CallStatus, 'executed' | 'failed'>

/** Message of each 202, and seconds until the client should read again (Retry-After). */
const told: Readonly<Record<Accepted, readonly [message: string, lookAgain: number]>> = {
  awaiting_confirmation: [
    'Nothing has been sent yet. The person must open confirm_url and approve; then read the result from the Location address. Do not send this call again.',
    10,
  ],
  running: [
    'The call was accepted and is still running. Read the result from the Location address. Do not send it again.',
    2,
  ],
  unknown: [
    'The request was sent, but whether the app carried it out is not known. It is not sent again by itself. Check in the app before trying again. No credits were used.',
    60,
  ],
  rejected: ['The person rejected this call. Nothing was sent, no credits were used.', 60],
  expired: ['Nobody decided about this call in time. Nothing was sent, no credits were used.', 60],
  cancelled: ['This call was cancelled. Nothing was sent, no credits were used.', 60],
}

export function messageOfStatus(status: Accepted): string {
  return told[status][0]
}

interface StillThere extends CallAnswer {
  readonly body: { readonly status: Accepted; readonly call_id: string; readonly message: string }
}

function stillThere(api: Api, { callId, replayed }: Call, status: Accepted): StillThere {
  const [message, lookAgain] = told[status]
  return {
    status: 202,
    callId,
    replayed,
    creditsUsed: 0,
    headers: { Location: `${api.ctx.config.publicUrl}${basePath}/calls/${callId}`, 'Retry-After': String(lookAgain) },
    body: { status, call_id: callId, message },
    outcome: status,
  }
}
