import { derivedKey, open, seal } from '../../core/secrets/crypto.ts'
import type { Context } from '../../core/context.ts'

type Ctx = Pick<Context, 'secrets'>

/** What a cursor is good for: the list, and whose. */
export interface CursorScope {
  readonly list: 'calls' | 'usage'
  readonly owner: string
}

/** Before what is sealed, which may begin with a dash: a shell would take that for an option. */
const prefix = 'cur_'

/** Opaque, and good for this list of its owner only. */
export function sealCursor(ctx: Ctx, scope: CursorScope, position: string): string {
  return `${prefix}${seal(keyOf(ctx, scope), scope.owner, position).toString('base64url')}`
}

export const noCursor = 'is not a next_cursor of an earlier answer'

/** The position that the cursor stands for; undefined for a made-up one. */
export function openCursor(ctx: Ctx, scope: CursorScope, cursor: string): string | undefined {
  try {
    const sealed = Buffer.from(cursor.replace(prefix, ''), 'base64url')
    return open(keyOf(ctx, scope), scope.owner, sealed).toString()
  } catch {
    return undefined
  }
}

function keyOf({ secrets }: Ctx, { list }: CursorScope): Buffer {
  return derivedKey(secrets, `${list}-cursor`)
}
