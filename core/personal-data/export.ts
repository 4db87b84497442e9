import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { errorName } from '../error-labels.ts'
import { held } from './held.ts'
import { columnsOf } from './held-table.ts'
import type { Held } from './held-table.ts'
import type { Place } from './opened.ts'

type Parts = Pick<Context, 'db' | 'secrets' | 'config' | 'log'>

/** `row` as stored; `next`: key after which the table continues; the rest opens sealed columns. */
type Row = Partial<Place> & {
  readonly row: Record<string, unknown>
  readonly next: readonly string[]
  readonly [sealed: `sealed_${number}`]: Buffer | null
}

/** `callgate-2026-11-25.jsonl` */
export function exportName(at = new Date()): string {
  return `callgate-${at.toISOString().slice(0, 10)}.jsonl`
}

/**
 * All data of a user as JSON lines: a header, the rows by table, and a last line with their number,
 * without which the export is incomplete. Few rows in memory, no connection held for a slow reader.
 */
export async function* exportOf(ctx: Parts, owner: string, by: string): AsyncGenerator<string> {
  await audit(ctx.db, by, 'data.exported', { owner })
  yield line({ what: 'export', owner, gateway: ctx.config.publicUrl, at: new Date() })
  let rows = 0
  for (const table of held)
    for await (const row of rowsOf(ctx, table, owner)) {
      rows++
      yield line({ what: table.table, ...row })
    }
  yield line({ what: 'end', rows })
}

const line = (value: object): string => `${JSON.stringify(value)}\n`

async function* rowsOf(ctx: Parts, table: Held, owner: string): AsyncGenerator<Record<string, unknown>> {
  const { atOnce = 200 } = table
  for (let after: readonly string[] | undefined; ;) {
    const rows = await read(ctx, table, owner, { after, atOnce })
    for (const row of rows) yield opened(ctx, table, row)
    after = rows.at(-1)?.next
    if (rows.length < atOnce || after === undefined) return
  }
}

async function read(
  { db }: Parts,
  table: Held,
  owner: string,
  { after, atOnce }: { readonly after: readonly string[] | undefined; readonly atOnce: number },
): Promise<readonly Row[]> {
  const { from, key, place, sealed = {} } = table
  const names = key.map(([expression]) => expression)
  const values = key.map(([, type], at) => `$${at + 2}::${type}`)
  // Also compares the first key alone: an index may not have the others.
  const further =
    after === undefined ? '' : `AND (${listed(names)}) > (${listed(values)}) AND ${names[0]} >= ${values[0]}`
  const { rows } = await db.query<Row>(
    `SELECT (SELECT to_jsonb(x) FROM (SELECT ${listed(columnsOf(table).map((column) => `t.${column}`))}) x) AS row,
       ARRAY[${listed(names.map((name) => `${name}::text`))}] AS next
       ${place === undefined ? '' : `, ${place}.id, ${place}.owner, ${place}.account, a.data_key`}
       ${Object.keys(sealed)
         .map((column, at) => `, t.${column} AS sealed_${at}`)
         .join('')}
     FROM ${from} ${further} ORDER BY ${listed(names)} LIMIT ${atOnce}`,
    [owner, ...(after ?? [])],
  )
  return rows
}

const listed = (parts: readonly string[]): string => parts.join(', ')

/** Opens sealed columns. Those that cannot be opened are listed; the others are still exported. */
function opened(ctx: Parts, { sealed = {} }: Held, read: Row): Record<string, unknown> {
  const { row, id, owner, account, data_key: dataKey } = read
  if (id === undefined || owner === undefined || account === undefined || dataKey === undefined) return row
  const unreadable: string[] = []
  const all: Record<string, unknown> = { ...row }
  for (const [at, [column, open]] of Object.entries(sealed).entries()) {
    const bytes = read[`sealed_${at}`]
    if (!bytes) continue
    try {
      all[column] = open(ctx, { id, owner, account, data_key: dataKey }, bytes, all)
    } catch (error) {
      ctx.log.error(
        { row: id, column, reason: errorName(error) },
        "something that is a person's cannot be opened for them",
      )
      unreadable.push(column)
    }
  }
  return unreadable.length > 0 ? { ...all, unreadable } : all
}
