import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Reach as SiteReach } from '../../../connectors/runtime/site.ts'
import { addressesOf, mayReach } from '../../../core/notices/address.ts'

/** A host that the page asks for and nobody has allowed yet. */
export interface Wanted {
  /** As in an address, in ASCII; with its port where that is not 443. */
  readonly host: string
  /** Whether the page wants to go there; else it loads something from there. */
  readonly page: boolean
  /** It was allowed, and yet cannot be reached: it does not exist, or is inside a private network. */
  readonly unreachable: boolean
}

/** What a person is shown once they allowed a host. */
export interface Opening {
  /** The page of that host that was to be opened; null for the page as it is, which wanted only parts from there. */
  readonly open: string | null
  /** The page that asked for it, to go back to where nothing is shown by now; null when it is not known. */
  readonly asker: string | null
}

const nothingToOpen: Opening = { open: null, asker: null }

export interface ReachOptions {
  /** Root of the app, ending in a slash. */
  readonly root: string
  /** Finds the addresses of the root's host, where a person typed it. */
  readonly rootAddresses?: SiteReach
  /** Addresses on origins that the connector names besides. */
  readonly hosts: readonly string[]
  /** All that is wanted, each time that something is added or changes. */
  readonly onWanted: (wanted: readonly Wanted[]) => void
  /** Whether an address is anybody's on the internet. */
  readonly isPublic?: (address: string) => boolean
}

/** A page that asks for more is not answered: nobody could look through that. */
const mostWanted = 20
const lookUpWithin = 10_000

/**
 * Where one sign-in browser may go: below the app's root, to the connector's hosts, and to hosts on the internet that the person allowed by
 * name. Those are reached by https only, and never at another port of the app's own host. What pages load of the app's own origin may stand
 * beside its root, as scripts, styles and interfaces of many apps do: to a browser it is one and the same site.
 */
export class Reach {
  readonly #options: ReachOptions
  readonly #root: URL
  readonly #declared: ReadonlySet<string>
  readonly #allowed = new Set<string>()
  readonly #wanted = new Map<string, Wanted & Opening>()
  /** By origin. Each is looked up once: no answer that comes later leads elsewhere. */
  readonly #addresses = new Map<string, Promise<readonly LookupAddress[]>>()

  constructor(options: ReachOptions) {
    this.#options = options
    this.#root = new URL(options.root)
    this.#declared = new Set(options.hosts.map((host) => new URL(host).origin))
  }

  /** Whether that address may be shown, as a page, a frame or a window. */
  mayShow(address: string): boolean {
    const url = readUrl(address)
    return (
      url !== null && this.knows(url.origin) && (url.origin !== this.#root.origin || isBelow(this.#root.href, url.href))
    )
  }

  /** Whether a page may load that address as a part of itself, or ask it by script. */
  mayLoad(address: string): boolean {
    const url = readUrl(address)
    return url !== null && this.knows(url.origin)
  }

  /** Whether there may be connections to that origin; of the app's own one, not all addresses may be shown. */
  knows(origin: string): boolean {
    return origin === this.#root.origin || this.#declared.has(origin) || this.#allowed.has(origin)
  }

  /** Notes what was refused, if a person may allow it, and what to open once they have. */
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

  /** The person allows a host that was wanted. What to open then; undefined when there is no such host. */
  allow(host: string): Opening | undefined {
    const wanted = this.#wanted.get(host)
    if (wanted === undefined || wanted.unreachable) return undefined
    this.#wanted.delete(host)
    this.#allowed.add(`https://${host}`)
    this.#tell()
    return { open: wanted.open, asker: wanted.asker }
  }

  /** Where to connect to for an origin that it knows; the same all the time. Throws when it has no address that may be reached. */
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

  /** The app and its connector's hosts are where the operator says, also inside their network. */
  async #lookUp(url: URL): Promise<readonly LookupAddress[]> {
    const { rootAddresses } = this.#options
    if (rootAddresses && url.origin === this.#root.origin) return rootAddresses(url, AbortSignal.timeout(lookUpWithin))
    const own = url.origin === this.#root.origin || this.#declared.has(url.origin)
    if (own) return lookup(bare(url.hostname), { all: true })
    const isPublic = this.#options.isPublic ?? ((address) => mayReach(address, 'https:', []))
    const found = await addressesOf(url, AbortSignal.timeout(lookUpWithin))
    if (found.length === 0 || !found.every(({ address }) => isPublic(address)))
      throw new Error('no address on the internet')
    return found
  }

  /** By name only, so that the person can judge it. */
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

export function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** A WebSocket goes where the page of the same address is. */
function readUrl(address: string): URL | null {
  const url = URL.parse(address.replace(/^ws/i, 'http'))
  return url !== null && /^https?:$/.test(url.protocol) ? url : null
}
