import { Readable } from 'node:stream'
import type { Http } from './api.ts'

type Cell = string | number | Date | null

/** A header line, then one line per entry. Source: RFC 4180. */
export async function* csvOf<Column extends string>(
  columns: readonly Column[],
  pieces: AsyncIterable<readonly Readonly<Record<Column, Cell>>[]>,
): AsyncGenerator<string, undefined> {
  let text = lineOf(columns)
  for await (const piece of pieces) {
    yield text + piece.map((entry) => lineOf(columns.map((column) => entry[column]))).join('')
    text = ''
  }
  if (text !== '') yield text
}

/** Streams a CSV download. An error before the first chunk still becomes an error response. */
export async function replyCsv(http: Http, name: string, lines: AsyncGenerator<string, undefined>): Promise<void> {
  const first = await lines.next()
  http.type = 'text/csv; charset=utf-8'
  http.set('Content-Disposition', `attachment; filename="${name}.csv"`)
  http.body = Readable.from(rest(http, first.value ?? '', lines))
}

/** A truncated file must not look complete: destroy the connection. */
async function* rest(http: Http, first: string, lines: AsyncGenerator<string, undefined>): AsyncGenerator<string> {
  yield first
  try {
    yield* lines
  } catch (error) {
    http.res.destroy()
    throw error
  }
}

function lineOf(values: readonly Cell[]): string {
  return `${values.map(cellOf).join(',')}\r\n`
}

function cellOf(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = value instanceof Date ? value.toISOString() : harmless(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** CSV injection: a spreadsheet would evaluate text that starts like a formula. */
function harmless(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}
