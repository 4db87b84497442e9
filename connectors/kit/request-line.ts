import type { TOptional, TProperties, TSchema } from 'typebox'
import type { Access } from '../../schemas/call.ts'
import { isFreeText, isUnsafeText } from './free-text.ts'
import type { FreeText } from './free-text.ts'

/** HEAD and OPTIONS are missing because their answers hold nothing for an endpoint to return. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A parsed request line: `POST /inbox/{contact_id}` has segments `inbox` and `{contact_id}`. */
export interface Line {
  readonly method: Method
  readonly path: string
  /** Names of the inputs in the path. */
  readonly names: readonly string[]
  /** The optional ones, which drop their segment when absent: `{page?}`. */
  readonly optional: readonly string[]
}

type Placeholders<L extends string> = L extends `${string}{${infer P}}${infer Rest}` ? P | Placeholders<Rest> : never
type Required<I extends TProperties> = {
  [K in keyof I]: I[K] extends TOptional<TSchema> ? never : K
}[keyof I]
type Missing<L extends string, I extends TProperties> = Exclude<Placeholders<L>, Required<I> | `${keyof I & string}?`>

/** `L` if it is a valid request line for these inputs, else a text that names the problem. */
export type CheckedLine<L extends string, I extends TProperties, A extends Access> = [Missing<L, I>] extends [never]
  ? L extends `${Method} /${string}`
    ? [A, L] extends ['write', `GET ${string}`]
      ? 'A write cannot have a GET line'
      : L
    : 'A request line is "METHOD /path"'
  : `The request line names {${Missing<L, I>}}, which is not among the required inputs`

/** The same check for a page that is only read. */
export type PageLine<L extends string, I extends TProperties> = [Missing<L, I>] extends [never]
  ? L extends `GET /${string}`
    ? L
    : 'A page line is "GET /path"'
  : `The page line names {${Missing<L, I>}}, which is not among the required inputs`

const form = /^(GET|POST|PUT|PATCH|DELETE) (\/(?:\{\w[\w.]*\??\}|[^\s?#{}])*)$/
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function isMethod(word: string): word is Method {
  return (methods as readonly string[]).includes(word)
}

export function parseLine(line: string): Line {
  const match = form.exec(line)
  const method = methods.find((known) => known === match?.[1])
  const path = match?.[2]
  if (method === undefined || path === undefined)
    throw new Error(`"${line}" is not a request line: METHOD /path, with ${methods.join(', ')}`)
  return { method, path, ...namesIn(path) }
}

/** Names of the inputs in a path. */
export function namesIn(path: string): Pick<Line, 'names' | 'optional'> {
  const written = Array.from(path.matchAll(placeholder), (found) => found[1] ?? '')
  return {
    names: written.map(bare),
    optional: written.filter((name) => name.endsWith('?')).map(bare),
  }
}

function bare(name: string): string {
  return name.replace(/\?$/, '')
}

const placeholder = /\{([^}]*)\}/g

/** The caller's input would reach beyond its segment or the app's root; nothing is sent. */
export class UnsafePath extends Error {
  override readonly name = 'UnsafePath'
}

/** No dot segments or separators, even encoded: servers decode segments, some of them twice. */
export function isUnsafeSegment(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return (
    typeof value !== 'string' || value === '' || /^\.+$|[/\\%\u0000-\u001f\u007f]/.test(value) || !value.isWellFormed()
  )
}

/**
 * Builds the URL of a path below the app's root (`origin` ends in a slash). Each input fills
 * exactly one segment, or part of one if it is free text; the items of a list fill its placeholders
 * in order. A segment whose optional input is absent is dropped. Throws `UnsafePath` for an empty
 * value, a dot segment or a URL that leaves the root after normalisation.
 */
export function address(origin: string, path: string, input: Readonly<Record<string, unknown>>): URL {
  const filled = (written: (text: FreeText) => string): URL => {
    const taken = new Map<string, number>()
    const whole = present(path, input).replaceAll(placeholder, (_, found: string) => {
      const name = bare(found)
      const at = taken.get(name) ?? 0
      taken.set(name, at + 1)
      const value = input[name]
      const part: unknown = Array.isArray(value) ? value[at] : value
      if (isFreeText(part) && !isUnsafeText(part)) return written(part)
      if (isUnsafeSegment(part)) throw new UnsafePath(`"${name}" cannot be part of an address`)
      return encodeURIComponent(String(part))
    })
    return new URL(whole.replace(/^\//, './'), origin)
  }
  // Check with a harmless text: `within` rejects the percent-encoding of real free text.
  if (
    !within(
      origin,
      filled(() => 'text'),
    )
  )
    throw new UnsafePath('the address leaves the app')
  return filled(({ freeText }) => encodeURIComponent(freeText))
}

/** Drops the segments whose optional inputs are absent. */
function present(path: string, input: Readonly<Record<string, unknown>>): string {
  const isThere = (segment: string): boolean =>
    namesIn(segment).optional.every((name) => input[name] !== undefined && input[name] !== null)
  return path.split('/').filter(isThere).join('/')
}

/** Same scheme, host and port, and a path below the app's root, however it is decoded. */
export function within(origin: string, url: URL): boolean {
  const root = new URL(origin)
  return (
    url.origin === root.origin &&
    url.username === '' &&
    url.password === '' &&
    `${url.pathname}/`.startsWith(root.pathname) &&
    !/%2e|%2f|%5c|\\|\/\//i.test(url.pathname)
  )
}
