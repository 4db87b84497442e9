import { says } from './address-parts.ts'
import { UnknownShape } from './wire.ts'

/** A redirect after success: the named groups of the path's pattern, and the query. */
export interface Led {
  readonly part: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/**
 * Parses a redirect's location. `page`: the path, or a pattern of it, that it must have. `sign`:
 * required query parameters; `true` for any non-empty value. Any other target is an `UnknownShape`.
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
  if (!fits || !says(query, Object.entries(sign))) throw new UnknownShape('led elsewhere')
  return { part: { ...match?.groups }, query }
}
