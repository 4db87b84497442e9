import type { Context } from '../context.ts'
import { unwrapDataKeys, wrapDataKey } from '../secrets/crypto.ts'

/** What is wrapped is a row of keys of 32 bytes: texts are filled up with spaces, which mean nothing in JSON. */
const unit = 32

/** Seals where a target is, with what opens it, as its row keeps it. */
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
