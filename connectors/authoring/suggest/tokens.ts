import type { Run } from './draft.ts'
import { alikeIn, segmentsOf } from './exchanges.ts'
import type { Inputs } from './inputs.ts'
import { quoted } from './literal.ts'
import { keyOfPlace, placesOf } from './places.ts'
import type { Place } from './places.ts'

/** Whether a field or a header is named like a CSRF token. */
export const isTokenName = (name: string): boolean =>
  /csrf|xsrf|authenticity|requestverification|(?:^|[_-])(?:token|nonce|sesskey|formkey|form_key|viewstate)(?:$|[_-])|_?wpnonce|^__(?:viewstate|eventvalidation)/i.test(
    name,
  )

export const isSecret = (value: string): boolean => /SECRET\.[\w.-]+/.test(value)

/** A page that was read before, and the position of the value in it, in all runs. */
export interface Source {
  readonly place: Place
  /** Path and query below the root, with inputs in braces. */
  readonly page: string
}

/** Where the runs read these values before the request: one position of the latest page. */
export function sourceOf(inputs: Inputs, values: readonly string[]): Source | undefined {
  const { runs, origin } = inputs
  const [first] = runs
  if (first === undefined) return undefined
  const asked = first.trace.exchanges.slice(0, first.at).toReversed()
  for (const one of asked) {
    if (one.request.method !== 'GET' || one.answer.status !== 200) continue
    const places = placesOf(one).filter(({ value }) => value === values[0])
    if (places.length === 0) continue
    const same = runs.map((run) => (run === first ? one : likeIn(run, one.request.url, origin)))
    for (const place of places.toSorted((a, b) => ease(a) - ease(b))) {
      const isThere = same.every((other, at) => other !== undefined && hasPlace(other, place, values[at] ?? ''))
      if (!isThere) continue
      const path = inputs.pathOf(
        same.map((other) => other?.request.url ?? ''),
        'known',
      )
      const query = new URL(one.request.url).search
      if (path !== undefined && same.every((other) => other && new URL(other.request.url).search === query))
        return { place, page: `${path}${query}` }
    }
  }
  return undefined
}

const ease = ({ in: kind }: Place): number => ['meta', 'hidden', 'json', 'script', 'attribute'].indexOf(kind)

/** Values by position: several forms may have one hidden field, each with its own token. */
const memory = new WeakMap<object, ReadonlyMap<string, readonly string[]>>()

function hasPlace(exchange: Run['exchange'], place: Place, value: string): boolean {
  let known = memory.get(exchange)
  if (known === undefined) {
    const places = Map.groupBy(placesOf(exchange), keyOfPlace)
    known = new Map([...places].map(([key, own]) => [key, own.map((one) => one.value)]))
    memory.set(exchange, known)
  }
  return known.get(keyOfPlace(place))?.includes(value) === true
}

/** The latest matching exchange of a run before its action, at a URL of the same shape. */
export function likeIn({ trace, at }: Run, address: string, origin: string): Run['exchange'] | undefined {
  const path = segmentsOf(address, origin)
  const alike = trace.exchanges.slice(0, at).map((one) => {
    const own = segmentsOf(one.request.url, trace.origin)
    const fits = one.request.method === 'GET' && own !== undefined && own.length === path?.length
    return { one, alike: fits ? alikeIn(own, path) : -1 }
  })
  const best = Math.max(...alike.map((each) => each.alike), -1)
  const least = (path?.length ?? 0) <= 2 ? 0 : 1
  return best < least ? undefined : alike.findLast((each) => each.alike === best)?.one
}

/** Name of the cookie with this value. */
export function cookieOf({ trace, at }: Run, value: string): string | undefined {
  const kept = trace.cookies?.find((one) => one.value === value)
  if (kept !== undefined) return kept.name
  for (const { request, answer } of trace.exchanges.slice(0, at + 1)) {
    const said = `${request.headers['cookie'] ?? ''}; ${answer.headers['set-cookie'] ?? ''}`
    for (const [, name, own] of said.matchAll(/(?:^|[;,\n]\s*)([\w.!#$%&'*+^`|~-]+)=([^;,\s]*)/g))
      if (own === value) return name
  }
  return undefined
}

/** The code of a token for a header or a field; undefined: nothing that was read contains it. */
export function tokenCode(
  inputs: Inputs,
  fills: { readonly header: string } | { readonly field: string },
  values: readonly string[],
): string | undefined {
  const [value = ''] = values
  const bare = values.map((one) => /SECRET\.[\w.-]+/.exec(one)?.[0] ?? one)
  const header = 'header' in fills ? fills.header : 'x-token'
  const asField = (code: string): string => ('field' in fills ? `asField(${code}, ${quoted(fills.field)})` : code)
  const source = sourceOf(inputs, bare)
  const [run] = inputs.runs
  const cookie = run && cookieOf(run, value)
  if (source === undefined) {
    const page =
      run &&
      inputs.pathOf(
        inputs.runs.map(({ exchange }) => exchange.page ?? ''),
        'known',
      )
    return cookie === undefined
      ? undefined
      : asField(
          `cookieToken({ page: ${quoted(page === undefined || /[{\d]|\w-\w/.test(page) ? '/' : page)}, cookie: ${quoted(cookie)}, header: ${quoted(header)} })`,
        )
  }
  const { place, page } = source
  if (place.in === 'hidden' && 'field' in fills && place.name === fills.field)
    return `formToken({ page: ${quoted(page)}, field: ${quoted(place.name)} })`
  if (place.in === 'meta')
    return asField(`headerToken({ page: ${quoted(page)}, meta: ${quoted(place.name)}, header: ${quoted(header)} })`)
  if (place.in === 'json' && place.path.every((step) => typeof step === 'string' && !step.includes('.')))
    return asField(
      `jsonToken({ page: ${quoted(page)}, field: ${quoted(place.path.join('.'))}, header: ${quoted(header)} })`,
    )
  if (place.in === 'hidden') {
    const fill = 'field' in fills ? `field: ${quoted(fills.field)}` : `header: ${quoted(header)}`
    return `{ page: ${quoted(page)}, answer: 'page', fills: { ${fill} }, from: { css: ${quoted(place.css)}, attribute: 'value' } }`
  }
  return undefined
}
