import { hash32 } from '../platform/random.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { isDay } from './clock.ts'

const wrong = (message: string, name: string): Refusal => new Refusal(400, 'PARAMETER_INVALID', message, name)

/** Refuses parameters that the list does not have, so that a misspelt filter is never ignored. */
export function known(query: URLSearchParams, ...names: string[]): void {
  for (const name of query.keys()) {
    if (!names.includes(name)) {
      throw new Refusal(400, 'PARAMETER_UNKNOWN', `There is no parameter ${name} here.`, name)
    }
    if (query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

/** A page of a list, newest first: rows with a serial below `below`. */
export interface Wish {
  size: number
  below: number
}

/** What a token belongs to: the account, the list and its filters. */
const seal = ({ viewer }: SignedIn, list: string): string => hash32(`${viewer.account.account} ${list}`).toString(36)

export function readWish(request: SignedIn, list: string): Wish {
  const { query } = request
  const given = query.get('page[size]') ?? '30'
  const size = Number(given)
  if (!/^\d{1,4}$/.test(given) || size < 1 || size > 100) {
    throw wrong('page[size] must be a whole number from 1 to 100.', 'page[size]')
  }
  const token = query.get('page[token]')
  if (token === null) return { size, below: Number.MAX_SAFE_INTEGER }
  const [, serial, of] = /^(\d{1,15})\.([0-9a-z]+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (serial === undefined || of !== seal(request, list)) {
    throw new Refusal(400, 'PAGE_TOKEN_UNKNOWN', 'This token belongs to no page of this list.', 'page[token]')
  }
  return { size, below: Number(serial) }
}

/** Cuts the surplus row that says whether there is a next page; the token leads on after the last row shown. */
export function cut<T extends { serial: number }>(
  request: SignedIn,
  list: string,
  rows: T[],
  { size }: Wish,
): { rows: T[]; token: string | null } {
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  if (rows.length <= size || !last) return { rows: shown, token: null }
  return { rows: shown, token: Buffer.from(`${last.serial}.${seal(request, list)}`).toString('base64url') }
}

/** In lower case and without blanks around it; '' for no search. */
export function readSearch(query: URLSearchParams): string {
  const text = (query.get('filter[q]') ?? '').trim().toLowerCase()
  if (text.length > 200) throw wrong('filter[q] may have 200 characters at most.', 'filter[q]')
  return text
}

/** yes: only those; no: only the others; left out: all. */
export function readYesNo(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (text !== 'yes' && text !== 'no') throw wrong(`${name} must be yes or no.`, name)
  return text === 'yes'
}

export function readDay(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  if (text !== null && !isDay(text)) throw wrong(`${name} must be a day such as 20260228.`, name)
  return text ?? undefined
}
