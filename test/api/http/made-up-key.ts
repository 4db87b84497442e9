import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isWellFormedKey } from '../../../core/keys/rows.ts'

/** As a stranger who knows the form of our keys would make one up. */
export function madeUpKey(): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const text = `cg_live_${Array.from({ length: 32 }, () => digits[randomInt(62)]).join('')}`
  let rest = crc32(text)
  let check = ''
  for (; check.length < 6; rest = Math.floor(rest / 62)) check = `${digits[rest % 62]}${check}`
  if (!isWellFormedKey(text + check)) throw new Error('the form of keys has changed')
  return text + check
}
