import { isWellFormedKey, keyHash } from '../../core/keys/rows.ts'
import type { ApiKey } from '../../core/keys/rows.ts'
import type { Policy } from '../../core/limiter.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Api, Http } from './api.ts'
import { certainRefusal, limitBadKeys, limitKey } from './limit.ts'

/**
 * The key that the request carries; the request is counted. Throws api_key_required, api_key_invalid or rate_limited.
 * Whoever is let in was looked up in the database. In a flood, requests are refused by what it said a moment ago.
 */
export async function callerOf(api: Api, http: Http, policy: Policy): Promise<ApiKey> {
  const sent = sentKey(http)
  // A typo costs no look-up, so only keys that look right are worth limiting.
  if (!isWellFormedKey(sent)) throw new CallgateError('api_key_invalid')
  const hash = keyHash(api.ctx, sent)
  const seen = api.keys.seen(hash)
  const refusal = certainRefusal(api, http, policy, seen?.key)
  if (refusal !== undefined && seen?.fresh === true) throw refusal
  if (refusal === undefined && seen?.key !== undefined) return countedAtOnce(api, http, policy, hash, seen.key)
  const key = await found(api, http, hash, refusal !== undefined)
  await limitKey(api, http, policy, key)
  return key
}

/** Whose a key is never changes, only whether it is valid: that is asked while the request is counted. */
async function countedAtOnce(api: Api, http: Http, policy: Policy, hash: string, key: ApiKey): Promise<ApiKey> {
  const [valid, counted] = await Promise.allSettled([found(api, http, hash, false), limitKey(api, http, policy, key)])
  if (valid.status === 'rejected') {
    http.remove('RateLimit')
    http.remove('RateLimit-Policy')
    throw valid.reason
  }
  if (counted.status === 'rejected') throw counted.reason
  return valid.value
}

async function found(api: Api, http: Http, hash: string, together: boolean): Promise<ApiKey> {
  const key = await api.keys.find(hash, together)
  if (key !== undefined) return key
  await limitBadKeys(api, http)
  throw new CallgateError('api_key_invalid')
}

function sentKey(http: Http): string {
  const bearer = /^bearer +(.+)$/i.exec(http.get('Authorization'))?.[1]
  const header = http.get('X-API-Key')
  const key = bearer ?? header
  if (key === '') throw new CallgateError('api_key_required')
  if (header !== '' && header !== key)
    throw new CallgateError('api_key_invalid', { message: 'Authorization and X-API-Key carry different keys.' })
  return key
}
