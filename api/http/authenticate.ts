import { isWellFormedKey, keyHashes } from '../../core/keys/rows.ts'
import type { ApiKey } from '../../core/keys/rows.ts'
import { isOfKind, isWellFormed, secretHashes } from '../../core/oauth/secrets.ts'
import type { Policy } from '../../core/limiter.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { basePath } from '../../core/http/api.ts'
import type { Api, Http } from '../../core/http/api.ts'
import type { KeyCache, KeyHashes } from '../../core/keys/key-cache.ts'
import { badKeyLimitReached, keyLimitReached, limitBadKeys, limitKey } from '../../core/http/rate-limit.ts'

/** The credential that a request carries: its hashes, and the cache to find it in. */
interface Sent {
  readonly hashes: KeyHashes
  readonly cache: KeyCache
}

/**
 * Authenticates a request by its API key and counts it against the key's rate limit. Throws
 * api_key_required, api_key_invalid or rate_limited. `resource`: a path at which an OAuth token for
 * it is accepted like a key; elsewhere only keys are. In this order:
 *
 * 1. The headers: no key, two different ones, or one with a typo are refused at no cost.
 * 2. The rate limit as this process knows it: once reached, refused without SQL if the key was read
 *    within the last second; otherwise the key is read in a batch with the others of the flood.
 * 3. The key, read for each admitted request: a revoked one is refused at once in every process. An
 *    unknown one counts against its address's limit of bad keys.
 * 4. The rate limit in the database. For a key seen before, it is counted while the key is read.
 */
export async function authenticate(api: Api, http: Http, policy: Policy, resource?: string): Promise<ApiKey> {
  const sent = sentOf(api, http, sentText(http), resource)
  const key = await admit(api, http, policy, sent)
  if (key.resource === undefined) return key
  api.noteNetwork(key.id, http.ip)
  if (key.resource === resource) return key
  api.ctx.security.note('key_refused', http.ip, key.id)
  throw new CallgateError('api_key_invalid', { message: `This token is for ${key.resource} only.` })
}

async function admit(api: Api, http: Http, policy: Policy, sent: Sent): Promise<ApiKey> {
  const cached = sent.cache.cached(sent.hashes)
  const known = cached?.key
  const tooMany = known === undefined ? badKeyLimitReached(api, http) : keyLimitReached(api, policy, known)
  if (tooMany !== undefined && cached?.fresh === true) throw tooMany
  if (tooMany === undefined && known !== undefined) return lookUpWhileCounting(api, http, policy, { sent, known })
  const key = await lookUp(api, http, sent, { batched: tooMany !== undefined })
  await limitKey(api, http, policy, key)
  return key
}

/** Throws api_key_invalid. The checksum reveals a typo without a query. */
function sentOf(api: Api, http: Http, text: string, resource: string | undefined): Sent {
  if (isOfKind('access', text)) {
    if (resource === undefined)
      throw new CallgateError('api_key_invalid', {
        message: `This is a token for MCP. Below ${basePath} there are API keys only.`,
      })
    if (isWellFormed('access', text))
      return { hashes: secretHashes(api.ctx, 'access', text).map((hash) => hash.toString('hex')), cache: api.tokens }
  } else if (isWellFormedKey(text)) return { hashes: keyHashes(api.ctx, text), cache: api.keys }
  api.ctx.security.note('key_refused', http.ip)
  throw new CallgateError('api_key_invalid')
}

/** Throws api_key_required or api_key_invalid. */
function sentText(http: Http): string {
  const bearer = /^bearer +(.+)$/i.exec(http.get('Authorization'))?.[1]
  const header = http.get('X-API-Key')
  const key = bearer ?? header
  if (key === '') throw new CallgateError('api_key_required')
  if (header !== '' && header !== key)
    throw new CallgateError('api_key_invalid', { message: 'Authorization and X-API-Key carry different keys.' })
  return key
}

async function lookUp(
  api: Api,
  http: Http,
  { hashes, cache }: Sent,
  how: { readonly batched: boolean },
): Promise<ApiKey> {
  const key = await cache.lookUp(hashes, how)
  if (key?.valid === true) return key
  api.ctx.security.note('key_refused', http.ip, key?.id)
  await limitBadKeys(api, http)
  throw new CallgateError('api_key_invalid')
}

/** A key's owner never changes, only its validity: the request is counted before that is known. */
async function lookUpWhileCounting(
  api: Api,
  http: Http,
  policy: Policy,
  { sent, known }: { readonly sent: Sent; readonly known: ApiKey },
): Promise<ApiKey> {
  const [found, counted] = await Promise.allSettled([
    lookUp(api, http, sent, { batched: false }),
    limitKey(api, http, policy, known),
  ])
  if (found.status === 'rejected') {
    // Only responses to a valid key show its limit.
    http.remove('RateLimit')
    http.remove('RateLimit-Policy')
    throw found.reason
  }
  if (counted.status === 'rejected') throw counted.reason
  return found.value
}
