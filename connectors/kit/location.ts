import { UnknownShape } from './wire.ts'

/** Where an app led after it did as told: the named groups of the page's pattern, and the query. */
export interface Led {
  readonly part: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/**
 * Takes a redirect's location apart. `page`: the path that it must lead to, or a pattern of it. `sign`: what its query must say, by name; `true`
 * for anything but nothing. What led elsewhere is an unknown shape.
 */
export function ledTo(
  location: string,
  page: string | RegExp,
  sign: Readonly<Record<string, string | true>> = {},
): Led {
  const at = location.indexOf('?')
  const path = at < 0 ? location : location.slice(0, at)
  const query = new URLSearchParams(at < 0 ? '' : location.slice(at + 1))
  const match = typeof page === 'string' ? null : page.exec(path)
  const fits = typeof page === 'string' ? path === page : match !== null
  const says = Object.entries(sign).every(([name, value]) =>
    value === true ? Boolean(query.get(name)) : query.get(name) === value,
  )
  if (!fits || !says) throw new UnknownShape('led elsewhere')
  return { part: { ...match?.groups }, query }
}
