import { createHash, randomBytes } from 'node:crypto'
import { unwrapDataKeys } from './crypto.ts'
import type { Secrets } from '../../config.ts'

const half = 16

/**
 * Goes among the data keys of an account, as the oldest, and says that its owner once demanded a passkey for approving. It seals nothing. Who can
 * only write into the database can neither make a key ring without it nor leave it out.
 */
export function newMark(accountId: string): Buffer {
  const random = randomBytes(half)
  return Buffer.concat([random, checkOf(accountId, random)])
}

export function isMark(accountId: string, key: Buffer): boolean {
  return checkOf(accountId, key.subarray(0, half)).equals(key.subarray(half))
}

/** Whether the account's data keys have the mark. */
export function isMarked(secrets: Secrets, accountId: string, wrapped: Buffer): boolean {
  return unwrapDataKeys(secrets, accountId, wrapped).some((key) => isMark(accountId, key))
}

function checkOf(accountId: string, random: Buffer): Buffer {
  const hash = createHash('sha256').update(`passkey-demands\0${accountId}\0`).update(random)
  return hash.digest().subarray(0, half)
}
