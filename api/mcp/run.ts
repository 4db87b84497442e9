import { ProtocolError, ProtocolErrorCode, inputRequired } from '@modelcontextprotocol/server'
import { canonicalJson } from '../../core/canonical-json.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'
import { checkMetadata } from '../../core/calls/metadata.ts'
import { isKeyedHash } from '../../core/secrets/crypto.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { confirmUrl } from '../../core/calls/record.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { answerOf } from '../../core/http/answers.ts'
import type { CallAnswer } from '../../core/http/answers.ts'
import { ownCall, waitForOwnCall } from '../http/call-records.ts'
import { checkedInput, whyOf } from '../http/call-request.ts'
import { checkJson } from '../../core/http/json.ts'
import { runCall } from '../../core/http/run-call.ts'
import { orUnavailable } from '../../core/http/unavailable.ts'
import { carded } from './card.ts'
import type { CallArguments } from './call-arguments.ts'
import { formMessage, noFields } from './client.ts'
import { wrongFields } from './fields.ts'
import { callResult, refusedResult, toolTerms } from './results.ts'
import { newTask } from './task.ts'
import type { ToolRequest, ToolResult } from './tool.ts'
import { unquoted } from './unquoted.ts'

export interface Wanted extends CallArguments {
  readonly endpoint: Endpoint
  readonly input: unknown
}

/** Key of the page request to the client, and of the client's response. */
export const approval = 'approval'

/** Runs an endpoint and returns the outcome in the form that the client supports best. */
export async function runEndpoint(request: ToolRequest, wanted: Wanted): Promise<ToolResult> {
  return told(request, await callEndpoint(request, wanted), wanted)
}

/** Runs an endpoint as `POST /{app}/{endpoint}` does, in its order, but without the rate limit. */
export async function callEndpoint(request: ToolRequest, wanted: Wanted): Promise<CallAnswer> {
  const { api, key, address, resumes } = request
  const { endpoint, account, idempotency_key: idempotencyKey } = wanted
  // A name that no output has is a mistake: run nothing.
  const wrong = wrongFields(endpoint.outputSchema, wanted.fields)
  if (wrong.length > 0) throw invalidInput(wrong)
  const sent = unquoted(endpoint.inputSchema, wanted.input)
  checkJson(sent)
  const input = checkedInput(api, endpoint, sent)
  const why = whyOf(wanted.reason, 'reason')
  const metadata = wanted.metadata && checkMetadata(wanted.metadata, 'metadata')
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
    metadata,
    waitMs,
    terms: toolTerms,
    answerDue,
  }
  return runCall(api, wantedCall)
}

/** The call to resume. Its id may be forged: the key must see it, with the same content. */
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

/** In the form that the client supports best: a page to open, then a task, else a plain result. */
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

/** Which action waits, by the name that the user knows; nothing written by the agent or the app. */
function pageMessage({ api }: ToolRequest, { app, label, summary }: Endpoint): string {
  const name = api.ctx.apps.get(app)?.name ?? app
  return `${name}: ${label}. (${summary}) Nothing has been sent yet. Read there what would be sent, then approve or reject it.`
}

/** The outcome, if the user decides within the wait. The call was accepted: it never throws. */
async function laterAnswer({ api, key }: ToolRequest, answer: CallAnswer, waitMs: number): Promise<CallAnswer> {
  try {
    return answerOf(api, await waitForOwnCall(api, key, answer.callId, waitMs), answer.replayed, toolTerms)
  } catch (error) {
    api.ctx.log.error({ call: answer.callId, err: error }, 'an accepted call could not be answered for')
    return answer
  }
}
