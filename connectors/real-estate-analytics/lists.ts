import { stampedLists } from '../kit/stamped-lists.ts'
import type { Paging } from '../kit/stamped-lists.ts'
import { UnknownShape, fields, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

/** Converts the app's columnar lists: `cols` has the names, `vals` the rows in that order. */
export function table({ cols, vals }: Fields): readonly Fields[] {
  if (!Array.isArray(cols) || !Array.isArray(vals)) throw new UnknownShape('no columns')
  const names = cols.map(text)
  return vals.map((row: unknown) => {
    if (!Array.isArray(row) || row.length !== names.length)
      throw new UnknownShape('a row that does not fit its columns')
    return Object.fromEntries(names.map((name, at): [string, unknown] => [name, row[at]]))
  })
}

const stamped = stampedLists({ size: 'rows', stamp: 'stamp' })

export const listQuery = (paging: Paging): Fields => stamped.listQuery({}, paging)

export function pageOf(answer: Fields, paging: Paging): ReturnType<typeof stamped.pageOf> {
  const { of, stamp } = fields(answer['list'])
  return stamped.pageOf({ rows: table(answer), total: of, stamp }, paging)
}
