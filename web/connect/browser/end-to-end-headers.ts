/** Headers that are about one connection only, and so end at a proxy; the host is told by the address. */
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

/** Name, value, name, value …: those that go on to the other side, as they were written. */
export function endToEnd(headers: readonly string[], kept: readonly string[] = []): string[] {
  const named = headers.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() === 'connection' ? (headers[at + 1] ?? '').toLowerCase().split(/\s*,\s*/) : [],
  )
  const ends = (name: string): boolean => (hopByHop.has(name) || named.includes(name)) && !kept.includes(name)
  return headers.filter((_, at) => !ends((headers[at - (at % 2)] ?? '').toLowerCase()))
}
