import type { Context } from '../context.ts'
import { unwrapDataKeys, wrapDataKey } from '../secrets/crypto.ts'

/** wrapDataKey takes multiples of 32 bytes: JSON is padded with spaces, which it ignores. */
const unit = 32

/** Seals the address of a target with its credentials, for its row. */
export function sealPlace(
  ctx: Pick<Context, 'secrets'>,
  target: string,
  place: Readonly<Record<string, unknown>>,
): Buffer {
  const bytes = Buffer.from(JSON.stringify(place))
  const filling = Buffer.alloc((unit - (bytes.length % unit)) % unit, ' ')
  return wrapDataKey(ctx.secrets, target, Buffer.concat([bytes, filling]))
}

export function openPlace(ctx: Pick<Context, 'secrets'>, target: string, sealed: Buffer): unknown {
  return JSON.parse(Buffer.concat(unwrapDataKeys(ctx.secrets, target, sealed)).toString())
}
