import type { ApiKey } from '../activities/db/keys.ts'
import type { Policy, Verdict } from '../activities/db/limits.ts'
import { CallgateError } from '../schemas/errors.ts'
import type { Api, Http } from './api.ts'

const minute = 60
const calls: Policy = { name: 'calls', max: 60, seconds: minute }
const records: Policy = { name: 'call-records', max: 120, seconds: minute }
const discovery: Policy = { name: 'discovery', max: 120, seconds: minute }
const messages: Policy = { name: 'mcp-messages', max: 120, seconds: minute }
const badKeys: Policy = { name: 'bad-keys', max: 120, seconds: minute }

/** Calls of endpoints, per key. */
export function limitCalls(api: Api, http: Http, key: ApiKey): Promise<void> {
  return limit(api, http, calls, key.id)
}

/** The same, for a call within a message that has a response of its own. */
export async function limitToolCall(api: Api, key: ApiKey): Promise<void> {
  const verdict = await api.limiter.admit(calls, key.id)
  if (!verdict.admitted) throw tooMany(calls, verdict)
}

/** MCP messages, per key. A batch of them is let in as a whole or not at all, but those counted before the refusal stay counted. */
export async function limitMessages(api: Api, http: Http, key: ApiKey, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await limit(api, http, messages, key.id)
}

/** Everything under /calls, /connections and /usage, per key: polling does not eat the calls. */
export function limitRecords(api: Api, http: Http, key: ApiKey): Promise<void> {
  return limit(api, http, records, key.id)
}

/** Requests without a key, per address. */
export function limitDiscovery(api: Api, http: Http): Promise<void> {
  return limit(api, http, discovery, address(http))
}

/** Keys that nobody has, per address. Valid keys from the same address are not held up. */
export async function limitBadKeys(api: Api, http: Http): Promise<void> {
  const verdict = await api.limiter.admit(badKeys, address(http))
  if (!verdict.admitted) throw tooMany(badKeys, verdict)
}

async function limit(api: Api, http: Http, policy: Policy, who: string): Promise<void> {
  const verdict = await api.limiter.admit(policy, who)
  // IETF draft-ietf-httpapi-ratelimit-headers: r more requests fit within the next t seconds.
  http.set('RateLimit', `"${policy.name}";r=${verdict.remaining};t=${verdict.retryAfter || policy.seconds}`)
  http.set('RateLimit-Policy', `"${policy.name}";q=${policy.max};w=${policy.seconds}`)
  if (!verdict.admitted) throw tooMany(policy, verdict)
}

function tooMany(policy: Policy, { retryAfter }: Verdict): CallgateError {
  return new CallgateError('rate_limited', {
    message: `More than ${policy.max} requests in ${policy.seconds} seconds. Wait ${retryAfter} s, as Retry-After says.`,
    headers: { 'Retry-After': String(retryAfter) },
  })
}

/** The client's address; IPv4 looks the same on a dual-stack socket. */
function address(http: Http): string {
  return http.ip.replace(/^::ffff:/i, '').slice(0, 64)
}
