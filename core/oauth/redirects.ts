import { OAuthRefusal } from './refusal.ts'

const longestUri = 2_000

/**
 * Schemes without a dot that MCP hosts register for their callback. Other schemes may start
 * programs that expect no code (`ms-msdt:`, `search-ms:`, `ssh:`). Claude, ChatGPT and Zed need
 * none: they use loopback or https.
 */
const hostSchemes: ReadonlyMap<string, string> = new Map([
  ['cursor', 'Cursor: cursor://anysphere.cursor-mcp/oauth/callback'],
  ['vscode', 'Visual Studio Code'],
  ['vscode-insiders', 'Visual Studio Code Insiders'],
  ['vscodium', 'VSCodium: urlProtocol of its product.json'],
  ['windsurf', 'Windsurf: its own sign-in goes back to windsurf://codeium.windsurf'],
])

/** RFC 8252, 7.1: a reversed domain of the client's developer. */
const reverseDomain = /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/
/** Windows opens its own components by such names: microsoft.windows.camera. */
const ofSystem = /^(microsoft|windows|ms)\./

/** Checks that a redirect URI is allowed. Throws invalid_redirect_uri with the reason. */
export function checkRedirectUri(uri: string): void {
  const problem = problemOf(uri)
  if (problem !== undefined) throw new OAuthRefusal('invalid_redirect_uri', `A redirect URI ${problem}.`)
}

function problemOf(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (url === null || uri.length > longestUri || !/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\'))
    return 'must be an address in ASCII'
  const authority = /^[^:]+:\/\/([^/?#]*)/.exec(uri)?.[1]
  if (uri.includes('#') || authority?.includes('@') === true) return 'must have no fragment, user name or password'
  if (url.protocol === 'https:' || url.protocol === 'http:') return problemOfWeb(url, authority)
  const scheme = url.protocol.slice(0, -1)
  const known = hostSchemes.has(scheme) || (reverseDomain.test(scheme) && !ofSystem.test(scheme))
  if (!known)
    return `must begin with https://, http://127.0.0.1, a reversed domain (com.example.app:/) or one of ${[...hostSchemes.keys()].join(', ')}; not ${scheme.slice(0, 40)}:`
  return uri.slice(scheme.length).startsWith(':/') ? undefined : 'must have a path after its scheme'
}

function problemOfWeb(url: URL, authority: string | undefined): string | undefined {
  if (authority === undefined || authority === '') return 'must name its host after //'
  if (!/^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/.test(url.hostname)) return 'must name one host, without wildcards'
  if (url.protocol === 'http:' && !isLoopback(url))
    return 'must begin with https://, unless it is of the machine itself'
  return undefined
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost'
}
