import type { Entry } from '../../core/credits/statement.ts'

const columns = ['at', 'kind', 'credits', 'change', 'reserved_change', 'call_id', 'app', 'endpoint', 'note'] as const

/** A header line, then one line an entry. Source: RFC 4180. */
export async function* csvOf(pieces: AsyncIterable<readonly Entry[]>): AsyncGenerator<string, undefined> {
  let text = lineOf(columns)
  for await (const piece of pieces) {
    yield text + piece.map((entry) => lineOf(columns.map((column) => entry[column]))).join('')
    text = ''
  }
  if (text !== '') yield text
}

function lineOf(values: readonly (string | number | Date | null)[]): string {
  return `${values.map(cellOf).join(',')}\r\n`
}

function cellOf(value: string | number | Date | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = value instanceof Date ? value.toISOString() : harmless(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A spreadsheet would run a text that begins like a formula. */
function harmless(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}
