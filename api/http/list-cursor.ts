import { derivedKey, open, seal } from '../../core/secrets/crypto.ts'
import type { Context } from '../../core/context.ts'

type Ctx = Pick<Context, 'secrets'>

/** The scope of a cursor: the list and its owner. */
export interface CursorScope {
  readonly list: 'calls' | 'usage'
  readonly owner: string
}

/** Before the sealed part, which may begin with a dash: a shell would take that for an option. */
const prefix = 'cur_'

/** Opaque, and valid only for this list of its owner. */
export function sealCursor(ctx: Ctx, scope: CursorScope, position: string): string {
  return `${prefix}${seal(keyOf(ctx, scope), scope.owner, position).toString('base64url')}`
}

export const noCursor = 'is not a next_cursor of an earlier answer'

/** The cursor's position; undefined for a forged one. */
export function openCursor(ctx: Ctx, scope: CursorScope, cursor: string): string | undefined {
  if (!cursor.startsWith(prefix)) return undefined
  const written = cursor.slice(prefix.length)
  const sealed = Buffer.from(written, 'base64url')
  // Node skips characters that are not base64url: such a text was not issued here.
  if (sealed.toString('base64url') !== written) return undefined
  try {
    return open(keyOf(ctx, scope), scope.owner, sealed).toString()
  } catch {
    return undefined
  }
}

function keyOf({ secrets }: Ctx, { list }: CursorScope): Buffer {
  return derivedKey(secrets, `${list}-cursor`)
}
