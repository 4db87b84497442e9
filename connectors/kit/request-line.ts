import type { TOptional, TProperties, TSchema } from 'typebox'
import type { Access } from '../../schemas/call.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request line, taken apart: `POST /inbox/{contact_id}` has the segments `inbox` and `{contact_id}`. */
export interface Line {
  readonly method: Method
  readonly path: string
  /** Names of the inputs in the path. */
  readonly names: readonly string[]
}

type Placeholders<L extends string> = L extends `${string}{${infer P}}${infer Rest}` ? P | Placeholders<Rest> : never
type Required<I extends TProperties> = {
  [K in keyof I]: I[K] extends TOptional<TSchema> ? never : K
}[keyof I]
type Missing<L extends string, I extends TProperties> = Exclude<Placeholders<L>, Required<I>>

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

const form = /^(GET|POST|PUT|PATCH|DELETE) (\/[^\s?#]*)$/
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function parseLine(line: string): Line {
  const match = form.exec(line)
  const method = methods.find((known) => known === match?.[1])
  const path = match?.[2]
  if (method === undefined || path === undefined) throw new Error(`"${line}" is not a request line: METHOD /path`)
  return { method, path, names: [...path.matchAll(/\{([^}]*)\}/g)].map((found) => found[1] ?? '') }
}

/** A path that would reach beyond its segment or the app's root. It is the caller's input, so it is never sent. */
export class UnsafePath extends Error {}

/** Servers often decode a segment before they look at it, some even twice: no dots only, no separators, encoded or not. */
export function isUnsafeSegment(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return (
    typeof value !== 'string' || value === '' || /^\.+$|[/\\%\u0000-\u001f\u007f]/.test(value) || !value.isWellFormed()
  )
}

/**
 * The address of a line below the app's root (`origin` ends in a slash). Each input becomes exactly one segment;
 * of a list, each item becomes the one where the line names it next.
 * Throws `UnsafePath` when a value is empty or a dot segment, or when the address leaves the root after normalisation.
 */
export function address(origin: string, path: string, input: Readonly<Record<string, unknown>>): URL {
  const taken = new Map<string, number>()
  const filled = path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => {
    const value = input[name]
    const at = taken.get(name) ?? 0
    taken.set(name, at + 1)
    const part: unknown = Array.isArray(value) ? value[at] : value
    if (isUnsafeSegment(part)) throw new UnsafePath(`"${name}" cannot be part of an address`)
    return encodeURIComponent(String(part))
  })
  const url = new URL(filled.replace(/^\//, './'), origin)
  if (!within(origin, url)) throw new UnsafePath('the address leaves the app')
  return url
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
