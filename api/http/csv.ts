import { Readable } from 'node:stream'
import type { Http } from './api.ts'

type Cell = string | number | Date | null

/** A header line, then one line an entry. Source: RFC 4180. */
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

/** Answers with a file that is sent as it is read. What fails before its first piece still is an error that the client can read. */
export async function replyCsv(http: Http, name: string, lines: AsyncGenerator<string, undefined>): Promise<void> {
  const first = await lines.next()
  http.type = 'text/csv; charset=utf-8'
  http.set('Content-Disposition', `attachment; filename="${name}.csv"`)
  http.body = Readable.from(rest(http, first.value ?? '', lines))
}

/** A file that ends too early must not look whole: the connection breaks instead. */
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

/** A spreadsheet would run a text that begins like a formula. */
function harmless(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}
