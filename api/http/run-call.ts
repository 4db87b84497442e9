import { accept } from '../../core/calls/accept.ts'
import { checkAccess } from '../../core/keys/access.ts'
import type { Acceptance } from '../../core/calls/accept.ts'
import { findCall } from '../../core/calls/rows.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { findEarlier } from '../../core/calls/idempotency.ts'
import { addressesIn } from '../../core/files/files.ts'
import type { ApiKey } from '../../core/keys/rows.ts'
import { engineIsUp } from '../../core/temporal/health.ts'
import { traced } from '../../core/tracing.ts'
import { startCall } from '../../core/temporal/call-runs.ts'
import { failPoint } from '../../core/fail-point.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { AdmissionSignal } from '../../config.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Message, Terms } from '../../schemas/errors.ts'
import { answerOf, running } from './answers.ts'
import type { CallAnswer } from './answers.ts'
import type { Api } from './api.ts'
import type { CallRequest } from './call-request.ts'
import { unavailable } from './unavailable.ts'
import { waitForCall, waitForPreview } from './wait.ts'

export interface WantedCall extends CallRequest {
  readonly key: ApiKey
  readonly endpoint: Endpoint
  /** Where it comes from. */
  readonly address: string
  /** Those that the answer is told in. Default: HTTP's. */
  readonly terms?: Terms
  /** As `accept` has it. */
  readonly answerDue?: boolean
}

/**
 * Accepts a checked call, starts it and waits for its end. Throws the CallgateError of a call that was not accepted;
 * from then on it answers whatever happens, at worst that the call is running.
 */
export async function runCall(api: Api, wanted: WantedCall): Promise<CallAnswer> {
  const accepted = await acceptCall(api, wanted)
  const answer = await afterAcceptance(api, wanted, accepted)
  api.metrics.answers.inc({ app: wanted.endpoint.app, status: answer.outcome })
  return answer
}

async function acceptCall(api: Api, wanted: WantedCall): Promise<Acceptance> {
  const { key, endpoint, input, account, idempotencyKey, why, client, answerDue } = wanted
  const request = { owner: key.owner, keyId: key.id, endpoint, input, account, idempotencyKey, why, client, answerDue }
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

/** A key that asks for what its owner did not let it have, or that has just ended. */
const beyondLimits: ReadonlySet<string> = new Set(['api_key_invalid', 'access_not_granted', 'SCOPE_DENIED'])

/** Whoever has files fetched first waits for other people's computers, and has room of its own. */
function countedIn<T>(api: Api, { endpoint, input }: WantedCall, run: () => Promise<T>): Promise<T> {
  return addressesIn(endpoint, input).length > 0 ? run() : api.admission.accepting(run)
}

/** Without the engine no new call is accepted, but one that was accepted before is still answered for. */
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
    return answerOf(api, await settledOrRunning(api, wanted, accepted), accepted.replayed, wanted.terms)
  } catch (error) {
    api.ctx.log.error({ call: accepted.callId, err: error }, 'an accepted call could not be answered for')
    return running(api, accepted)
  }
}

/** The call's row once there is something to say: it waits for the person, it is final, or the client's patience is over. */
async function settledOrRunning(api: Api, { key, waitMs }: WantedCall, accepted: Acceptance): Promise<CallRow> {
  const { callId, args } = accepted
  failPoint('accept.after-commit')
  const ending = api.endings.expect(callId)
  try {
    if (args !== null) await startCall(api.ctx, args)
    failPoint('start.before-answer')
    // A fresh call without approval has nothing to tell before it ends.
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
