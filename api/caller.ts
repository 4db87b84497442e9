import { findKey, isWellFormedKey } from '../activities/db/keys.ts'
import type { ApiKey } from '../activities/db/keys.ts'
import { CallgateError } from '../schemas/errors.ts'
import type { Api, Http } from './api.ts'
import { limitBadKeys } from './limit.ts'

/** The key that the request carries. Throws api_key_required or api_key_invalid. */
export async function callerOf(api: Api, http: Http): Promise<ApiKey> {
  const key = sentKey(http)
  // A typo costs no look-up, so only keys that look right are worth limiting.
  if (!isWellFormedKey(key)) throw new CallgateError('api_key_invalid')
  const found = await findKey(api.ctx, key)
  if (found !== undefined) return found
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
