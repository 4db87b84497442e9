import { derivedKey } from '../../core/secrets/crypto.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { clientName } from '../../core/calls/client-name.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'
import { readMetadata } from '../../core/calls/metadata.ts'
import type { Api, Http } from '../../core/http/api.ts'
import { readJsonBody } from './body.ts'
import { checkJson, refuseInexact } from '../../core/http/json.ts'
import type { CallRequest } from '../../core/http/run-call.ts'
import { preferredWaitMs } from '../../core/http/wait.ts'

/** In characters. */
export const longestWhy = 500

/**
 * Reads body or query, and headers. Throws invalid_json, invalid_input, payload_too_large or
 * unsupported_media_type.
 */
export async function readCallRequest(api: Api, http: Http, endpoint: Endpoint): Promise<CallRequest> {
  const value = http.method === 'GET' ? queryInput(http, endpoint) : await bodyInput(http)
  return {
    input: checkedInput(api, endpoint, value),
    account: http.req.headers['x-callgate-account']?.toString(),
    idempotencyKey: idempotencyKey(http),
    why: whyOf(decoded(http.req.headers['x-callgate-reason']?.toString() ?? ''), 'X-Callgate-Reason'),
    client: clientName(http.get('User-Agent')),
    metadata: readMetadata(utf8(http.req.headers['x-callgate-metadata']?.toString()), 'X-Callgate-Metadata'),
    waitMs: preferredWaitMs(http.get('Prefer')),
  }
}

/** The input with its defaults. Throws invalid_input. */
export function checkedInput(api: Api, endpoint: Endpoint, value: unknown): Record<string, unknown> {
  const parsed = endpoint.parseInput(value, { cursorKey: derivedKey(api.ctx.secrets, 'cursor') })
  if (!parsed.ok) throw invalidInput(parsed.details)
  return parsed.input
}

/** A POST takes inputs only from its body: those in its query would be ignored silently. */
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
  // Objects are JSON text within the query.
  checkJson(parsed.value)
  refuseInexact(parsed.inexact)
  return parsed.value
}

function idempotencyKey(http: Http): string | undefined {
  const key = http.req.headers['idempotency-key']?.toString()
  if (key !== undefined && (key === '' || key.length > 255))
    throw invalidInput([{ path: 'Idempotency-Key', message: 'must have 1 to 255 characters' }])
  return key
}

/** Node reads the bytes of headers as Latin-1. */
function utf8(sent: string | undefined): string | undefined {
  return sent && Buffer.from(sent, 'latin1').toString('utf8')
}

/** The agent's reason, in one line. `name`: the field that holds it. Throws invalid_input. */
export function whyOf(text: string | undefined, name: string): string | undefined {
  const words = inOneLine(text ?? '')
  if (Array.from(words).length > longestWhy)
    throw invalidInput([{ path: name, message: `must have at most ${longestWhy} characters` }])
  return words === '' ? undefined : words
}

/** Without line breaks and control characters, which could alter the page that shows it. */
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
