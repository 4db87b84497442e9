import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Reach as SiteReach } from '../../../connectors/runtime/site.ts'
import { addressesOf, mayReach } from '../../../core/notices/address.ts'
import { bare } from './bare-host.ts'

/** A host that the page requests and the user has not allowed yet. */
export interface Wanted {
  /** As in a URL, in ASCII, with its port unless that is 443. */
  readonly host: string
  /** Whether the page navigates there; otherwise it loads something from there. */
  readonly page: boolean
  /** The user allowed it, but it does not resolve, or is inside a private network. */
  readonly unreachable: boolean
}

/** What to show the user once they allowed a host. */
export interface Opening {
  /** The blocked page of that host, to open now; null: reload the page, which wanted parts. */
  readonly open: string | null
  /** The page that requested it, to return to if no page is shown; null when unknown. */
  readonly asker: string | null
}

const nothingToOpen: Opening = { open: null, asker: null }

export interface ReachOptions {
  /** Root of the app, ending in a slash. */
  readonly root: string
  /** Resolves the root's host, where a user typed it or an operator added its connector. */
  readonly rootAddresses?: SiteReach
  /** Whether it also resolves `hosts`: those of an added connector. */
  readonly judgesHosts?: boolean
  /** Addresses on further origins that the connector names. */
  readonly hosts: readonly string[]
  /** Receives all wanted hosts whenever one is added or changes. */
  readonly onWanted: (wanted: readonly Wanted[]) => void
  /** Whether an IP address is public. */
  readonly isPublic?: (address: string) => boolean
}

/** Further hosts are ignored: no user could review a longer list. */
const mostWanted = 20
const lookUpWithin = 10_000

/**
 * Where one sign-in browser may go: below the app's root, to the connector's hosts, and to public
 * hosts that the user allowed by name (https only, and never another port of the app's own host).
 * Pages may load parts from anywhere on the app's origin, where many apps keep scripts, styles and
 * APIs outside their root: to a browser an origin is one site.
 */
export class Reach {
  readonly #options: ReachOptions
  readonly #root: URL
  readonly #declared: ReadonlySet<string>
  readonly #allowed = new Set<string>()
  readonly #wanted = new Map<string, Wanted & Opening>()
  /** By origin. Each is resolved once, so that a later DNS answer cannot lead elsewhere. */
  readonly #addresses = new Map<string, Promise<readonly LookupAddress[]>>()

  constructor(options: ReachOptions) {
    this.#options = options
    this.#root = new URL(options.root)
    this.#declared = new Set(options.hosts.map((host) => new URL(host).origin))
  }

  /** Whether a URL may be shown as a page, a frame or a window. */
  mayShow(address: string): boolean {
    const url = readUrl(address)
    return (
      url !== null && this.knows(url.origin) && (url.origin !== this.#root.origin || isBelow(this.#root.href, url.href))
    )
  }

  /** Whether a page may load a URL as a part, or request it by script. */
  mayLoad(address: string): boolean {
    const url = readUrl(address)
    return url !== null && this.knows(url.origin)
  }

  /** Whether connections to that origin are allowed; mayShow still limits the app's own pages. */
  knows(origin: string): boolean {
    return origin === this.#root.origin || this.#declared.has(origin) || this.#allowed.has(origin)
  }

  /** Records a refused URL if the user may allow its host, and what to open once they do. */
  want(address: string, page: boolean, { open, asker }: Opening = nothingToOpen): void {
    const url = readUrl(address)
    if (url === null || this.knows(url.origin) || !this.#mayBeAllowed(url)) return
    const before = this.#wanted.get(url.host)
    if (before === undefined && this.#wanted.size >= mostWanted) return
    if (before !== undefined && (before.page || !page)) {
      this.#wanted.set(url.host, { ...before, open: open ?? before.open, asker: asker ?? before.asker })
      return
    }
    this.#wanted.set(url.host, { host: url.host, page, open, asker, unreachable: false })
    this.#tell()
  }

  /**
   * The user allows a wanted host. Returns what to open then; undefined when there is no such host,
   * or it is unreachable.
   */
  allow(host: string): Opening | undefined {
    const wanted = this.#wanted.get(host)
    if (wanted === undefined || wanted.unreachable) return undefined
    this.#wanted.delete(host)
    this.#allowed.add(`https://${host}`)
    this.#tell()
    return { open: wanted.open, asker: wanted.asker }
  }

  /** Addresses of an allowed origin; always the same. Throws when none may be reached. */
  async addressesOf(origin: string): Promise<readonly LookupAddress[]> {
    const url = new URL(origin)
    const known = this.#addresses.get(url.origin) ?? this.#lookUp(url)
    this.#addresses.set(url.origin, known)
    try {
      return await known
    } catch (error) {
      this.#addresses.delete(url.origin)
      if (this.#allowed.delete(url.origin)) {
        this.#wanted.set(url.host, { host: url.host, page: false, ...nothingToOpen, unreachable: true })
        this.#tell()
      }
      throw error
    }
  }

  /** The operator chooses the hosts of built-in apps, also inside a private network. */
  async #lookUp(url: URL): Promise<readonly LookupAddress[]> {
    const { rootAddresses, judgesHosts } = this.#options
    const isJudged = url.origin === this.#root.origin || (judgesHosts && this.#declared.has(url.origin))
    if (rootAddresses && isJudged) return rootAddresses(url, AbortSignal.timeout(lookUpWithin))
    const own = url.origin === this.#root.origin || this.#declared.has(url.origin)
    if (own) return lookup(bare(url.hostname), { all: true })
    const isPublic = this.#options.isPublic ?? ((address) => mayReach(address, 'https:', []))
    const found = await addressesOf(url, AbortSignal.timeout(lookUpWithin))
    if (found.length === 0 || !found.every(({ address }) => isPublic(address)))
      throw new Error('no address on the internet')
    return found
  }

  /** Only names, not IP addresses, so that the user can judge them. */
  #mayBeAllowed({ protocol, hostname }: URL): boolean {
    const isName = hostname.includes('.') && !hostname.endsWith('.') && isIP(bare(hostname)) === 0
    return protocol === 'https:' && isName && hostname !== this.#root.hostname
  }

  #tell(): void {
    this.#options.onWanted(
      [...this.#wanted.values()].map(({ host, page, unreachable }) => ({ host, page, unreachable })),
    )
  }
}

/** Whether an address is the app's root or below it. */
export function isBelow(root: string, address: string): boolean {
  const url = URL.parse(address)
  const base = new URL(root)
  return url !== null && url.origin === base.origin && `${url.pathname}/`.startsWith(base.pathname)
}

/** Maps ws: to http: and wss: to https:. Null for other schemes. */
function readUrl(address: string): URL | null {
  const url = URL.parse(address.replace(/^ws/i, 'http'))
  return url !== null && /^https?:$/.test(url.protocol) ? url : null
}
