import { InputRejected } from './failures.ts'
import { UnknownShape } from './wire.ts'

/**
 * Headers that a connector cannot set: those of the connection, the browser, the session and the
 * request itself. Most are forbidden to scripts as well.
 * Source: https://fetch.spec.whatwg.org/#forbidden-request-header
 */
const forbidden = new Set(
  'accept-charset accept-encoding accept-language authorization connection content-encoding content-length content-type cookie cookie2 date dnt expect forwarded from host keep-alive origin referer set-cookie te trailer transfer-encoding upgrade upgrade-insecure-requests user-agent via x-http-method x-http-method-override x-method-override x-original-url x-real-ip x-rewrite-url'.split(
    ' ',
  ),
)
const forbiddenBeginnings = /^(?:access-control-|proxy-|sec-|x-forwarded-)/
/** A token of RFC 9110. */
const nameForm = /^[!#$%&'*+\-.^_`|~0-9a-z]{1,100}$/
const valueForm = /^[\u0020-\u007e]{0,4096}$/

/** Servers that pass headers on as variables read `X_Forwarded-For` and `x-forwarded_for` alike. */
export function sameHeader(name: string): string {
  return name.toLowerCase().replaceAll(/[^0-9a-z]/g, '-')
}

/**
 * Why this header cannot be set; undefined: it can. `forSession`: for a session token, the only
 * value allowed in `authorization`.
 */
export function headerFault(given: string, forSession = false): string | undefined {
  const name = sameHeader(given)
  const isForbidden = forbidden.has(name) || forbiddenBeginnings.test(name)
  const mayBe = forSession && given.toLowerCase() === 'authorization'
  if (nameForm.test(given.toLowerCase()) && (mayBe || !isForbidden)) return undefined
  return `the header ${given.slice(0, 50)} is not a connector's to set`
}

/**
 * Headers added by a connector, names in lower case, empty values dropped. Throws `UnknownShape`
 * for a forbidden name, a duplicate or a non-text value, `InputRejected` for invalid characters.
 */
export function ownHeaders(given: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, string>> {
  const named = Object.entries(given).filter(([, value]) => value !== undefined && value !== null)
  const made = named.map(([name, value]) => [nameOf(name), valueOf(name, value)] as const)
  if (new Set(made.map(([name]) => sameHeader(name))).size < made.length)
    throw new UnknownShape('a header is set twice')
  return Object.fromEntries(made)
}

function nameOf(given: string): string {
  const fault = headerFault(given)
  if (fault !== undefined) throw new UnknownShape(fault)
  return given.toLowerCase()
}

function valueOf(name: string, value: unknown): string {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string') throw new UnknownShape(`the header ${name} is no text`)
  if (!valueForm.test(text)) throw new InputRejected('invalid_header', `What goes into the header ${name} cannot.`)
  return text
}
