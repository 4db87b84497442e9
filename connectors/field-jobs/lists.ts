import { UnknownShape, fields, number, rows, text } from '../wire.ts'
import type { Fields } from '../wire.ts'

/** Where a list goes on: how many rows were given out, and the app's page size and snapshot, which stay those of the first page. */
interface Place {
  readonly passed: number
  readonly size: number
  readonly snapshot: string | undefined
}

interface Paging {
  readonly limit: number
  readonly anchor: string | null
}

export function listQuery(filters: Fields, paging: Paging): Fields {
  const { passed, size, snapshot } = placeOf(paging)
  return { ...filters, page: Math.floor(passed / size) + 1, per_page: size, snapshot }
}

/** What of the app's page is given out, and the place after it; null at the end. */
export function pageOf(
  list: Fields,
  paging: Paging,
): { readonly items: readonly Fields[]; readonly next: string | null } {
  const { passed, size } = placeOf(paging)
  const items = rows(list['rows']).slice(passed % size, (passed % size) + paging.limit)
  const until = passed + items.length
  if (until >= number(list['total'])) return { items, next: null }
  if (items.length === 0) throw new UnknownShape('an empty page before the end')
  return { items, next: JSON.stringify({ passed: until, size, snapshot: text(list['snapshot']) }) }
}

function placeOf({ anchor, limit }: Paging): Place {
  if (anchor === null) return { passed: 0, size: limit, snapshot: undefined }
  const { passed, size, snapshot } = fields(JSON.parse(anchor))
  return { passed: number(passed), size: number(size), snapshot: text(snapshot) }
}
