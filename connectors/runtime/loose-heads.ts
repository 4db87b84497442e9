const statusLine = /^http\/(\d+)\.(\d+)[ \t]+(\d{3})(?:[ \t]+(.*))?$/i
const field = /^([!#$%&'*+.^_`|~0-9a-z-]+):(.*)$/i
/** Without NUL, which browsers refuse, too. */
const controls = /[\x01-\x08\x0b-\x1f\x7f]/g

/**
 * Rewrites a head that only browsers accept: bare line feeds, folded lines, spaces before a colon,
 * invalid names, control characters or repeated lengths. Its connection is not reused.
 * Source: https://source.chromium.org/chromium/chromium/src/+/main:net/http/http_util.cc
 */
export function strictHead(head: string): string {
  const [first = '', ...rest] = unfolded(head)
  const [, major, minor, code, reason = ''] = statusLine.exec(first) ?? []
  if (code === undefined) return head
  const version = Number(major) > 1 || (major === '1' && minor !== '0') ? '1.1' : '1.0'
  const line = `HTTP/${version} ${code} ${reason.replaceAll(controls, ' ')}`.trimEnd()
  const fields = framed(rest.flatMap(strictField))
  if (line === first.trimEnd() && head === [first, ...fields, '', ''].join('\r\n')) return head
  const lasting = fields.filter((one) => !/^(?:connection|keep-alive):/i.test(one))
  return [line, ...lasting, 'connection: close', '', ''].join('\r\n')
}

function unfolded(head: string): readonly string[] {
  const lines: string[] = []
  for (const line of head.split(/\r?\n/)) {
    const isFolded = /^[ \t]/.test(line)
    if (isFolded && lines.length > 1) lines.push(`${lines.pop() ?? ''} ${line.trim()}`)
    else if (line !== '') lines.push(isFolded ? line.trim() : line)
  }
  return lines
}

function strictField(line: string): readonly string[] {
  const [, name = '', value = ''] = field.exec(line.replace(/^([^:]*?)[ \t]+:/, '$1:')) ?? []
  if (name === '') return []
  // Browsers ignore such a cookie.
  if (name.toLowerCase() === 'set-cookie' && value.search(controls) >= 0) return []
  return [`${name}:${value.replaceAll(controls, ' ')}`]
}

/** Keeps at most one Content-Length: none with chunked encoding, none that is not a number. */
function framed(fields: readonly string[]): readonly string[] {
  const valuesOf = (name: string): readonly string[] =>
    fields
      .filter((one) => isOf(one, name))
      .flatMap((one) =>
        one
          .slice(name.length + 1)
          .split(',')
          .map((part) => part.trim()),
      )
  const isChunked = valuesOf('transfer-encoding').some((value) => value.toLowerCase() === 'chunked')
  const lengths = new Set(valuesOf('content-length'))
  const [length = ''] = lengths
  // Two different lengths stay: the answer is unreadable.
  if (!isChunked && lengths.size > 1) return fields
  let isSaid = isChunked || !/^\d+$/.test(length)
  return fields.flatMap((one) => {
    if (isOf(one, 'transfer-encoding') && !isChunked) return []
    if (!isOf(one, 'content-length')) return [one]
    if (isSaid) return []
    isSaid = true
    return one.includes(',') ? [`content-length: ${length}`] : [one]
  })
}

function isOf(line: string, name: string): boolean {
  return line.slice(0, name.length + 1).toLowerCase() === `${name}:`
}
