import { UnknownShape, fields, number, rows, text } from './wire.ts'
import type { Fields } from './wire.ts'

/** Where a list continues: rows returned so far, and the first page's page size and stamp. */
interface Place {
  readonly passed: number
  readonly size: number
  readonly stamp: string | undefined
}

/** A page request: up to `limit` items from the cursor's position on. */
export interface Paging {
  readonly limit: number
  readonly anchor: string | null
}

/**
 * For apps with numbered pages of a selectable size, which keep a list as it was when they issued a
 * stamp. The answer holds `rows`, `total` and the stamp. `size` and `stamp`: the app's names for
 * the two.
 */
export function stampedLists(words: { readonly size: string; readonly stamp: string }) {
  return {
    listQuery: (filters: Fields, paging: Paging): Fields => {
      const { passed, size, stamp } = placeOf(paging)
      return { ...filters, page: Math.floor(passed / size) + 1, [words.size]: size, [words.stamp]: stamp }
    },

    /** The items to return from the app's page, and the next position; null at the end. */
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
