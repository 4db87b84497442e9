import type { AnswerKind, Parts } from '../kit/define.ts'
import type { CsrfProof } from '../kit/csrf.ts'
import type { Method } from '../kit/request-line.ts'
import type { Fields } from '../kit/wire.ts'

/** A request to an app, before it is written out. */
export interface Message {
  readonly method: Method
  readonly url: URL
  readonly accept: AnswerKind
  readonly parts?: Parts
  readonly proof?: CsrfProof
  readonly referer?: URL
}

/** The headers of a message, as a browser would send them to this address. */
export function headers(message: Message, url: URL, userAgent: string | null, cookie: string): Record<string, string> {
  const type = message.parts?.form || message.proof?.form ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    accept: message.accept === 'json' ? 'application/json' : 'text/html,application/xhtml+xml',
    'accept-encoding': 'identity',
    ...(userAgent === null ? {} : { 'user-agent': userAgent }),
    ...(cookie === '' ? {} : { cookie }),
    ...(message.method === 'GET' ? {} : { origin: url.origin }),
    ...(message.referer ? { referer: message.referer.href } : {}),
    ...(body(message) === null ? {} : { 'content-type': type }),
    ...message.proof?.headers,
  }
}

export function body({ method, parts, proof }: Message): string | null {
  if (method === 'GET') return null
  if (parts?.form || proof?.form) return new URLSearchParams(pairs({ ...parts?.form, ...proof?.form })).toString()
  return parts?.json === undefined ? null : JSON.stringify(parts.json)
}

/** Names and values as text, lists as repeated names, empty values left out. */
export function pairs(values: Fields | undefined): [string, string][] {
  return Object.entries(values ?? {}).flatMap(([name, value]) => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    return list
      .filter((item) => item !== undefined && item !== null)
      .map((item): [string, string] => [name, flat(item)])
  })
}

function flat(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return JSON.stringify(value)
}
