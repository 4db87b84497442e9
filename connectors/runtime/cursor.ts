import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { fields, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

const macBytes = 16
/** Before what is sealed, which may begin with a dash: a shell would take that for an option. */
const prefix = 'cur_'
/** More than any list that an app answers to makes: what was asked stood in the address of its request. */
const maxLength = 65_536

/** Where a list goes on. */
export interface Place {
  /** The app's own place to go on from. */
  readonly anchor: string
  /** What the list is of: the inputs of its first page. */
  readonly input: Fields
}

/** A gateway cursor: a place with a keyed hash that ties it to one endpoint. */
export function sealCursor(key: Buffer, endpoint: string, { anchor, input }: Place): string {
  const written = JSON.stringify({ anchor, input })
  return prefix + Buffer.concat([mac(key, endpoint, written), Buffer.from(written)]).toString('base64url')
}

/** The place in it; null when the cursor is made up, altered, or of another endpoint. */
export function openCursor(key: Buffer, endpoint: string, cursor: string): Place | null {
  if (cursor.length > maxLength || !/^cur_[\w-]+$/.test(cursor)) return null
  const sealed = cursor.slice(prefix.length)
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= macBytes || bytes.toString('base64url') !== sealed) return null
  const written = bytes.subarray(macBytes).toString()
  if (!timingSafeEqual(bytes.subarray(0, macBytes), mac(key, endpoint, written))) return null
  const { anchor, input } = fields(JSON.parse(written))
  return { anchor: text(anchor), input: fields(input) }
}

function mac(key: Buffer, endpoint: string, written: string): Buffer {
  return createHmac('sha256', createSecretKey(key))
    .update(`place\0${endpoint}\0${written}`)
    .digest()
    .subarray(0, macBytes)
}
