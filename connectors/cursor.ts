import { createHmac, timingSafeEqual } from 'node:crypto'

const macBytes = 16
const maxLength = 2048

/** A gateway cursor: the app's own place to go on from, with a keyed hash that ties it to one endpoint. */
export function sealCursor(key: Buffer, endpoint: string, anchor: string): string {
  return Buffer.concat([mac(key, endpoint, anchor), Buffer.from(anchor)]).toString('base64url')
}

/** The app's place in it; null when the cursor is made up, altered, or of another endpoint. */
export function openCursor(key: Buffer, endpoint: string, cursor: string): string | null {
  if (cursor.length > maxLength || !/^[\w-]+$/.test(cursor)) return null
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length <= macBytes || bytes.toString('base64url') !== cursor) return null
  const anchor = bytes.subarray(macBytes).toString()
  return timingSafeEqual(bytes.subarray(0, macBytes), mac(key, endpoint, anchor)) ? anchor : null
}

function mac(key: Buffer, endpoint: string, anchor: string): Buffer {
  return createHmac('sha256', key).update(`cursor\0${endpoint}\0${anchor}`).digest().subarray(0, macBytes)
}
