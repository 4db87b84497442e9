/** Splits a path relative to the app's root from its query; drops the fragment. */
export function pathAndQuery(place: string): [path: string, query: URLSearchParams | undefined] {
  const [, path = '', query] = /^([^?#]*)(?:\?([^#]*))?/.exec(place) ?? []
  return [path, query === undefined ? undefined : new URLSearchParams(query)]
}

/** Whether a query has these parameters, among others; `true`: any non-empty value. */
export function says(
  query: URLSearchParams | undefined,
  wanted: Iterable<readonly [name: string, value: string | true]>,
): boolean {
  return [...wanted].every(([name, value]) => (value === true ? Boolean(query?.get(name)) : query?.get(name) === value))
}
