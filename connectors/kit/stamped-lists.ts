import { UnknownShape, fields, number, rows, text } from './wire.ts'
import type { Fields } from './wire.ts'

/** Where a list goes on: how many rows were given out, and the app's page size and stamp, which stay those of the first page. */
interface Place {
  readonly passed: number
  readonly size: number
  readonly stamp: string | undefined
}

/** What a call asks for: so many items, from its cursor's place on. */
export interface Paging {
  readonly limit: number
  readonly anchor: string | null
}

/**
 * Lists of apps that count pages of a size that may be chosen, and that show a list as it was when they gave out a stamp: `rows`,
 * `total` and the stamp are in the answer. `size` and `stamp` are the app's words for the two.
 */
export function stampedLists(words: { readonly size: string; readonly stamp: string }) {
  return {
    listQuery: (filters: Fields, paging: Paging): Fields => {
      const { passed, size, stamp } = placeOf(paging)
      return { ...filters, page: Math.floor(passed / size) + 1, [words.size]: size, [words.stamp]: stamp }
    },

    /** What of the app's page is given out, and the place after it; null at the end. */
    pageOf: (list: Fields, paging: Paging): { readonly items: readonly Fields[]; readonly next: string | null } => {
      const { passed, size } = placeOf(paging)
      const items = rows(list['rows']).slice(passed % size, (passed % size) + paging.limit)
      const until = passed + items.length
      if (until >= number(list['total'])) return { items, next: null }
      if (items.length === 0) throw new UnknownShape('an empty page before the end')
      return { items, next: JSON.stringify({ passed: until, size, stamp: text(list[words.stamp]) }) }
    },
  }
}

function placeOf({ anchor, limit }: Paging): Place {
  if (anchor === null) return { passed: 0, size: limit, stamp: undefined }
  const { passed, size, stamp } = fields(JSON.parse(anchor))
  return { passed: number(passed), size: number(size), stamp: text(stamp) }
}
