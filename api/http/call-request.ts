import { derivedKey } from '../../core/secrets/crypto.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { clientName } from '../../core/calls/client-name.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'
import type { Api, Http } from './api.ts'
import { readJsonBody } from './body.ts'
import { checkJson } from './json.ts'
import { preferredWaitMs } from './wait.ts'

/** Characters. */
export const longestWhy = 500

/** What a client asks of an endpoint, checked. */
export interface CallRequest {
  readonly input: Readonly<Record<string, unknown>>
  /** X-Callgate-Account as sent. */
  readonly account: string | undefined
  readonly idempotencyKey: string | undefined
  /** The agent's words to the person. */
  readonly why?: string | undefined
  /** What the program says of itself. */
  readonly client?: string | undefined
  /** How long the client wants to wait for the call's end. */
  readonly waitMs: number
}

/** Reads body or query and headers. Throws invalid_json, invalid_input, payload_too_large or unsupported_media_type. */
export async function readCallRequest(api: Api, http: Http, endpoint: Endpoint): Promise<CallRequest> {
  const value = http.method === 'GET' ? queryInput(http, endpoint) : await bodyInput(http)
  return {
    input: checkedInput(api, endpoint, value),
    account: http.req.headers['x-callgate-account']?.toString(),
    idempotencyKey: idempotencyKey(http),
    why: whyOf(decoded(http.req.headers['x-callgate-reason']?.toString() ?? ''), 'X-Callgate-Reason'),
    client: clientName(http.get('User-Agent')),
    waitMs: preferredWaitMs(http.get('Prefer')),
  }
}

/** The input with its defaults. Throws invalid_input. */
export function checkedInput(api: Api, endpoint: Endpoint, value: unknown): Record<string, unknown> {
  const parsed = endpoint.parseInput(value, { cursorKey: derivedKey(api.ctx.secrets, 'cursor') })
  if (!parsed.ok) throw invalidInput(parsed.details)
  return parsed.input
}

/** Inputs of a POST stand in one place: what is in its query would be left out without a word. */
async function bodyInput(http: Http): Promise<unknown> {
  const value = await readJsonBody(http)
  const names = new Set(new URLSearchParams(http.querystring).keys())
  if (names.size > 0)
    throw invalidInput(
      [...names].map((path) => ({ path, message: 'is in the query: the inputs of a POST go into its JSON body' })),
    )
  return value
}

function queryInput(http: Http, endpoint: Endpoint): Record<string, unknown> {
  const parsed = endpoint.parseQuery(new URLSearchParams(http.querystring))
  if (!parsed.ok) throw invalidInput(parsed.details)
  // Objects come as JSON text within the query.
  checkJson(parsed.value)
  return parsed.value
}

function idempotencyKey(http: Http): string | undefined {
  const key = http.req.headers['idempotency-key']?.toString()
  if (key !== undefined && (key === '' || key.length > 255))
    throw invalidInput([{ path: 'Idempotency-Key', message: 'must have 1 to 255 characters' }])
  return key
}

/** Why the agent asks, in one line. `name`: what it says that in. Throws invalid_input. */
export function whyOf(text: string | undefined, name: string): string | undefined {
  const words = inOneLine(text ?? '')
  if (Array.from(words).length > longestWhy)
    throw invalidInput([{ path: name, message: `must have at most ${longestWhy} characters` }])
  return words === '' ? undefined : words
}

/** Nothing of it moves the page that it is shown on. */
function inOneLine(text: string): string {
  return text
    .replaceAll(/[\t-\r]+/g, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
}

function decoded(sent: string): string {
  if (/[^ -~\t]/.test(sent)) throw notEncoded()
  try {
    return decodeURIComponent(sent)
  } catch (error) {
    if (error instanceof URIError) throw notEncoded()
    throw error
  }
}

function notEncoded() {
  const message = 'must be percent-encoded UTF-8 where it is not ASCII, and % itself must be %25'
  return invalidInput([{ path: 'X-Callgate-Reason', message }])
}
