import { openBytes, openPayload, placeOf } from '../calls/payload.ts'
import { aboutList } from '../approvals/standing.ts'
import { aboutTrace } from '../connectors/traces.ts'
import type { Context } from '../context.ts'
import { openWithAny, unwrapDataKeys } from '../secrets/crypto.ts'

type Parts = Pick<Context, 'secrets'>

/** A row's owner and account, and the account's data key, to open it. */
export interface Place {
  readonly id: string
  readonly owner: string
  readonly account: string
  readonly data_key: Buffer
}

/** Opens a sealed column; throws if the key is gone or the bytes were changed. */
export type Opener = (ctx: Parts, place: Place, sealed: Buffer, others: Readonly<Record<string, unknown>>) => unknown

/** Payloads of calls: sealed for the call and the column. */
export const payload =
  (column: Parameters<typeof openPayload>[2]): Opener =>
  (ctx, place, sealed) =>
    openPayload(ctx.secrets, placeOf(place), column, sealed)

/** The bytes of a file, in base64; needs `about`, which is opened first. */
export const bytesOfFile: Opener = (ctx, place, sealed, { about }) => {
  const { sha256 } = about as { readonly sha256: string }
  return openBytes(ctx.secrets, placeOf(place), sha256, sealed).toString('base64')
}

const withKeys =
  (about: (place: Place) => string): Opener =>
  (ctx, place, sealed) => {
    const keys = unwrapDataKeys(ctx.secrets, place.account, place.data_key)
    return JSON.parse(openWithAny(keys, about(place), sealed).toString('utf8')) as unknown
  }

export const list = withKeys(aboutList)
export const trace = withKeys(aboutTrace)
