import { derivedKey, open, seal } from '../../core/secrets/crypto.ts'
import type { Api } from './api.ts'
import type { Query } from './query.ts'

/** What a cursor is good for: the list, and whose. */
export interface CursorScope {
  readonly list: 'calls' | 'usage'
  readonly owner: string
}

/** Before what is sealed, which may begin with a dash: a shell would take that for an option. */
const prefix = 'cur_'

/** Opaque, and good for this list of its owner only. */
export function sealCursor(api: Api, scope: CursorScope, position: string): string {
  return `${prefix}${seal(keyOf(api, scope), scope.owner, position).toString('base64url')}`
}

/** The position that the query's `cursor` stands for; refuses a made-up one. */
export function readCursor(api: Api, scope: CursorScope, query: Query): string | undefined {
  const { cursor } = query.values
  if (cursor === undefined) return undefined
  try {
    const sealed = Buffer.from(cursor.replace(prefix, ''), 'base64url')
    return open(keyOf(api, scope), scope.owner, sealed).toString()
  } catch {
    query.refuse('cursor', 'is not a next_cursor of an earlier answer')
    return undefined
  }
}

function keyOf(api: Api, { list }: CursorScope): Buffer {
  return derivedKey(api.ctx.secrets, `${list}-cursor`)
}
