import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { Secrets } from '../../config.ts'

const ivLength = 12
const tagLength = 16

/** A KeyObject avoids an internal exception in Node, 75 % of the cost of a short HMAC. */
const keyOf = (bytes: Buffer) => createSecretKey(bytes)

/** AES-256-GCM: iv (12) + tag (16) + ciphertext. `about` is associated data, needed to open it. */
export function seal(key: Buffer, about: string, plain: Buffer | string): Buffer {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv('aes-256-gcm', keyOf(key), iv)
  cipher.setAAD(Buffer.from(about))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** A sealed value was changed, moved, or lacks its key. `about`: its associated data, of ids. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen'
  readonly about: string
  constructor(about: string, cause?: unknown, message = 'what is sealed here cannot be opened') {
    super(message, { cause })
    this.about = about
  }
}

/** Throws CannotOpen when the bytes, the key or `about` is not what was sealed. */
export function open(key: Buffer, about: string, sealed: Buffer): Buffer {
  try {
    const iv = sealed.subarray(0, ivLength)
    const decipher = createDecipheriv('aes-256-gcm', keyOf(key), iv, { authTagLength: tagLength })
    decipher.setAAD(Buffer.from(about))
    decipher.setAuthTag(sealed.subarray(ivLength, ivLength + tagLength))
    return Buffer.concat([decipher.update(sealed.subarray(ivLength + tagLength)), decipher.final()])
  } catch (error) {
    throw new CannotOpen(about, error)
  }
}

/** The newest key of a ring: the last one. */
export function newestKey(ring: ReadonlyMap<string, Buffer>): { readonly id: string; readonly key: Buffer } {
  const last = [...ring].at(-1)
  if (last === undefined) throw new Error('a key ring is empty')
  return { id: last[0], key: last[1] }
}

const keyLength = 32

/** A new data key for an account, wrapped. */
export function newDataKey(secrets: Secrets, accountId: string): Buffer {
  return wrapDataKey(secrets, accountId, randomBytes(keyLength))
}

/** Key id, NUL, and the data keys, concatenated and sealed with the newest key-encryption key. */
export function wrapDataKey(secrets: Secrets, accountId: string, dataKeys: Buffer): Buffer {
  const { id, key } = newestKey(secrets.kek)
  return Buffer.concat([Buffer.from(`${id}\0`), seal(key, `data-key:${accountId}`, dataKeys)])
}

/** All wrapped data keys, the newest first: it seals, each may open. */
export function unwrapDataKeys(secrets: Secrets, accountId: string, wrapped: Buffer): readonly Buffer[] {
  const end = wrapped.indexOf(0)
  const id = wrapped.subarray(0, end).toString()
  const about = `data-key:${accountId}`
  const key = secrets.kek.get(id)
  if (key === undefined) throw new CannotOpen(about, undefined, `key-encryption key "${id}" is missing`)
  const all = open(key, about, wrapped.subarray(end + 1))
  return Array.from({ length: all.length / keyLength }, (_, n) => all.subarray(n * keyLength, (n + 1) * keyLength))
}

/** The newest data key, which seals. */
export function unwrapDataKey(secrets: Secrets, accountId: string, wrapped: Buffer): Buffer {
  const [newest] = unwrapDataKeys(secrets, accountId, wrapped)
  if (newest === undefined) throw new Error('an account has no data key')
  return newest
}

/** Opens with the one of `keys` that fits. Throws like `open`. */
export function openWithAny(keys: readonly Buffer[], about: string, sealed: Buffer): Buffer {
  for (const key of keys.slice(0, -1)) {
    try {
      return open(key, about, sealed)
    } catch {
      // Sealed with another key, or not by Callgate: the last key throws if none fits.
    }
  }
  return open(keys.at(-1) ?? Buffer.alloc(0), about, sealed)
}

type Peppers = Pick<Secrets, 'pepper'>

/** HMAC-SHA256 with the newest pepper, separated by purpose: for API keys, cookies, contents. */
export function keyedHash(secrets: Peppers, purpose: string, text: string | Buffer): Buffer {
  return hmac(newestKey(secrets.pepper).key, purpose, text)
}

/** The same with each pepper, the newest first: a stored hash may use any of them. */
export function keyedHashes(secrets: Peppers, purpose: string, text: string | Buffer): readonly Buffer[] {
  return [...secrets.pepper.values()].reverse().map((key) => hmac(key, purpose, text))
}

/** Whether `kept` is the hash with one of the peppers. */
export function isKeyedHash(secrets: Peppers, purpose: string, text: string | Buffer, kept: Buffer): boolean {
  return keyedHashes(secrets, purpose, text).some((hash) => hash.length === kept.length && timingSafeEqual(hash, kept))
}

/** A separate key for one purpose, derived from the newest pepper. */
export function derivedKey(secrets: Peppers, purpose: string): Buffer {
  return hmac(newestKey(secrets.pepper).key, 'derived', purpose)
}

function hmac(key: Buffer, purpose: string, text: string | Buffer): Buffer {
  return createHmac('sha256', keyOf(key)).update(`${purpose}\0`).update(text).digest()
}

/** Compares secrets in constant time. */
export function equalTexts(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** 32 random bytes for a cookie or a link; store only a keyed hash of them. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Fairness key of an account on its app's queue: 32 hex characters. */
export function pacingKey(accountId: string): string {
  return createHash('sha256').update(accountId).digest('hex').slice(0, 32)
}
