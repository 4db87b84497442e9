import { networkOf } from '../network.ts'
import type { ApiKey } from '../keys/rows.ts'
import type { Policy, Verdict } from '../limiter.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Api, Http } from './api.ts'

const minute = 60
const discovery: Policy = { name: 'discovery', max: 120, seconds: minute }
const badTokens: Policy = { name: 'bad-operator-tokens', max: 20, seconds: minute }
const oauth: Policy = { name: 'oauth', max: 120, seconds: minute }
const registrations: Policy = { name: 'oauth-registrations', max: 60, seconds: 60 * minute }
const badKeys: Policy = { name: 'bad-keys', max: 120, seconds: minute }

/** Limits per key. Polling /calls, /connections and /usage does not use up the calls. */
export const keyLimits = {
  calls: { name: 'calls', max: 60, seconds: minute },
  records: { name: 'call-records', max: 120, seconds: minute },
  messages: { name: 'mcp-messages', max: 120, seconds: minute },
} as const satisfies Record<string, Policy>

/** Limits requests with a key. */
export function limitKey(api: Api, http: Http, policy: Policy, key: ApiKey): Promise<void> {
  return limit(api, http, policy, key.id)
}

/** Limits a tool call. Sets no headers, because the MCP message has its own response. */
export async function limitToolCall(api: Api, key: ApiKey): Promise<void> {
  const verdict = await api.limiter.admit(keyLimits.calls, key.id)
  if (!verdict.admitted) throw tooMany(keyLimits.calls, verdict)
}

/** Limits further messages of a batch, all or none; those counted before a refusal stay counted. */
export async function limitMessages(api: Api, http: Http, key: ApiKey, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await limitKey(api, http, keyLimits.messages, key)
}

/** Limits requests without a key, per network (networkOf()). */
export function limitDiscovery(api: Api, http: Http): Promise<void> {
  return limit(api, http, discovery, networkOf(http.ip))
}

/** Limits token requests and client registrations, per network. */
export function limitOAuth(api: Api, http: Http, what: 'tokens' | 'registrations'): Promise<void> {
  return limit(api, http, what === 'tokens' ? oauth : registrations, networkOf(http.ip))
}

/** Limits requests with invalid keys, per network; valid keys from there are unaffected. */
export async function limitBadKeys(api: Api, http: Http): Promise<void> {
  const verdict = await api.limiter.admit(badKeys, networkOf(http.ip))
  if (!verdict.admitted) throw tooMany(badKeys, verdict)
}

/** Limits invalid operator tokens, per network; a valid token is unaffected. */
export async function limitBadTokens(api: Api, http: Http): Promise<void> {
  const verdict = await api.limiter.admit(badTokens, networkOf(http.ip))
  if (verdict.admitted) return
  api.ctx.security.note('operator_slowed', http.ip)
  throw tooMany(badTokens, verdict)
}

/** The error that limitKey() is certain to throw, if known. No query; counts nothing. */
export function keyLimitReached(api: Api, policy: Policy, { id }: ApiKey): CallgateError | undefined {
  const verdict = api.limiter.refusal(policy, id)
  return verdict && tooMany(policy, verdict, limitHeaders(policy, verdict))
}

/** The same for limitBadKeys(). */
export function badKeyLimitReached(api: Api, http: Http): CallgateError | undefined {
  const verdict = api.limiter.refusal(badKeys, networkOf(http.ip))
  return verdict && tooMany(badKeys, verdict)
}

async function limit(api: Api, http: Http, policy: Policy, who: string): Promise<void> {
  const verdict = await api.limiter.admit(policy, who)
  const headers = limitHeaders(policy, verdict)
  if (!verdict.admitted) throw tooMany(policy, verdict, headers)
  http.set(headers)
}

/** IETF draft-ietf-httpapi-ratelimit-headers: r more requests fit within the next t seconds. */
function limitHeaders(policy: Policy, { remaining, retryAfter }: Verdict): Record<string, string> {
  return {
    RateLimit: `"${policy.name}";r=${remaining};t=${retryAfter || policy.seconds}`,
    'RateLimit-Policy': `"${policy.name}";q=${policy.max};w=${policy.seconds}`,
  }
}

function tooMany(policy: Policy, { retryAfter }: Verdict, headers: Record<string, string> = {}): CallgateError {
  return new CallgateError('rate_limited', {
    message: (terms) =>
      `More than ${policy.max} requests in ${policy.seconds} seconds. Wait ${retryAfter} s, as ${terms.retryAfter} says.`,
    headers: { ...headers, 'Retry-After': String(retryAfter) },
  })
}
