import type { Parts } from '../kit/define.ts'
import { stampedLists } from '../kit/stamped-lists.ts'
import { fields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

interface Paging {
  readonly limit: number
  readonly anchor: string | null
}

const lists = stampedLists({ size: 'Per', stamp: 'Stamp' })

/** The app's list stamp holds the time of the list, not its filters: the cursor keeps them. */
const filtersOf = (filters: Fields, { anchor }: Paging): Fields =>
  anchor === null ? filters : fields(fields(JSON.parse(anchor))['filters'])

export function clientsQuery(filters: Fields, paging: Paging): Parts {
  const { page, ...query } = lists.listQuery(filtersOf(filters, paging), paging)
  return { query: { ...query, Page: page } }
}

export function clientsPage({ Clients, Of, Stamp }: Fields, filters: Fields, paging: Paging) {
  const { items, next } = lists.pageOf({ rows: Clients, total: Of, Stamp }, paging)
  const place = next === null ? null : { ...fields(JSON.parse(next)), filters: filtersOf(filters, paging) }
  return { items, next: place === null ? null : JSON.stringify(place) }
}
