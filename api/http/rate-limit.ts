import { networkOf } from '../../core/network.ts'
import type { ApiKey } from '../../core/keys/rows.ts'
import type { Policy, Verdict } from '../../core/limiter.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Api, Http } from './api.ts'

const minute = 60
const discovery: Policy = { name: 'discovery', max: 120, seconds: minute }
const badTokens: Policy = { name: 'bad-operator-tokens', max: 20, seconds: minute }
const oauth: Policy = { name: 'oauth', max: 120, seconds: minute }
const registrations: Policy = { name: 'oauth-registrations', max: 60, seconds: 60 * minute }
const badKeys: Policy = { name: 'bad-keys', max: 120, seconds: minute }

/** What a key's requests count with: calls of endpoints; /calls, /connections and /usage, so that polling does not eat the calls; MCP messages. */
export const keyLimits = {
  calls: { name: 'calls', max: 60, seconds: minute },
  records: { name: 'call-records', max: 120, seconds: minute },
  messages: { name: 'mcp-messages', max: 120, seconds: minute },
} as const satisfies Record<string, Policy>

/** Requests with a key. */
export function limitKey(api: Api, http: Http, policy: Policy, key: ApiKey): Promise<void> {
  return limit(api, http, policy, key.id)
}

/** A call within a message that has a response of its own. */
export async function limitToolCall(api: Api, key: ApiKey): Promise<void> {
  const verdict = await api.limiter.admit(keyLimits.calls, key.id)
  if (!verdict.admitted) throw tooMany(keyLimits.calls, verdict)
}

/** Further messages of a batch. It is let in as a whole or not at all, but those counted before the refusal stay counted. */
export async function limitMessages(api: Api, http: Http, key: ApiKey, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await limitKey(api, http, keyLimits.messages, key)
}

/** Requests without a key, per address, or the /64 of an IPv6 one. */
export function limitDiscovery(api: Api, http: Http): Promise<void> {
  return limit(api, http, discovery, networkOf(http.ip))
}

/** Requests for tokens, and clients that register, per address. */
export function limitOAuth(api: Api, http: Http, what: 'tokens' | 'registrations'): Promise<void> {
  return limit(api, http, what === 'tokens' ? oauth : registrations, networkOf(http.ip))
}

/** Keys that nobody has, per address as above. Valid keys from the same address are not held up. */
export async function limitBadKeys(api: Api, http: Http): Promise<void> {
  const verdict = await api.limiter.admit(badKeys, networkOf(http.ip))
  if (!verdict.admitted) throw tooMany(badKeys, verdict)
}

/** Operator tokens that are none, per address as above. The right one is never held up by them. */
export async function limitBadTokens(api: Api, http: Http): Promise<void> {
  const verdict = await api.limiter.admit(badTokens, networkOf(http.ip))
  if (verdict.admitted) return
  api.ctx.security.note('operator_slowed', http.ip)
  throw tooMany(badTokens, verdict)
}

/** What limitKey is certain to throw, as far as this process knows; it asks nobody and counts nothing. */
export function keyLimitReached(api: Api, policy: Policy, { id }: ApiKey): CallgateError | undefined {
  const verdict = api.limiter.refusal(policy, id)
  return verdict && tooMany(policy, verdict, limitHeaders(policy, verdict))
}

/** The same of limitBadKeys. */
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
