import { ProtocolError, ProtocolErrorCode, inputRequired } from '@modelcontextprotocol/server'
import { canonicalJson } from '../../core/canonical-json.ts'
import { isKeyedHash } from '../../core/secrets/crypto.ts'
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
import { carded } from './card.ts'
import { formMessage, noFields } from './client.ts'
import { callResult, refusedResult, toolTerms } from './results.ts'
import { newTask } from './task.ts'
import type { ToolRequest, ToolResult } from './tool.ts'
import { unquoted } from './unquoted.ts'

export interface Wanted {
  readonly endpoint: Endpoint
  readonly input: unknown
  readonly account: string | undefined
  readonly idempotencyKey: string | undefined
  /** Why the agent asks, as it said it. */
  readonly reason: string | undefined
  /** Seconds. */
  readonly wait: number
  /** Those of the output that are wanted; undefined: all. */
  readonly fields?: readonly string[] | undefined
}

/** The key of what the client is asked to show, and of what it answers. */
export const approval = 'approval'

/** Runs an endpoint and tells what came of it in the way that the client understands best. */
export async function runEndpoint(request: ToolRequest, wanted: Wanted): Promise<ToolResult> {
  return told(request, await callEndpoint(request, wanted), wanted)
}

/** Runs an endpoint as `POST /{app}/{endpoint}` does, the call having been counted; the checks stand in the same order. */
export async function callEndpoint(request: ToolRequest, wanted: Wanted): Promise<CallAnswer> {
  const { api, key, address, resumes } = request
  const { endpoint, account, idempotencyKey } = wanted
  const sent = unquoted(endpoint.inputSchema, wanted.input)
  checkJson(sent)
  const input = checkedInput(api, endpoint, sent)
  const why = whyOf(wanted.reason, 'reason')
  const waitMs = wanted.wait * 1000
  if (resumes !== undefined) {
    const row = await orUnavailable('read', async () => {
      const { id } = await resumed(request, resumes.callId, endpoint, input)
      return waitForOwnCall(api, key, id, resumes.refused === undefined ? waitMs : 0)
    })
    return answerOf(api, row, false, toolTerms)
  }
  const client = request.client.name
  const answerDue = endpoint.access === 'write'
  const wantedCall = {
    key,
    endpoint,
    address,
    input,
    account,
    idempotencyKey,
    why,
    client,
    waitMs,
    terms: toolTerms,
    answerDue,
  }
  return runCall(api, wantedCall)
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
  if (row === undefined || same === undefined || !isKeyedHash(api.ctx.secrets, 'content', same, row.content_hash))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'requestState is not of an earlier answer to this request.',
    )
  return row
}

/** In the way that the client understands best: an address to open first, then a task to follow, else a plain result. */
async function told(request: ToolRequest, answer: CallAnswer, { endpoint, wait, fields }: Wanted): Promise<ToolResult> {
  const { client, resumes, api } = request
  const { outcome, callId } = answer
  const waits = outcome === 'awaiting_confirmation'
  const page = { url: confirmUrl(api.ctx.config.publicUrl, callId), message: pageMessage(request, endpoint) }
  if (waits && client.leadsBy !== undefined && resumes === undefined) {
    const form = { message: formMessage(page), requestedSchema: noFields }
    const asked = client.leadsBy === 'url' ? inputRequired.elicitUrl(page) : inputRequired.elicit(form)
    return inputRequired({ inputRequests: { [approval]: asked }, requestState: callId })
  }
  if (waits && resumes?.refused !== undefined) return refusedResult(answer, resumes.refused)
  if (waits && client.showPage !== undefined) {
    client.showPage({ ...page, callId })
    return callResult(await laterAnswer(request, answer, wait * 1000), fields)
  }
  if ((waits || outcome === 'running') && client.followsTasks) return newTask(answer)
  const result = callResult(answer, fields)
  return waits && client.showsCards ? carded(request, answer, result) : result
}

/** Which action waits, in the words that the person knows it by; nothing that the agent or the app wrote. */
function pageMessage({ api }: ToolRequest, { app, label, summary }: Endpoint): string {
  const name = api.ctx.apps.get(app)?.name ?? app
  return `${name}: ${label}. (${summary}) Nothing has been sent yet. Read there what would be sent, then approve or reject it.`
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
