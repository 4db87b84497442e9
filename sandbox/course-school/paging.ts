import { Refusal } from '../platform/types.ts'

/** A row's place in a list that is sorted by time and number, newest first: what comes in later never moves it. */
export interface Anchor {
  at: number
  id: number
}

export interface PageWish {
  size: number
  after: Anchor
}

const top: Anchor = { at: Number.MAX_SAFE_INTEGER, id: 0 }

function readToken(list: string, token: string): Anchor {
  const text = Buffer.from(token, 'base64url').toString('utf8')
  const [, name, at, id] = /^(\w+):(\d{1,12}):(\d{1,12})$/.exec(text) ?? []
  if (name !== list) {
    throw new Refusal(400, 'PAGE_TOKEN_INVALID', 'This page token does not belong to this list.', 'after')
  }
  return { at: Number(at), id: Number(id) }
}

export function readPage(query: URLSearchParams, list: string): PageWish {
  const size = query.get('size') ?? '50'
  if (!/^\d{1,4}$/.test(size) || Number(size) < 1 || Number(size) > 100) {
    throw new Refusal(400, 'PARAMETER_INVALID', 'size must be a whole number from 1 to 100.', 'size')
  }
  const token = query.get('after')
  return { size: Number(size), after: token === null ? top : readToken(list, token) }
}

/** Takes one row more than the page has; that one only says whether there is a next page. */
export function paged<T>(
  found: readonly T[],
  wish: PageWish,
  list: string,
  anchorOf: (row: T) => Anchor,
): { rows: T[]; after: string | null } {
  const rows = found.slice(0, wish.size)
  const last = found.length > wish.size ? rows.at(-1) : undefined
  if (last === undefined) return { rows, after: null }
  const { at, id } = anchorOf(last)
  return { rows, after: Buffer.from(`${list}:${at}:${id}`).toString('base64url') }
}

/** One of the words; `any` where nothing is given. */
export function readWord<T extends string>(query: URLSearchParams, name: string, values: readonly T[]): T | 'any' {
  const given = query.get(name) ?? 'any'
  if (given === 'any') return 'any'
  const value = values.find((known) => known === given)
  if (value !== undefined) return value
  throw new Refusal(400, 'PARAMETER_INVALID', `${name} must be any or one of ${values.join(', ')}.`, name)
}

export function readFlag(query: URLSearchParams, name: string): boolean {
  const given = query.get(name) ?? '0'
  if (given === '0' || given === '1') return given === '1'
  throw new Refusal(400, 'PARAMETER_INVALID', `${name} must be 0 or 1.`, name)
}
