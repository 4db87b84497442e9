import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { fields, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

const macBytes = 16
/** The base64 after it may begin with a dash, which a shell would take for an option. */
const prefix = 'cur_'
/** Above any cursor that an app's list produces: its inputs fitted into a request's URL. */
const maxLength = 65_536

/** The position in a list. */
export interface Place {
  /** The app's own cursor. */
  readonly anchor: string
  /** The inputs of the list's first page. */
  readonly input: Fields
  /** The list's account; absent in cursors of earlier releases and of recordings. */
  readonly account?: string | undefined
}

/** A gateway cursor: a position with a MAC for one endpoint. Older releases ignore the account. */
export function sealCursor(key: Buffer, endpoint: string, { anchor, input, account }: Place): string {
  const written = JSON.stringify({ anchor, input, account })
  return prefix + Buffer.concat([mac(key, endpoint, written), Buffer.from(written)]).toString('base64url')
}

/** The position in it; null if the cursor is forged, altered, or of another endpoint. */
export function openCursor(key: Buffer, endpoint: string, cursor: string): Place | null {
  if (cursor.length > maxLength || !/^cur_[\w-]+$/.test(cursor)) return null
  const sealed = cursor.slice(prefix.length)
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= macBytes || bytes.toString('base64url') !== sealed) return null
  const written = bytes.subarray(macBytes).toString()
  if (!timingSafeEqual(bytes.subarray(0, macBytes), mac(key, endpoint, written))) return null
  const { anchor, input, account } = fields(JSON.parse(written))
  const place = { anchor: text(anchor), input: fields(input) }
  return account === undefined ? place : { ...place, account: text(account) }
}

function mac(key: Buffer, endpoint: string, written: string): Buffer {
  return createHmac('sha256', createSecretKey(key))
    .update(`place\0${endpoint}\0${written}`)
    .digest()
    .subarray(0, macBytes)
}
