import { InputRejected } from './failures.ts'
import { UnknownShape } from './wire.ts'

/**
 * What a connector cannot set: what belongs to the connection, to the browser, to the session, or to the request as it is written. Most of it no
 * script of a page could set either.
 * Source: https://fetch.spec.whatwg.org/#forbidden-request-header
 */
const forbidden = new Set(
  'accept-charset accept-encoding accept-language authorization connection content-encoding content-length content-type cookie cookie2 date dnt expect forwarded from host keep-alive origin referer set-cookie te trailer transfer-encoding upgrade upgrade-insecure-requests user-agent via x-http-method x-http-method-override x-method-override x-original-url x-real-ip x-rewrite-url'.split(
    ' ',
  ),
)
const forbiddenBeginnings = /^(?:access-control-|proxy-|sec-|x-forwarded-)/
/** A token, as RFC 9110 has it. */
const nameForm = /^[!#$%&'*+\-.^_`|~0-9a-z]{1,100}$/
const valueForm = /^[\u0020-\u007e]{0,4096}$/

/** The headers that a connector adds, by names in lower case; those without a value are left out. */
export function ownHeaders(given: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, string>> {
  const named = Object.entries(given).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(named.map(([name, value]) => [nameOf(name), valueOf(name, value)]))
}

function nameOf(given: string): string {
  const name = given.toLowerCase()
  if (!nameForm.test(name) || forbidden.has(name) || forbiddenBeginnings.test(name))
    throw new UnknownShape(`the header ${given.slice(0, 50)} is not a connector's to set`)
  return name
}

function valueOf(name: string, value: unknown): string {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string') throw new UnknownShape(`the header ${name} is no text`)
  if (!valueForm.test(text)) throw new InputRejected('invalid_header', `What goes into the header ${name} cannot.`)
  return text
}
