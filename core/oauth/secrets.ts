import type { Context } from '../context.ts'
import { isSecretText, newSecretText } from '../keys/form.ts'
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

/** Whether it says of itself that it is one; `isWellFormed`: and its checksum is right. */
export function isOfKind(kind: SecretKind, text: string): boolean {
  return text.startsWith(prefixes[kind])
}

export function isWellFormed(kind: SecretKind, text: string): boolean {
  return isSecretText(prefixes[kind], text)
}

/** What is kept of it. */
export function secretHash({ secrets }: Pick<Context, 'secrets'>, kind: SecretKind, text: string): Buffer {
  return keyedHash(secrets, purposeOf(kind), text)
}

/** What may be kept of it: with each pepper, the newest first. */
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

function purposeOf(kind: SecretKind): string {
  return `oauth-${kind}`
}
