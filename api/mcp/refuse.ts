import { isFields } from '../../connectors/kit/wire.ts'
import type { CallgateError } from '../../schemas/errors.ts'
import type { Api, Http } from '../../core/http/api.ts'
import { readJsonBytes } from '../http/body.ts'
import { errorBody, refused } from '../http/errors.ts'
import { requestId } from '../../core/http/api.ts'
import { challenge } from '../oauth/metadata.ts'
import { faultBody } from './message.ts'
import { toolTerms, withWait } from './results.ts'

/** Larger messages are refused without their id: unauthenticated bodies are read only for it. */
const largestRead = 64 * 1024
const longestReason = 300

/**
 * A refusal before a tool is reached: the HTTP status says what kind it is. An MCP client, which
 * accepts a stream, gets a JSON-RPC error, as several show nothing else; any other gets the API's
 * own error. `message`: the body, if it has been read; otherwise it is read for its id.
 */
export async function refuseMessage(api: Api, http: Http, thrown: unknown, message?: unknown): Promise<void> {
  const error = refused(api, http, thrown)
  if (isAboutKey(error)) {
    http.status = 401
    // The path in the form that tokens use.
    const resource = http.path.replace(/\/$/, '')
    const wrong = error.code === 'api_key_invalid' ? error.message : undefined
    http.set('WWW-Authenticate', challenge(api, resource, wrong))
  }
  http.body = isOfClient(http.get('Accept'))
    ? refusalBody(error, requestId(http), idOf(message ?? (await unreadMessage(http))))
    : errorBody(error, requestId(http))
  // Clients that ignore an error's body (Python's official one, version 1) show the status line.
  http.message = asReason(`${error.code}: ${error.messageIn(toolTerms)}`)
}

/** Whether an MCP client asks: its `Accept` must include a stream. */
export function isOfClient(accept: string): boolean {
  return accept.includes('text/event-stream')
}

export function refusalBody(error: CallgateError, request: string, id: string | number | null = null): object {
  const { message, ...data } = withWait(errorBody(error, request, toolTerms), error.headers)
  return faultBody({ id, code: error.code === 'internal' ? -32_603 : -32_000, message: String(message), data })
}

function isAboutKey({ code }: CallgateError): boolean {
  return code === 'api_key_required' || code === 'api_key_invalid'
}

/** A status line allows printable ASCII only. */
function asReason(text: string): string {
  return text.replaceAll(/[^ -~]+/g, ' ').slice(0, longestReason)
}

/** Undefined: it is not small and complete JSON. */
async function unreadMessage(http: Http): Promise<unknown> {
  const length = Number(http.get('Content-Length'))
  if (http.method !== 'POST' || http.req.readableDidRead || !(length > 0 && length <= largestRead)) return undefined
  try {
    return JSON.parse((await readJsonBytes(http, largestRead)).toString()) as unknown
  } catch {
    return undefined
  }
}

function idOf(message: unknown): string | number | null {
  const id = isFields(message) ? message['id'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
