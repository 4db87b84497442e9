import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checkLength = 6
const rest = new RegExp(`^[0-9A-Za-z]{${randomLength + checkLength}}$`)

/** A secret: a prefix that names its kind, 32 random base-62 digits, and a checksum of both. */
export function newSecretText(prefix: string): string {
  const random = Array.from({ length: randomLength }, () => digits[randomInt(digits.length)]).join('')
  return `${prefix}${random}${checksum(prefix + random)}`
}

/** The same from bytes that are as good as random: equal bytes make equal secrets. */
export function secretTextOf(prefix: string, bytes: Buffer): string {
  let left = BigInt(`0x${bytes.toString('hex')}`)
  let body = ''
  for (; body.length < randomLength; left /= BigInt(digits.length)) body += digits[Number(left % BigInt(digits.length))]
  return `${prefix}${body}${checksum(prefix + body)}`
}

/** Whether form and checksum are right: tells a typo from an unknown secret without a query. */
export function isSecretText(prefix: string, text: string): boolean {
  return (
    text.startsWith(prefix) &&
    rest.test(text.slice(prefix.length)) &&
    text.slice(-checkLength) === checksum(text.slice(0, -checkLength))
  )
}

/** CRC-32 in base 62, most significant digit first. */
function checksum(text: string): string {
  let left = crc32(text)
  let result = ''
  for (let i = 0; i < checkLength; i++) {
    result = `${digits[left % digits.length]}${result}`
    left = Math.floor(left / digits.length)
  }
  return result
}
