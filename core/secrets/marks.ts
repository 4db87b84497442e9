import { createHash, randomBytes } from 'node:crypto'
import { unwrapDataKeys } from './crypto.ts'
import type { Secrets } from '../../config.ts'

const half = 16

/**
 * The oldest of an account's data keys: records that the owner once demanded a passkey, and seals
 * nothing. An attacker who can only write to the database can neither omit nor remove it.
 */
export function newMark(accountId: string): Buffer {
  const random = randomBytes(half)
  return Buffer.concat([random, checkOf(accountId, random)])
}

export function isMark(accountId: string, key: Buffer): boolean {
  return checkOf(accountId, key.subarray(0, half)).equals(key.subarray(half))
}

/** Whether the account's data keys include the mark. */
export function isMarked(secrets: Secrets, accountId: string, wrapped: Buffer): boolean {
  return unwrapDataKeys(secrets, accountId, wrapped).some((key) => isMark(accountId, key))
}

function checkOf(accountId: string, random: Buffer): Buffer {
  const hash = createHash('sha256').update(`passkey-demands\0${accountId}\0`).update(random)
  return hash.digest().subarray(0, half)
}
