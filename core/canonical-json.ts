import canonicalize from 'canonicalize'

/** RFC 8785 canonical JSON of a JSON value: equal values give equal bytes. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}
