import { json } from '../platform/replies.ts'
import { Refusal, type Reply, type SignedIn } from '../platform/types.ts'
import { atNow, ownFirm, parseStamp, stampText, type At } from './firm.ts'

const pageSizes = ['15', '30'] as const

export const badParameter = (name: string, message: string, code = 'PARAM_INVALID'): Refusal =>
  new Refusal(400, code, message, name)

/** None but these parameters, each once. */
export function onlyParams({ query }: SignedIn, ...known: string[]): void {
  for (const name of query.keys()) {
    if (!known.includes(name)) throw badParameter(name, `There is no parameter ${name} here.`, 'PARAM_UNKNOWN')
    if (query.getAll(name).length > 1) throw badParameter(name, `${name} is there twice.`, 'PARAM_TWICE')
  }
}

/** One of the options; undefined where it is left out. */
export function option<T extends string>({ query }: SignedIn, name: string, options: readonly T[]): T | undefined {
  const value = query.get(name)
  if (value === null) return undefined
  const found = options.find((known) => known === value)
  if (!found) throw badParameter(name, `${name} must be one of ${options.join(', ')}.`)
  return found
}

export interface Slice {
  at: At
  page: number
  limit: number
  offset: number
}

export interface Found<T> {
  rows: T[]
  found: number
}

export function readSlice(request: SignedIn): Slice {
  const { query, now } = request
  const firm = ownFirm(request)
  const [page, stamp] = [query.get('Page') ?? '1', query.get('Stamp')]
  if (!/^[1-9]\d{0,12}$/.test(page)) throw badParameter('Page', 'Page must be a whole number from 1 on.')
  const at = stamp === null ? atNow(firm, now) : parseStamp(firm, stamp)
  if (!at) throw badParameter('Stamp', 'Stamp is none of this firm. Begin the list again.', 'STAMP_UNKNOWN')
  const limit = Number(option(request, 'Size', pageSizes) ?? 15)
  return { at, page: Number(page), limit, offset: (Number(page) - 1) * limit }
}

export const pagesOf = (found: number, { limit }: Slice): number => Math.ceil(found / limit)

export function listReply<T>(
  request: SignedIn,
  find: (slice: Slice) => Found<T>,
  show: (row: T, at: At) => unknown,
): Reply {
  const slice = readSlice(request)
  const { rows, found } = find(slice)
  const Stamp = stampText(request.viewer.account.account, slice.at)
  const Rows = rows.map((row) => show(row, slice.at))
  return json({ Ok: true, Data: { Rows, Page: slice.page, Pages: pagesOf(found, slice), Found: found, Stamp } })
}
