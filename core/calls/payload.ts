import type { Secrets } from '../../config.ts'
import { storedError } from '../../schemas/errors.ts'
import type { ErrorCode, ErrorFields } from '../../schemas/errors.ts'
import type { Context } from '../context.ts'
import { openWithAny, seal, unwrapDataKey, unwrapDataKeys } from '../secrets/crypto.ts'

/** Context that a sealed payload is bound to: it cannot be opened in another one. */
export interface PayloadPlace {
  readonly callId: string
  readonly owner: string
  readonly account: string
  /** The account's wrapped data key. */
  readonly dataKey: Buffer
}

/** A call's row with the data key of its account. */
interface PayloadRow {
  readonly id: string
  readonly owner: string
  readonly account: string
  readonly data_key: Buffer
}

export function placeOf({ id, owner, account, data_key: dataKey }: PayloadRow): PayloadPlace {
  return { callId: id, owner, account, dataKey }
}

/** The sealed columns of a call. */
export const columns = [
  'input',
  'output',
  'error',
  'request',
  'preview',
  'look_up',
  'why',
  'original',
  'decision_reason',
] as const
export type Column = (typeof columns)[number]
/** And payloads sealed beside the call. */
type Sealed = Column | 'finding' | 'try' | 'file' | `file-${string}`

const about = (place: PayloadPlace, column: Sealed): string =>
  `call:${place.callId}:${column}:${place.owner}:${place.account}`

/** Seals a JSON value for one column of one call. */
export function sealPayload(secrets: Secrets, place: PayloadPlace, column: Sealed, value: unknown): Buffer {
  return seal(unwrapDataKey(secrets, place.account, place.dataKey), about(place, column), JSON.stringify(value))
}

/** Seals the bytes of a file, bound to their SHA-256. */
export function sealBytes(secrets: Secrets, place: PayloadPlace, sha256: string, bytes: Buffer): Buffer {
  return seal(unwrapDataKey(secrets, place.account, place.dataKey), about(place, `file-${sha256}`), bytes)
}

export function openBytes(secrets: Secrets, place: PayloadPlace, sha256: string, sealed: Buffer): Buffer {
  return openWithAny(unwrapDataKeys(secrets, place.account, place.dataKey), about(place, `file-${sha256}`), sealed)
}

/** The error to store. Without the account's data key only its code: the call must end anyway. */
export function keptError(
  ctx: Pick<Context, 'secrets' | 'log'>,
  row: PayloadRow,
  code: ErrorCode,
  fields?: ErrorFields,
  message?: string,
): { readonly error?: Buffer; readonly code: ErrorCode } {
  try {
    return { error: sealPayload(ctx.secrets, placeOf(row), 'error', storedError(code, message, fields)), code }
  } catch (error) {
    ctx.log.error({ call: row.id, err: error }, 'the error of a call cannot be sealed; only its code is kept')
    return { code }
  }
}

/** Throws when the bytes were altered or belong to another call or column. */
export function openPayload(secrets: Secrets, place: PayloadPlace, column: Sealed, sealed: Buffer): unknown {
  const plain = openWithAny(unwrapDataKeys(secrets, place.account, place.dataKey), about(place, column), sealed)
  const value: unknown = JSON.parse(plain.toString('utf8'))
  return value
}
