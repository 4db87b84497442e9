import { createHash } from 'node:crypto'
import { cautious } from '../isolate/cautious.ts'
import { checkPlainFields } from '../isolate/plain-fields.ts'
import { specVersion } from '../kit/define.ts'
import type { ConnectorSpec } from '../kit/define.ts'
import { parsePattern } from '../kit/origin.ts'
import type { Origin } from '../kit/origin.ts'
import type { App, Level } from './app.ts'
import { appOf } from './bind.ts'
import { leavesOf } from './surface.ts'
import type { CodeSource } from './threads/source.ts'

/** A connector that an operator added, without its code. */
export interface AddedConnector {
  readonly slug: string
  /** Name and version, from its package.json. */
  readonly package: string
  /** SHA-256 of its code, in hexadecimal. */
  readonly hash: string
  /** Origins that it may send requests to, or `*`. */
  readonly hosts: readonly string[]
  /** Endpoints that need no approval unless they ask for it themselves. */
  readonly trusted: readonly string[]
  readonly scale?: Level | null
}

export interface LoadedConnector {
  readonly app: App
  dispose(): void
}

/** `*` in `hosts`: the address that a user enters; `https://*.example.com`: any subdomain. */
export const anyHost = '*'

/** Loads its code where it can run: `isolated`, or `onThreads`. */
export type LoadCode = (
  code: string,
  one: AddedConnector,
) => Promise<{ readonly spec: ConnectorSpec; readonly source?: CodeSource; dispose(): void }>

/** Loads and checks its code. Throws what is wrong. */
export async function loadAdded(one: AddedConnector, code: string, load: LoadCode): Promise<LoadedConnector> {
  if (hashOf(code) !== one.hash) throw new Error('its code is not what was added')
  const loaded = await load(code, one)
  try {
    if (versionOf(loaded.spec) > specVersion)
      throw new Error('it was bundled by a newer release of Callgate: run `callgate connector update` with this one')
    checkHosts(loaded.spec, one.hosts)
    const app = appOf(one.slug, cautious(loaded.spec, one.trusted), '', loaded.source)
    checkPlainFields(loaded.spec)
    const leaves = leavesOf(loaded.spec)
    const { package: from, hash, scale } = one
    const isOutdated = versionOf(loaded.spec) < specVersion
    const added = { package: from, hash, leaves, isOutdated, ...(scale && { scale }) }
    return { app: { ...app, added }, dispose: () => loaded.dispose() }
  } catch (error) {
    loaded.dispose()
    throw error
  }
}

/** The declared `specVersion`, which may be made up: a non-integer counts as too new. */
function versionOf({ specVersion: version = 1 }: ConnectorSpec): number {
  return Number.isInteger(version) ? version : Infinity
}

export function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}

/** Throws unless each is an http(s) origin, or `*`. */
export function checkHostList(hosts: readonly string[]): void {
  if (hosts.length === 0) throw new Error('hosts is empty: it names what the connector may reach')
  for (const host of hosts)
    if (host !== anyHost && !isOrigin(host.replace('://*.', '://any.')))
      throw new Error(`hosts has "${host}", which is no origin like https://shop.example.com`)
}

function isOrigin(text: string): boolean {
  return URL.parse(text)?.origin === text && /^https?:/.test(text)
}

/** Throws if it reaches a host that the operator did not agree to. */
function checkHosts({ origin, hosts: more = {}, signIn }: ConnectorSpec, hosts: readonly string[]): void {
  checkHostList(hosts)
  const addresses = [...Object.values(more), ...(signIn.hosts ?? [])]
  const isTyped = typeof origin !== 'string'
  for (const at of [...(isTyped && hosts.includes(anyHost) ? [] : [leadsTo(origin)]), ...addresses.map(originOf)])
    if (!hosts.includes(at))
      throw new Error(
        `it leads to ${at}, which is not among its hosts: list it in "hosts" of package.json, then callgate connector update`,
      )
}

/** In the form of its package's `hosts`. */
function leadsTo(origin: Origin): string {
  if (typeof origin === 'string') return originOf(origin)
  if (!('pattern' in origin)) return anyHost
  const { protocol, before, after } = parsePattern(origin.pattern)
  return `${protocol}//${before}*${after}`
}

function originOf(address: string): string {
  return URL.parse(address)?.origin ?? address
}
