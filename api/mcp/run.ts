import { ProtocolError, ProtocolErrorCode, inputRequired } from '@modelcontextprotocol/server'
import { canonicalJson } from '../../core/canonical-json.ts'
import { keyedHash } from '../../core/secrets/crypto.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { confirmUrl } from '../../core/calls/record.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { answerOf } from '../http/answers.ts'
import type { CallAnswer } from '../http/answers.ts'
import { ownCall, waitForOwnCall } from '../http/call-records.ts'
import { checkedInput, whyOf } from '../http/call-request.ts'
import { checkJson } from '../http/json.ts'
import { runCall } from '../http/run-call.ts'
import { orUnavailable } from '../http/unavailable.ts'
import { callResult, toolTerms } from './results.ts'
import { newTask } from './task.ts'
import type { ToolRequest, ToolResult } from './tool.ts'

interface Wanted {
  readonly endpoint: Endpoint
  readonly input: unknown
  readonly account: string | undefined
  readonly idempotencyKey: string | undefined
  /** Why the agent asks, as it said it. */
  readonly reason: string | undefined
  /** Seconds. */
  readonly wait: number
}

/** The key of what the client is asked to show, and of what it answers. */
export const approval = 'approval'

/** Runs an endpoint as `POST /{app}/{endpoint}` does, the call having been counted; the checks stand in the same order. */
export async function runEndpoint(request: ToolRequest, wanted: Wanted): Promise<ToolResult> {
  const { api, key, resumes } = request
  const { endpoint, account, idempotencyKey } = wanted
  checkJson(wanted.input)
  const input = checkedInput(api, endpoint, wanted.input)
  const why = whyOf(wanted.reason, 'reason')
  const waitMs = wanted.wait * 1000
  if (resumes !== undefined) {
    const row = await orUnavailable('read', async () => {
      const { id } = await resumed(request, resumes.callId, endpoint, input)
      return waitForOwnCall(api, key, id, resumes.declined ? 0 : waitMs)
    })
    return told(request, answerOf(api, row, false, toolTerms), waitMs)
  }
  const client = request.client.name
  const answerDue = endpoint.access === 'write'
  const wantedCall = { key, endpoint, input, account, idempotencyKey, why, client, waitMs, terms: toolTerms, answerDue }
  return told(request, await runCall(api, wantedCall), waitMs)
}

/** The call that the client was asked to come back for. What it brings may be made up: only its owner's own call of the same content will do. */
async function resumed(
  { api, key }: ToolRequest,
  callId: string,
  { app, name }: Endpoint,
  input: object,
): Promise<CallRow> {
  const row = await ownCall(api, key, callId).catch((error: unknown) => {
    if (error instanceof CallgateError && error.code === 'unknown_call') return undefined
    throw error
  })
  const same = row && canonicalJson({ account: row.account, app, endpoint: name, input })
  if (same === undefined || !row?.content_hash.equals(keyedHash(api.ctx.secrets, 'content', same)))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'requestState is not of an earlier answer to this request.',
    )
  return row
}

/** In the way that the client understands best: an address to open first, then a task to follow, else a plain result. */
async function told(request: ToolRequest, answer: CallAnswer, waitMs: number): Promise<ToolResult> {
  const { client, resumes, api } = request
  const { outcome, callId } = answer
  const waits = outcome === 'awaiting_confirmation'
  const page = {
    url: confirmUrl(api.ctx.config.publicUrl, callId),
    message: 'Nothing has been sent yet. Read what would be sent, then approve or reject it there.',
  }
  if (waits && client.opensUrls && resumes === undefined)
    return inputRequired({ inputRequests: { [approval]: inputRequired.elicitUrl(page) }, requestState: callId })
  if (waits && client.showPage !== undefined) {
    client.showPage({ ...page, callId })
    return callResult(await laterAnswer(request, answer, waitMs))
  }
  return (waits || outcome === 'running') && client.followsTasks ? newTask(answer) : callResult(answer)
}

/** What the person's decision came to, if they make it within the wait. A call that was accepted is answered for, whatever happens. */
async function laterAnswer({ api, key }: ToolRequest, answer: CallAnswer, waitMs: number): Promise<CallAnswer> {
  try {
    return answerOf(api, await waitForOwnCall(api, key, answer.callId, waitMs), answer.replayed, toolTerms)
  } catch (error) {
    api.ctx.log.error({ call: answer.callId, err: error }, 'an accepted call could not be answered for')
    return answer
  }
}
