import { connectUrl } from '../../core/accounts/accounts.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { confirmUrl, decisionOf, needsSignIn, openError, openOutput } from '../../core/calls/record.ts'
import type { DecisionRecord } from '../../core/calls/record.ts'
import type { CallStatus } from '../../schemas/call.ts'
import { httpTerms } from '../../schemas/errors.ts'
import type { Terms } from '../../schemas/errors.ts'
import { basePath } from './api.ts'
import type { Api } from './api.ts'

/** What a client is told about its call, over HTTP and in tools. */
export interface CallAnswer {
  readonly status: number
  readonly callId: string
  readonly creditsUsed: number
  readonly replayed: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  /** For the metrics: the call's status. */
  readonly outcome: CallStatus
  /** What the person said, once they have. */
  readonly decision?: DecisionRecord
  /** How often they were asked once more. */
  readonly askedAgain?: number
}

type Call = Pick<CallAnswer, 'callId' | 'replayed'>

/** The answer that the call's row calls for, in the terms of whoever asked. */
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

/** The call was accepted, and more is not known now. */
export function running(api: Api, call: Call): CallAnswer {
  return stillThere(api, call, 'running')
}

/** An output is kept for a limited time, and a replay may come later. */
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
  const until = { confirm_url: confirmUrl(publicUrl, row.id), expires_at: row.expires_at?.toISOString() }
  return { ...answer, body: { status, call_id, ...signIn, ...until, message } }
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

/** A stored error says when to come again in seconds, or as a moment. */
function retryAfter(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const { retry_after: seconds, retry_at: moment } = fields
  const wait = typeof moment === 'string' ? (Date.parse(moment) - Date.now()) / 1000 : seconds
  if (typeof wait !== 'number' || Number.isNaN(wait)) return {}
  return { 'Retry-After': String(Math.max(1, Math.ceil(wait))) }
}

type Accepted = Exclude<CallStatus, 'executed' | 'failed'>

/** What each 202 says, and after how many seconds to look again. */
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
