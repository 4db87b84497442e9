import { hash32 } from '../platform/random.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'

const wrong = (message: string, name: string): Refusal => new Refusal(400, 'PARAMETER_INVALID', message, name)

/** Refuses parameters that the list does not have, so that a misspelt filter is never ignored. */
export function known(query: URLSearchParams, ...names: string[]): void {
  for (const name of query.keys()) {
    if (!names.includes(name)) throw new Refusal(400, 'PARAMETER_UNKNOWN', `There is no parameter ${name}.`, name)
    if (query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

/** A page of a list: what comes after the row `after`. */
export interface Wish {
  size: number
  after: number | undefined
}

interface Cut<T> {
  rows: T[]
  moreToken: string | null
}

/** What a token belongs to: the account, the list and its filters. */
const seal = ({ viewer }: SignedIn, list: string): string => hash32(`${viewer.account.account} ${list}`).toString(36)

function readWish(request: SignedIn, list: string): Wish {
  const { query } = request
  const given = query.get('pageSize') ?? '25'
  const size = Number(given)
  if (!/^\d{1,3}$/.test(given) || size < 1 || size > 100) {
    throw wrong('pageSize must be a whole number from 1 to 100.', 'pageSize')
  }
  const token = query.get('moreToken')
  if (token === null) return { size, after: undefined }
  const [, serial, of] = /^(\d{1,15})\.([0-9a-z]+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (serial === undefined || of !== seal(request, list)) {
    throw new Refusal(400, 'MORE_TOKEN_UNKNOWN', 'This token belongs to no page of this list.', 'moreToken')
  }
  return { size, after: Number(serial) }
}

/** One page: `find` answers one row more than it is asked for where there are more, which is cut off here. */
export function pageOf<T extends { serial: number }>(
  request: SignedIn,
  list: string,
  find: (wish: Wish) => T[],
): Cut<T> {
  const wish = readWish(request, list)
  const found = find({ size: wish.size + 1, after: wish.after })
  const rows = found.slice(0, wish.size)
  const last = rows.at(-1)
  if (found.length <= wish.size || !last) return { rows, moreToken: null }
  return { rows, moreToken: Buffer.from(`${last.serial}.${seal(request, list)}`).toString('base64url') }
}

/** In lower case, without blanks around it; '' for no search. */
export function readFind(query: URLSearchParams): string {
  const text = (query.get('find') ?? '').trim().toLowerCase()
  if (text.length > 200) throw wrong('find may have 200 characters at most.', 'find')
  return text
}

/** One of the codes; undefined where the filter is left out. */
export function readCode<T>(query: URLSearchParams, name: string, as: (text: string) => T | undefined): T | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const code = as(text)
  if (code === undefined) throw wrong(`${text} is no ${name}.`, name)
  return code
}

/** A number as ids are written; 0, which nothing has, for anything else. */
export const numberIn = (text: string | undefined): number => (/^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : 0)
