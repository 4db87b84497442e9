/** Headers about one connection only, which end at a proxy; `host` is derived from the URL. */
const hopByHop = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Filters raw headers (name, value, name, value …) to those that a proxy forwards, unchanged.
 * `kept`: names to forward although they concern one connection.
 */
export function endToEnd(headers: readonly string[], kept: readonly string[] = []): string[] {
  const named = headers.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() === 'connection' ? (headers[at + 1] ?? '').toLowerCase().split(/\s*,\s*/) : [],
  )
  const ends = (name: string): boolean => (hopByHop.has(name) || named.includes(name)) && !kept.includes(name)
  return headers.filter((_, at) => !ends((headers[at - (at % 2)] ?? '').toLowerCase()))
}
