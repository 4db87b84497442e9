import { OAuthRefusal } from './refusal.ts'

export type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post'

/** What a program says of itself, as far as it matters here. */
export interface ClientMetadata {
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly authMethod: AuthMethod
}

const mostUris = 20
const longestUri = 2_000
const longestName = 80

/** Schemes that browsers open by themselves, or that mean something else than a program on the person's machine. */
const notOfPrograms = new Set(
  'about,blob,chrome,data,edge,file,filesystem,ftp,http,https,intent,javascript,mailto,resource,sms,tel,urn,vbscript,view-source,ws,wss'.split(
    ',',
  ),
)

/**
 * Reads RFC 7591 metadata, of a registration or of a client's own document; what is not known is ignored. Throws invalid_redirect_uri or
 * invalid_client_metadata.
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

/** Where a person may be sent back to: https, a program that listens on their machine, or one that has an address scheme of its own. */
function checkRedirectUri(uri: string): void {
  const url = URL.parse(uri)
  const refuse = (why: string): never => {
    throw new OAuthRefusal('invalid_redirect_uri', `A redirect URI ${why}.`)
  }
  if (url === null || uri.length > longestUri || !/^[\x21-\x7e]+$/.test(uri)) return refuse('must be an address')
  if (uri.includes('#') || url.username !== '' || url.password !== '')
    return refuse('must have no fragment, user name or password')
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) return
  if (url.protocol === 'http:') return refuse('must begin with https://, unless it is of the machine itself')
  if (notOfPrograms.has(url.protocol.slice(0, -1)) || !/^[a-z][a-z0-9+.-]*:\/./i.test(uri))
    refuse('must be an https address, or of a program’s own scheme')
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost'
}

/** Whether the address is one of those: exactly, but that a program on the person's machine may listen on any port (RFC 8252, 7.3). */
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

/** Where an address leads, for people: a host, the program on their machine, or the scheme of one. */
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
