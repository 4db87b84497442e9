import { idForm } from '../../schemas/ids.ts'
import { headers, integer, text, url } from './parts.ts'
import type { Json } from './parts.ts'

const tail = '%[89ABab][0-9A-Fa-f]'
/** At most 500 characters: printable ASCII but %, or the bytes of a character's UTF-8. */
const percentEncoded = `^(?:[\\t !-$&-~]|${[
  '%[0-7][0-9A-Fa-f]',
  `%(?:[Cc][2-9A-Fa-f]|[Dd][0-9A-Fa-f])${tail}`,
  `%[Ee]0%[ABab][0-9A-Fa-f]${tail}`,
  `%[Ee](?:[1-9A-Ca-c]|[EeFf])${tail}${tail}`,
  `%[Ee][Dd]%[89][0-9A-Fa-f]${tail}`,
  `%[Ff]0%[9ABab][0-9A-Fa-f]${tail}${tail}`,
  `%[Ff][1-3]${tail}${tail}${tail}`,
  `%[Ff]4%8[0-9A-Fa-f]${tail}${tail}`,
].join('|')}){0,500}$`

/** On every response. */
const always = ['X-Request-Id', 'X-Credits-Used', 'Link', 'Cache-Control']
/** On every response to a valid key. */
const counted = ['RateLimit', 'RateLimit-Policy']

export function usualHeaders(...more: readonly string[]): Json {
  return headers(...always, ...counted, ...more)
}

/** Components: what each header says. */
export const headerComponents: Json = {
  'X-Request-Id': {
    description: 'The id of the request; on the response of an endpoint, the id of the call.',
    required: true,
    schema: { type: 'string', pattern: idForm('req', 'call') },
  },
  'X-Credits-Used': {
    description: 'The credits that the call used. Calls that failed used none.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  Link: {
    description: 'The documentation of the app, as `rel="describedby"`.',
    required: true,
    schema: text,
  },
  'Cache-Control': { description: '`no-store`, or `no-cache` on discovery.', required: true, schema: text },
  RateLimit: {
    description:
      '`"calls";r=59;t=60`: 59 more requests fit within the next 60 seconds. On discovery and on every response to a valid key.',
    schema: text,
  },
  'RateLimit-Policy': { description: '`"calls";q=60;w=60`: 60 requests in any 60 seconds.', schema: text },
  'Retry-After': {
    description: 'Seconds after which it makes sense to ask again.',
    schema: { type: 'integer', minimum: 1 },
  },
  Location: { description: 'The record of the call.', required: true, schema: url },
  'Idempotent-Replayed': {
    description: '`true`: this is the answer of an earlier call that was the same; nothing was run again.',
    schema: { type: 'string', enum: ['true'] },
  },
  ETag: { description: 'Send it back as If-None-Match: 304 when nothing has changed.', required: true, schema: text },
  Allow: { description: 'The methods that the address takes.', required: true, schema: text },
}

const withoutNull = '^[^\\u0000]*$'

/** Components: the parameters of every endpoint besides its input. */
export const parameterComponents: Json = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A text of your own. The same request with the same key is the same call, also when it is sent many times at once; kept for at least 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`wait=N`: how many seconds to wait for the end of the call, at most 50. Default 25; then 202 `running`.',
    schema: text,
  },
  'X-Callgate-Account': {
    name: 'X-Callgate-Account',
    in: 'header',
    description: 'Which of several connected accounts of the app the call is for. See `/connections`.',
    schema: text,
  },
  'X-Callgate-Reason': {
    name: 'X-Callgate-Reason',
    in: 'header',
    description:
      'Why you make the call, at most 500 characters; percent-encoded UTF-8 where it is not ASCII, and % as %25. The person reads it as your words before they decide. It is never sent to the app, and a request with another reason is still the same request.',
    schema: { type: 'string', pattern: percentEncoded },
  },
  'X-Callgate-Metadata': {
    name: 'X-Callgate-Metadata',
    in: 'header',
    description:
      'A flat JSON object of at most 20 texts, 2 KiB, to find the call by: `{"run":"r-17"}`. It stands in the record, in lists, webhooks and events, and `/calls?metadata.run=r-17` filters by it. Never sent to the app and no part of the approval; a repeated request keeps that of the first.',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          maxProperties: 20,
          propertyNames: { minLength: 1, pattern: withoutNull },
          additionalProperties: { type: 'string', pattern: withoutNull },
        },
      },
    },
  },
  limit: {
    name: 'limit',
    in: 'query',
    description: 'How many at most.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
  },
  cursor: { name: 'cursor', in: 'query', description: '`next_cursor` of the page before.', schema: text },
  call_id: { name: 'call_id', in: 'path', required: true, description: 'The id of the call.', schema: text },
  wait: {
    name: 'wait',
    in: 'query',
    description: 'Answer when the call is final, or after this many seconds; more than 50 counts as 50.',
    schema: { ...integer, minimum: 0, maximum: 999_999_999 },
  },
}
