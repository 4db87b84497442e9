import type { TOptional, TProperties, TSchema } from 'typebox'
import type { Access } from '../../schemas/call.ts'
import { isFreeText, isUnsafeText } from './free-text.ts'
import type { FreeText } from './free-text.ts'

/** Of HEAD and OPTIONS nothing comes back that an endpoint could tell. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request line, taken apart: `POST /inbox/{contact_id}` has the segments `inbox` and `{contact_id}`. */
export interface Line {
  readonly method: Method
  readonly path: string
  /** Names of the inputs in the path. */
  readonly names: readonly string[]
  /** Those of them that may be left out, with their segment: `{page?}`. */
  readonly optional: readonly string[]
}

type Placeholders<L extends string> = L extends `${string}{${infer P}}${infer Rest}` ? P | Placeholders<Rest> : never
type Required<I extends TProperties> = {
  [K in keyof I]: I[K] extends TOptional<TSchema> ? never : K
}[keyof I]
type Missing<L extends string, I extends TProperties> = Exclude<Placeholders<L>, Required<I> | `${keyof I & string}?`>

/** `L` when it is a good request line for these inputs; else a text that says what is wrong with it. */
export type CheckedLine<L extends string, I extends TProperties, A extends Access> = [Missing<L, I>] extends [never]
  ? L extends `${Method} /${string}`
    ? [A, L] extends ['write', `GET ${string}`]
      ? 'A write cannot have a GET line'
      : L
    : 'A request line is "METHOD /path"'
  : `The request line names {${Missing<L, I>}}, which is not among the required inputs`

/** The same for a page that is only read. */
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

/** The inputs that a path names. */
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

/** A path that would reach beyond its segment or the app's root. It is the caller's input, so it is never sent. */
export class UnsafePath extends Error {
  override readonly name = 'UnsafePath'
}

/** Servers often decode a segment before they look at it, some even twice: no dots only, no separators, encoded or not. */
export function isUnsafeSegment(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return (
    typeof value !== 'string' || value === '' || /^\.+$|[/\\%\u0000-\u001f\u007f]/.test(value) || !value.isWellFormed()
  )
}

/**
 * The address of a line below the app's root (`origin` ends in a slash). Each input becomes exactly one segment, or what is free text a part of
 * one; of a list, each item becomes the one where the line names it next. A segment whose optional input is not there is left out.
 * Throws `UnsafePath` when a value is empty or a dot segment, or when the address leaves the root after normalisation.
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
  // What is encoded of free text would never be within the app.
  if (
    !within(
      origin,
      filled(() => 'text'),
    )
  )
    throw new UnsafePath('the address leaves the app')
  return filled(({ freeText }) => encodeURIComponent(freeText))
}

/** The path without the segments whose optional inputs are not there. */
function present(path: string, input: Readonly<Record<string, unknown>>): string {
  const isThere = (segment: string): boolean =>
    namesIn(segment).optional.every((name) => input[name] !== undefined && input[name] !== null)
  return path.split('/').filter(isThere).join('/')
}

/** Whether an address belongs to the app: the same scheme, host and port, and a path below its root, in every reading. */
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
