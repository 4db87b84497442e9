import { ask } from './host.ts'

/** The parts of a URL, as the host parses it. */
type Parts = Readonly<Record<(typeof names)[number], string>>

const names = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const

type Address = string | URL

/** A URL parsed by the host; its query can be changed, the rest is fixed. */
export class URL {
  readonly #parts: Parts
  readonly searchParams: URLSearchParams

  constructor(address: Address, base?: Address) {
    const parts = partsOf(address, base)
    if (parts === null) throw new TypeError('Invalid URL')
    this.#parts = parts
    this.searchParams = new URLSearchParams(parts.search)
  }

  static canParse(address: Address, base?: Address): boolean {
    return partsOf(address, base) !== null
  }

  static parse(address: Address, base?: Address): URL | null {
    return partsOf(address, base) === null ? null : new URL(address, base)
  }

  get href(): string {
    const { href, hash, search } = this.#parts
    const query = this.search
    return query === search ? href : href.slice(0, href.length - hash.length - search.length) + query + hash
  }
  get search(): string {
    const query = this.searchParams.toString()
    return query === new URLSearchParams(this.#parts.search).toString() ? this.#parts.search : query && `?${query}`
  }
  get origin(): string {
    return this.#parts.origin
  }
  get protocol(): string {
    return this.#parts.protocol
  }
  get username(): string {
    return this.#parts.username
  }
  get password(): string {
    return this.#parts.password
  }
  get host(): string {
    return this.#parts.host
  }
  get hostname(): string {
    return this.#parts.hostname
  }
  get port(): string {
    return this.#parts.port
  }
  get pathname(): string {
    return this.#parts.pathname
  }
  get hash(): string {
    return this.#parts.hash
  }
  toString(): string {
    return this.href
  }
  toJSON(): string {
    return this.href
  }
}

function partsOf(address: Address, base?: Address): Parts | null {
  return ask('url', { address: address.toString(), base: base?.toString() }) as Parts | null
}

type Pair = [string, string]
type Given = Iterable<readonly [unknown, unknown]> | Readonly<Record<string, unknown>>

export class URLSearchParams {
  #pairs: Pair[]

  constructor(from: string | Given = '') {
    if (typeof from === 'string') this.#pairs = read(from)
    else {
      const given: readonly (readonly [unknown, unknown])[] = isList(from) ? [...from] : Object.entries(from)
      this.#pairs = given.map(([name, value]) => [String(name), String(value)])
    }
  }

  get(name: string): string | null {
    return this.#pairs.find(([known]) => known === name)?.[1] ?? null
  }
  getAll(name: string): string[] {
    return this.#pairs.filter(([known]) => known === name).map(([, value]) => value)
  }
  has(name: string): boolean {
    return this.get(name) !== null
  }
  append(name: string, value: unknown): void {
    this.#pairs.push([name, String(value)])
  }
  set(name: string, value: unknown): void {
    const at = this.#pairs.findIndex(([known]) => known === name)
    const others = this.#pairs.filter(([known]) => known !== name)
    this.#pairs = at < 0 ? [...others, [name, String(value)]] : others.toSpliced(at, 0, [name, String(value)])
  }
  delete(name: string): void {
    this.#pairs = this.#pairs.filter(([known]) => known !== name)
  }
  entries(): IterableIterator<Pair> {
    return this.#pairs.values()
  }
  keys(): IterableIterator<string> {
    return this.#pairs.map(([name]) => name).values()
  }
  values(): IterableIterator<string> {
    return this.#pairs.map(([, value]) => value).values()
  }
  [Symbol.iterator](): IterableIterator<Pair> {
    return this.entries()
  }
  toString(): string {
    return this.#pairs.map(([name, value]) => `${written(name)}=${written(value)}`).join('&')
  }
}

function isList(given: Given): given is Iterable<readonly [unknown, unknown]> {
  return Symbol.iterator in given
}

function read(query: string): Pair[] {
  return query
    .replace(/^\?/, '')
    .split('&')
    .filter((one) => one !== '')
    .map((one) => {
      const at = one.indexOf('=')
      return at < 0 ? [decoded(one), ''] : [decoded(one.slice(0, at)), decoded(one.slice(at + 1))]
    })
}

/** Text that is not valid UTF-8 stays undecoded. */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

function written(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll('%20', '+')
    .replaceAll(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
