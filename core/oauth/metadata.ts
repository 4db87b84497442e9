import { checkRedirectUri, isLoopback } from './redirects.ts'
import { OAuthRefusal } from './refusal.ts'

export type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post'

/** A client's metadata, as far as it is used here. */
export interface ClientMetadata {
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly authMethod: AuthMethod
}

const mostUris = 20
const longestName = 80

/**
 * Reads RFC 7591 metadata of a registration or a metadata document; ignores unknown fields. Throws
 * invalid_redirect_uri or invalid_client_metadata.
 */
export function readMetadata(fields: Readonly<Record<string, unknown>>, fallback: AuthMethod): ClientMetadata {
  const uris = fields['redirect_uris']
  if (!isTexts(uris) || uris.length === 0 || uris.length > mostUris)
    throw new OAuthRefusal('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${mostUris} addresses.`)
  for (const uri of uris) checkRedirectUri(uri)
  const method = fields['token_endpoint_auth_method'] ?? fallback
  if (!isAuthMethod(method))
    throw new OAuthRefusal(
      'invalid_client_metadata',
      'token_endpoint_auth_method must be none, client_secret_basic or client_secret_post.',
    )
  checkOffers(fields['grant_types'], 'grant_types', 'authorization_code')
  checkOffers(fields['response_types'], 'response_types', 'code')
  const name = fields['client_name']
  return { name: nameOf(typeof name === 'string' ? name : ''), redirectUris: uris, authMethod: method }
}

/** Whether `uris` has `uri`: an exact match, except for the port on loopback (RFC 8252, 7.3). */
export function isRedirectOf(uris: readonly string[], uri: string): boolean {
  return (
    uris.includes(uri) ||
    uris.some((known) => withoutPort(known) !== undefined && withoutPort(known) === withoutPort(uri))
  )
}

function withoutPort(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (url?.protocol !== 'http:' || !isLoopback(url)) return undefined
  const [, host, rest] = /^http:\/\/(\[::1\]|[^/:?#]+)(?::\d+)?((?:[/?].*)?)$/.exec(uri) ?? []
  return host === undefined ? undefined : `${host} ${rest}`
}

/** Where a redirect leads, for users: a host, a program on their computer, or its URL scheme. */
export function placeOf(uri: string): string {
  const url = new URL(uri)
  if (url.protocol === 'https:') return url.host
  return url.protocol === 'http:' ? 'a program on this computer' : `the program that opens ${url.protocol}// addresses`
}

function nameOf(name: string): string {
  const shown = name.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim()
  return shown.slice(0, longestName).toWellFormed() || 'A program without a name'
}

function checkOffers(value: unknown, field: string, needed: string): void {
  if (value !== undefined && !(isTexts(value) && value.includes(needed)))
    throw new OAuthRefusal('invalid_client_metadata', `${field} must have ${needed} in it.`)
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function isAuthMethod(value: unknown): value is AuthMethod {
  return value === 'none' || value === 'client_secret_basic' || value === 'client_secret_post'
}
