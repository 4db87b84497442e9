import type { Secrets } from '../config.ts'
import { storedError } from '../schemas/errors.ts'
import type { ErrorCode, ErrorFields } from '../schemas/errors.ts'
import { open, seal, unwrapDataKey } from './crypto.ts'

/** Where a sealed payload belongs: it opens nowhere else. */
export interface PayloadPlace {
  readonly callId: string
  readonly owner: string
  readonly account: string
  /** The account's wrapped data key. */
  readonly dataKey: Buffer
}

/** A call's row, with the data key of its account. */
interface PayloadRow {
  readonly id: string
  readonly owner: string
  readonly account: string
  readonly data_key: Buffer
}

export function placeOf({ id, owner, account, data_key: dataKey }: PayloadRow): PayloadPlace {
  return { callId: id, owner, account, dataKey }
}

type Column = 'input' | 'output' | 'error'

const about = (place: PayloadPlace, column: Column): string =>
  `call:${place.callId}:${column}:${place.owner}:${place.account}`

/** Seals a JSON value for one column of one call. */
export function sealPayload(secrets: Secrets, place: PayloadPlace, column: Column, value: unknown): Buffer {
  return seal(unwrapDataKey(secrets, place.account, place.dataKey), about(place, column), JSON.stringify(value))
}

/** The error that a call ends with, sealed for its row. */
export function sealError(secrets: Secrets, row: PayloadRow, code: ErrorCode, fields?: ErrorFields): Buffer {
  return sealPayload(secrets, placeOf(row), 'error', storedError(code, undefined, fields))
}

/** Throws when the bytes were changed or belong to another call or column. */
export function openPayload(secrets: Secrets, place: PayloadPlace, column: Column, sealed: Buffer): unknown {
  const plain = open(unwrapDataKey(secrets, place.account, place.dataKey), about(place, column), sealed)
  const value: unknown = JSON.parse(plain.toString('utf8'))
  return value
}
