import { createHash } from 'node:crypto'
import { cautious } from '../isolate/cautious.ts'
import { isolated } from '../isolate/isolated.ts'
import type { IsolateOptions } from '../isolate/isolated.ts'
import { checkPlainFields } from '../isolate/plain-fields.ts'
import type { ConnectorSpec } from '../kit/define.ts'
import { parsePattern } from '../kit/origin.ts'
import type { Origin } from '../kit/origin.ts'
import { appOf } from '../registry.ts'
import type { App, Level } from './app.ts'

/** A connector that an operator added, without its code. */
export interface AddedConnector {
  readonly slug: string
  /** Name and version, as its package.json says. */
  readonly package: string
  /** SHA-256 of its code, in hexadecimal digits. */
  readonly hash: string
  /** Where it may lead: origins, or `*`. */
  readonly hosts: readonly string[]
  /** Endpoints that need not ask first unless they say so themselves. */
  readonly trusted: readonly string[]
  readonly scale?: Level | null
}

export interface LoadedConnector {
  readonly app: App
  dispose(): void
}

/** `*` in a connector's hosts: any address that its users type; `https://*.example.com`: any name there. */
export const anyHost = '*'

/** Brings its code into an isolate, and looks at all of it. Throws what is wrong. */
export async function loadAdded(
  one: AddedConnector,
  code: string,
  options: IsolateOptions = {},
): Promise<LoadedConnector> {
  if (hashOf(code) !== one.hash) throw new Error('its code is not what was added')
  const loaded = await isolated(code, options)
  try {
    checkHosts(loaded.spec, one.hosts)
    const app = appOf(one.slug, cautious(loaded.spec, one.trusted), '')
    checkPlainFields(loaded.spec)
    const added = { package: one.package, hash: one.hash, ...(one.scale && { scale: one.scale }) }
    return { app: { ...app, added }, dispose: () => loaded.dispose() }
  } catch (error) {
    loaded.dispose()
    throw error
  }
}

export function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}

/** Throws unless each is the origin of a web server, or `*`. */
export function checkHostList(hosts: readonly string[]): void {
  if (hosts.length === 0) throw new Error('hosts is empty: it names what the connector may reach')
  for (const host of hosts)
    if (host !== anyHost && !isOrigin(host.replace('://*.', '://any.')))
      throw new Error(`hosts has "${host}", which is no origin like https://shop.example.com`)
}

function isOrigin(text: string): boolean {
  return URL.parse(text)?.origin === text && /^https?:/.test(text)
}

/** Throws when it leads to a place that nobody agreed to. */
function checkHosts({ origin, hosts: more = {}, signIn }: ConnectorSpec, hosts: readonly string[]): void {
  checkHostList(hosts)
  if (hosts.includes(anyHost)) return
  const addresses = [...Object.values(more), ...(signIn.hosts ?? [])]
  for (const at of [leadsTo(origin), ...addresses.map(originOf)])
    if (!hosts.includes(at)) throw new Error(`it leads to ${at}, which is not among its hosts`)
}

/** As `hosts` of its package says it. */
function leadsTo(origin: Origin): string {
  if (typeof origin === 'string') return originOf(origin)
  if (!('pattern' in origin)) return anyHost
  const { protocol, before, after } = parsePattern(origin.pattern)
  return `${protocol}//${before}*${after}`
}

function originOf(address: string): string {
  return URL.parse(address)?.origin ?? address
}
