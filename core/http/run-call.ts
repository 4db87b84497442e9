import { accept } from '../calls/accept.ts'
import { checkAccess } from '../keys/access.ts'
import type { Acceptance } from '../calls/accept.ts'
import { findCall } from '../calls/rows.ts'
import type { CallRow } from '../calls/rows.ts'
import { findEarlier } from '../calls/idempotency.ts'
import { addressesIn } from '../files/files.ts'
import type { ApiKey } from '../keys/rows.ts'
import { engineIsUp } from '../temporal/health.ts'
import { traced } from '../tracing.ts'
import { startCall } from '../temporal/call-runs.ts'
import { failPoint } from '../fail-point.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { AdmissionSignal } from '../../config.ts'
import { CallgateError, httpTerms } from '../../schemas/errors.ts'
import type { Message, Terms } from '../../schemas/errors.ts'
import { answerOf, running } from './answers.ts'
import type { CallAnswer } from './answers.ts'
import type { Api } from './api.ts'
import type { Metadata } from '../calls/metadata.ts'
import { unavailable } from './unavailable.ts'
import { waitForCall, waitForPreview } from './wait.ts'

/** A client's validated request to an endpoint. */
export interface CallRequest {
  readonly input: Readonly<Record<string, unknown>>
  /** X-Callgate-Account as sent. */
  readonly account: string | undefined
  readonly idempotencyKey: string | undefined
  /** The agent's reason, shown to the approver. */
  readonly why?: string | undefined
  /** The client's self-reported name. */
  readonly client?: string | undefined
  readonly metadata?: Metadata | undefined
  /** How long the client wants to wait for the call to end. */
  readonly waitMs: number
}

export interface WantedCall extends CallRequest {
  readonly key: ApiKey
  readonly endpoint: Endpoint
  /** IP address of the client. */
  readonly address: string
  /** Terms of the protocol of the answer. Default: HTTP. */
  readonly terms?: Terms
  /** See `accept`. */
  readonly answerDue?: boolean
}

/**
 * Accepts a validated call, starts it and waits for its end. Throws the CallgateError of a call
 * that was not accepted; after acceptance it always answers, at worst that the call is running.
 */
export async function runCall(api: Api, wanted: WantedCall): Promise<CallAnswer> {
  const accepted = await acceptCall(api, wanted)
  const answer = await afterAcceptance(api, wanted, accepted)
  api.metrics.answers.inc({ app: wanted.endpoint.app, status: answer.outcome })
  return answer
}

async function acceptCall(api: Api, wanted: WantedCall): Promise<Acceptance> {
  const { key, endpoint, input, account, idempotencyKey, why, client, metadata, answerDue } = wanted
  const request = {
    owner: key.owner,
    keyId: key.id,
    endpoint,
    input,
    account,
    idempotencyKey,
    why,
    client,
    metadata,
    answerDue,
  }
  try {
    const overloaded = api.admission.refusal()
    if (!engineIsUp(api.ctx)) await checkWithoutEngine(api, wanted)
    else if (overloaded !== undefined && !(await isEarlier(api, wanted))) throw turnAway(api, overloaded)
    const { app, name } = endpoint
    return await traced('accept', { attributes: { 'callgate.app': app, 'callgate.endpoint': name } }, async (span) => {
      const accepted = await countedIn(api, wanted, () => accept(api.ctx, request))
      span.setAttributes({ 'callgate.call': accepted.callId, 'callgate.replayed': accepted.replayed })
      return accepted
    })
  } catch (error) {
    const status = error instanceof CallgateError ? error.code : 'refused'
    if (beyondLimits.has(status)) api.ctx.security.note('access_refused', wanted.address, key.id)
    api.metrics.answers.inc({ app: endpoint.app, status })
    throw error
  }
}

/** A key that exceeds its permissions, or that has just ended. */
const beyondLimits: ReadonlySet<string> = new Set(['api_key_invalid', 'access_not_granted', 'SCOPE_DENIED'])

/** Calls that first fetch files wait for other servers, and are limited separately. */
function countedIn<T>(api: Api, { endpoint, input }: WantedCall, run: () => Promise<T>): Promise<T> {
  return addressesIn(endpoint, input).length > 0 ? run() : api.admission.accepting(run)
}

/** Without Temporal new calls are refused, but accepted ones are still answered. */
async function checkWithoutEngine(api: Api, wanted: WantedCall): Promise<void> {
  await checkAccess(api.ctx, wanted.key, wanted.endpoint)
  if (!(await isEarlier(api, wanted))) throw unavailable()
}

async function isEarlier({ ctx }: Api, { key, idempotencyKey }: WantedCall): Promise<boolean> {
  return idempotencyKey !== undefined && (await findEarlier(ctx.db, key.id, idempotencyKey)) !== undefined
}

const busy: Message = ({ retryAfter }) =>
  `Callgate has more to do right now than it can take. Nothing was accepted, sent or charged; try again after ${retryAfter}.`

function turnAway({ metrics, ctx }: Api, signal: AdmissionSignal): CallgateError {
  metrics.turnedAway.inc({ signal })
  ctx.log.warn({ signal }, 'a call was not taken: there is too much to do')
  return unavailable(undefined, busy)
}

async function afterAcceptance(api: Api, wanted: WantedCall, accepted: Acceptance): Promise<CallAnswer> {
  try {
    const answer = answerOf(api, await settledOrRunning(api, wanted, accepted), accepted.replayed, wanted.terms)
    return accepted.replayed && wanted.idempotencyKey === undefined ? asEqual(answer, wanted.terms) : answer
  } catch (error) {
    api.ctx.log.error({ call: accepted.callId, err: error }, 'an accepted call could not be answered for')
    return running(api, accepted)
  }
}

/** Without an idempotency key, a request equal to an open call is answered with that call. */
function asEqual(answer: CallAnswer, { idempotencyKey }: Terms = httpTerms): CallAnswer {
  if (answer.status !== 202) return answer
  const { message } = answer.body
  const note = `You asked for the same before, so this is that call: a second one needs an ${idempotencyKey} of its own.`
  return { ...answer, note, body: { ...answer.body, message: `${String(message)} ${note}` } }
}

/** The call's row once it awaits approval or is final, or when the client's wait is over. */
async function settledOrRunning(api: Api, { key, waitMs }: WantedCall, accepted: Acceptance): Promise<CallRow> {
  const { callId, args } = accepted
  failPoint('accept.after-commit')
  const ending = api.endings.expect(callId)
  try {
    if (args !== null) await startCall(api.ctx, args)
    failPoint('start.before-answer')
    // A new call without approval changes only when it ends.
    const before = args?.confirm === false ? undefined : await readCall(api, key, callId)
    if (before?.status === 'awaiting_confirmation')
      return await waitForPreview(api, ending, waitMs, () => readCall(api, key, callId))
    if (before !== undefined && before.status !== 'running') return before
    return await waitForCall(api, ending, waitMs, () => readCall(api, key, callId))
  } finally {
    ending.forget()
  }
}

async function readCall(api: Api, key: ApiKey, callId: string): Promise<CallRow> {
  const row = await findCall(api.ctx.db, key.owner, callId)
  if (row === undefined) throw new Error('an accepted call is not there')
  return row
}
