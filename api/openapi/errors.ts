import { STATUS_CODES } from 'node:http'
import { describeError, errorCodes } from '../../core/http/error-docs.ts'
import type { ErrorDescription } from '../../core/http/error-docs.ts'
import type { ErrorField } from '../../core/http/error-catalog.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { usualHeaders } from './headers.ts'
import { json, schemaRef, text, described } from './parts.ts'
import type { Json } from './parts.ts'

const anywhere: readonly ErrorCode[] = ['method_not_allowed', 'rate_limited', 'internal', 'unavailable']
const withKey: readonly ErrorCode[] = [...anywhere, 'api_key_required', 'api_key_invalid', 'invalid_input']

/** Which codes each kind of route may answer with. */
const kinds = {
  call: [
    ...withKey,
    'invalid_json',
    'insufficient_credits',
    'access_not_granted',
    'SCOPE_DENIED',
    'unknown_app',
    'unknown_endpoint',
    'unknown_account',
    'AUTH_REQUIRED',
    'AUTH_EXPIRED',
    'CAPTCHA_REQUIRED',
    'MFA_REQUIRED',
    'account_required',
    'call_in_progress',
    'too_many_waiting',
    'too_many_running',
    'definition_changed',
    'changed_since',
    'payload_too_large',
    'unsupported_media_type',
    'app_rejected',
    'idempotency_key_reused',
    'app_changed',
    'app_error',
    'TARGET_BLOCKED',
    'app_timeout',
  ],
  list: withKey,
  record: [...withKey, 'unknown_call'],
  cancel: [...withKey, 'unknown_call', 'not_cancellable'],
  discovery: anywhere,
  app: [...anywhere, 'unknown_app', 'not_found'],
  endpoint: [...anywhere, 'unknown_app', 'unknown_endpoint', 'not_found'],
} as const satisfies Record<string, readonly ErrorCode[]>

export type RouteKind = keyof typeof kinds

/** The error responses of a route, by status; `without` leaves statuses out. */
export function errorResponses(kind: RouteKind, without: readonly number[] = []): Json {
  const statuses = [...byStatus(kind).keys()].filter((status) => !without.includes(status))
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/${kind}.${status}` }]),
  )
}

/** A query that is longer than headers may be; the other routes take none that long. */
export const tooLong: Json = { 431: { $ref: '#/components/responses/TooLong' } }

/** Components: a schema for each code, and a response for each kind of route and status. */
export function errorComponents(publicUrl: string): { readonly schemas: Json; readonly responses: Json } {
  const described = new Map(errorCodes.map((code) => [code, describeError(code, publicUrl)]))
  const known = (code: ErrorCode): ErrorDescription => {
    const found = described.get(code)
    if (found === undefined) throw new Error(`${code} has no documentation`)
    return found
  }
  const schemas = Object.fromEntries(
    errorCodes.map((code) => [`error.${code}`, schemaOf(known(code), `${publicUrl}/docs/errors/${code}`)]),
  )
  const responses = Object.keys(kinds).flatMap((kind) =>
    [...byStatus(kind as RouteKind)].map(([status, codes]) => [
      `${kind}.${status}`,
      responseOf(status, codes.map(known)),
    ]),
  )
  return { schemas, responses: { ...(Object.fromEntries(responses) as Json), TooLong: tooLongResponse } }
}

function byStatus(kind: RouteKind): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = errorCodes.filter((code) => (kinds[kind] as readonly ErrorCode[]).includes(code))
  return Map.groupBy(codes, (code) => describeError(code, '')?.status ?? 500)
}

function schemaOf({ code, happened, remedy, fields }: ErrorDescription, docs: string): Json {
  const own = Object.entries(fields)
  return {
    type: 'object',
    title: code,
    description: `${happened} ${remedy}`,
    externalDocs: { url: docs },
    required: ['error', 'message', 'request_id', ...own.filter(([, { optional }]) => !optional).map(([name]) => name)],
    properties: {
      error: { const: code },
      message: described(text, 'What is wrong and what to do, for an agent.'),
      request_id: described(text, 'The same as X-Request-Id.'),
      ...Object.fromEntries(own.map(([name, field]) => [name, fieldSchema(field)])),
    },
  }
}

function fieldSchema({ schema, description }: ErrorField): Json {
  return { ...schema, description }
}

const tooLongText = 'The address and headers are longer than 16 KiB together.'
const tooLongResponse: Json = {
  description: `Request Header Fields Too Large: \`invalid_input\`. ${tooLongText} Send the inputs by POST instead.`,
  content: json(schemaRef('error.invalid_input'), {
    example: {
      error: 'invalid_input',
      message: tooLongText,
      request_id: 'req_01JZX3T5N8Q4V7W9Y2B6C1D0EF',
      details: [{ path: '', message: tooLongText }],
    },
  }),
}

const waits: readonly number[] = [409, 429, 503]

function responseOf(status: number, codes: readonly ErrorDescription[]): Json {
  const names = codes.map(({ code }) => `error.${code}`)
  const [only = ''] = names
  return {
    description: `${STATUS_CODES[status] ?? 'Error'}: ${codes.map(({ code }) => `\`${code}\``).join(', ')}`,
    headers: usualHeaders(...(waits.includes(status) ? ['Retry-After'] : []), ...(status === 405 ? ['Allow'] : [])),
    content: json(names.length === 1 ? schemaRef(only) : oneOfCodes(codes), {
      examples: Object.fromEntries(codes.map(({ code, example }) => [code, { value: example }])),
    }),
  }
}

function oneOfCodes(codes: readonly ErrorDescription[]): Json {
  return {
    oneOf: codes.map(({ code }) => schemaRef(`error.${code}`)),
    discriminator: {
      propertyName: 'error',
      mapping: Object.fromEntries(codes.map(({ code }) => [code, `#/components/schemas/error.${code}`])),
    },
  }
}
