import { UnknownShape, isFields, rows } from './wire.ts'
import type { Fields } from './wire.ts'

/**
 * Cursors over apps that count pages or rows. Where an app hands out its own token or id to go on from, use `anchor` as it is.
 * The place to go on from remembers the last item that was given out: when items come in at the top meanwhile, those that slide
 * onto the next page are not given out twice.
 */
interface Place {
  readonly page: number
  readonly last: string | null
}

/** What to ask an app for that has pages of a size of its own: its page number, from 1. */
export function pageNumber(anchor: string | null): number {
  return place(anchor).page
}

/** What to ask an app for that counts rows: how many to skip. */
export function offset(anchor: string | null): number {
  return place(anchor).page - 1
}

/**
 * One gateway page out of one page of an app with page numbers, whatever `limit` is: never more than the app's page holds.
 * `more` says whether the app has pages after this one.
 */
export function fromPage(options: {
  readonly anchor: string | null
  readonly items: unknown
  readonly limit: number
  readonly more: boolean
  readonly idOf: (item: Fields) => string
}): { readonly items: readonly Fields[]; readonly next: string | null } {
  const { page } = place(options.anchor)
  const fresh = unseen(options)
  const items = fresh.slice(0, options.limit)
  const last = lastOf(items, options)
  if (fresh.length > items.length) return { items, next: JSON.stringify({ page, last }) }
  return { items, next: options.more ? JSON.stringify({ page: page + 1, last }) : null }
}

/**
 * The same for an app that skips rows. Ask it for one row more than `limit`: the next page begins at the last row of this one, so
 * that rows which slide down are seen; `more` tells that there are rows after those that the app gave.
 */
export function fromOffset(options: {
  readonly anchor: string | null
  readonly items: unknown
  readonly limit: number
  readonly more: boolean
  readonly idOf: (item: Fields) => string
}): { readonly items: readonly Fields[]; readonly next: string | null } {
  const given = rows(options.items)
  const fresh = unseen(options)
  const items = fresh.slice(0, options.limit)
  if (fresh.length === items.length && !options.more) return { items, next: null }
  const passed = given.length - fresh.length + items.length
  return {
    items,
    next: JSON.stringify({ page: place(options.anchor).page + Math.max(passed - 1, 0), last: lastOf(items, options) }),
  }
}

function unseen(options: {
  readonly anchor: string | null
  readonly items: unknown
  readonly idOf: (item: Fields) => string
}): readonly Fields[] {
  const items = rows(options.items)
  const { last } = place(options.anchor)
  return items.slice(items.findIndex((item) => options.idOf(item) === last) + 1)
}

function lastOf(
  items: readonly Fields[],
  options: { readonly anchor: string | null; readonly idOf: (item: Fields) => string },
): string | null {
  const last = items.at(-1)
  return last === undefined ? place(options.anchor).last : options.idOf(last)
}

function place(anchor: string | null): Place {
  if (anchor === null) return { page: 1, last: null }
  const parsed: unknown = JSON.parse(anchor)
  if (!isFields(parsed)) throw new UnknownShape('not a place')
  const { page, last } = parsed
  return { page: typeof page === 'number' ? page : 1, last: typeof last === 'string' ? last : null }
}
