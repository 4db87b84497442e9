import { Compile } from 'typebox/schema'
import { expect } from 'vitest'
import { errorCatalog } from '../../core/http/error-catalog.ts'
import { errorInfo } from '../../schemas/errors.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import type { Stack } from '../harness.ts'
import type { Answer } from './user.ts'

/** So many requests a minute. */
const limits = { calls: 60, 'call-records': 120, discovery: 120 }

/** What this refusal says beyond what every one says. */
export interface Said {
  /** Its request id is the call's: one was made. */
  readonly called?: true
  /** Without a valid key there is no limit to tell of. */
  readonly keyless?: true
  readonly allow?: string
  /** The address is none of an app's. */
  readonly general?: true
  readonly limit?: keyof typeof limits
}

/** These say when to try again; and only these. */
const waits: readonly ErrorCode[] = [
  'rate_limited',
  'unavailable',
  'TARGET_BLOCKED',
  'call_in_progress',
  'too_many_running',
]

/** All that the contract has every refusal say, and what the documentation has this one say. */
export function expectRefusal(stack: Stack, code: ErrorCode, answer: Answer, said: Said): void {
  const { status, headers, body } = answer
  expect([status, body['error']]).toEqual([errorInfo(code).status, code])
  expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8')
  expect(headers.get('X-Request-Id')).toMatch(said.called ? /^call_[0-9A-Z]{26}$/ : /^req_[0-9A-Z]{26}$/)
  expect(headers.get('X-Credits-Used')).toBe('0')
  expect(headers.get('Cache-Control')).toBe('no-store')
  const docs = `${stack.publicUrl}/docs${said.general ? '' : '/property-advertising'}`
  expect(headers.get('Link')).toBe(`<${docs}>; rel="describedby"`)
  const { limit = 'calls' } = said
  expect(headers.get('RateLimit-Policy')).toBe(said.keyless ? null : `"${limit}";q=${limits[limit]};w=60`)
  if (said.keyless) expect(headers.get('RateLimit')).toBeNull()
  else expect(headers.get('RateLimit')).toMatch(new RegExp(`^"${limit}";r=\\d+;t=\\d+$`))
  expect(headers.get('Allow')).toBe(said.allow ?? null)
  if (waits.includes(code)) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
  else expect(headers.get('Retry-After')).toBeNull()

  const { error: _, message, request_id, ...further } = body
  expect(message).toMatch(/\w+ \w+/)
  expect(request_id).toBe(headers.get('X-Request-Id'))
  const documented = Object.entries(errorCatalog[code].fields ?? {})
  expect(documented.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(further)))
  for (const [name, { schema, optional }] of documented)
    if (!optional || name in further) expect([name, Compile(schema).Check(further[name])]).toEqual([name, true])
  if ('retry_after' in further) expect(headers.get('Retry-After')).toBe(String(further['retry_after']))
}
