import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checkLength = 6
const rest = new RegExp(`^[0-9A-Za-z]{${randomLength + checkLength}}$`)

/** A secret text: the prefix says what it is, 32 random digits in base 62, and a checksum of all that. */
export function newSecretText(prefix: string): string {
  const random = Array.from({ length: randomLength }, () => digits[randomInt(digits.length)]).join('')
  return `${prefix}${random}${checksum(prefix + random)}`
}

/** Whether the form and the checksum are right: tells a typo from an unknown one without a look-up. */
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
