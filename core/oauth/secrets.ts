import type { Context } from '../context.ts'
import { isSecretText, newSecretText, secretTextOf } from '../keys/form.ts'
import { isKeyedHash, keyedHash, keyedHashes } from '../secrets/crypto.ts'

const prefixes = {
  access: 'cg_oat_',
  refresh: 'cg_ort_',
  code: 'cg_oac_',
  client: 'cg_ocs_',
} as const
export type SecretKind = keyof typeof prefixes

export function newSecret(kind: SecretKind): string {
  return newSecretText(prefixes[kind])
}

/** Whether the prefix is of this kind; `isWellFormed` also checks the checksum. */
export function isOfKind(kind: SecretKind, text: string): boolean {
  return text.startsWith(prefixes[kind])
}

export function isWellFormed(kind: SecretKind, text: string): boolean {
  return isSecretText(prefixes[kind], text)
}

export function secretHash({ secrets }: Pick<Context, 'secrets'>, kind: SecretKind, text: string): Buffer {
  return keyedHash(secrets, purposeOf(kind), text)
}

/** The hashes to find it by: one per pepper, the newest first. */
export function secretHashes({ secrets }: Pick<Context, 'secrets'>, kind: SecretKind, text: string): readonly Buffer[] {
  return keyedHashes(secrets, purposeOf(kind), text)
}

export function isSecretHash(
  { secrets }: Pick<Context, 'secrets'>,
  kind: SecretKind,
  text: string,
  kept: Buffer,
): boolean {
  return isKeyedHash(secrets, purposeOf(kind), text, kept)
}

/**
 * The tokens that a refresh token is exchanged for, one pair per pepper, the newest first. Derived
 * from pepper and token, so a lost response can be repeated without storing it.
 */
export function successorsOf({ secrets }: Pick<Context, 'secrets'>, presented: string): readonly Successors[] {
  const refresh = keyedHashes(secrets, 'oauth-next-refresh', presented)
  const access = keyedHashes(secrets, 'oauth-next-access', presented)
  return refresh.map((bytes, i) => ({
    refresh: secretTextOf(prefixes.refresh, bytes),
    access: secretTextOf(prefixes.access, access[i] ?? bytes),
  }))
}

export interface Successors {
  readonly refresh: string
  readonly access: string
}

function purposeOf(kind: SecretKind): string {
  return `oauth-${kind}`
}
