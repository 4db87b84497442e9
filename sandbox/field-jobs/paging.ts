import { createHash } from 'node:crypto'
import { one, run, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { addDays, isDay, momentOf } from './clock.ts'
import { ownCompany } from './company.ts'

const wrong = (message: string, at: string): Refusal => new Refusal(400, 'PARAM_INVALID', message, at)

/** Parameters that every paged list has. */
export const pageParams = ['page', 'per_page', 'snapshot']

/** Refuses parameters that a list does not have, so that a misspelt filter is never ignored. */
export function known(query: URLSearchParams, single: readonly string[], repeated: readonly string[] = []): void {
  for (const name of query.keys()) {
    if (repeated.includes(name)) continue
    if (!single.includes(name)) throw new Refusal(400, 'PARAM_UNKNOWN', `There is no parameter ${name} here.`, name)
    if (query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

function readNumber(query: URLSearchParams, name: string, preset: number, high: number): number {
  const given = query.get(name) ?? String(preset)
  if (!/^[1-9]\d{0,5}$/.test(given) || Number(given) > high) throw wrong(`${name} must be from 1 to ${high}.`, name)
  return Number(given)
}

export function readDay(query: URLSearchParams, name: string): string | undefined {
  const day = query.get(name)
  if (day !== null && !isDay(day)) throw wrong(`${name} must be a day such as 20260228.`, name)
  return day ?? undefined
}

/** One of the codes, or undefined for all. */
export function readCode<T extends string>(query: URLSearchParams, name: string, codes: readonly T[]): T | undefined {
  const given = query.get(name)
  const code = codes.find((one) => one === given)
  if (given !== null && !code) throw wrong(`${name} must be one of ${codes.join(', ')}.`, name)
  return code
}

/** The moment when `since_day` begins on the company's clocks; 0 where it is left out. */
export function readSince(request: SignedIn): number {
  const day = readDay(request.query, 'since_day')
  return day === undefined ? 0 : momentOf(day, 0, ownCompany(request).zone)
}

/** The moments between which two days lie, both included, on the company's clocks. */
export function readSpan(
  request: SignedIn,
  first: string,
  last: string,
): { first: string; last: string; from: number; until: number } {
  const { zone } = ownCompany(request)
  if (last < first) throw new Refusal(400, 'DAYS_BACKWARDS', 'until_day must not be before from_day.', 'until_day')
  return { first, last, from: momentOf(first, 0, zone), until: momentOf(addDays(last, 1), 0, zone) }
}

/** What a snapshot belongs to: the list and its filters as given. */
function listKey(name: string, query: URLSearchParams): string {
  const filters = [...query].filter(([key]) => !pageParams.includes(key)).map(([key, value]) => `${key}=${value}`)
  return [name, ...filters.toSorted()].join('\n')
}

const keptSnapshots = 500

/** Writes down which rows a list has, in order; the same rows give the same token. */
function keepSnapshot({ db, viewer }: SignedIn, list: string, serials: string): string {
  const { account } = viewer.account
  const token = createHash('sha256').update(`${account}\n${list}\n${serials}`).digest('base64url').slice(0, 22)
  run(db, 'INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)', token, account, list, serials)
  const oldest = 'SELECT rowid FROM snapshots WHERE account = ?1 ORDER BY rowid DESC LIMIT 1 OFFSET ?2'
  run(db, `DELETE FROM snapshots WHERE account = ?1 AND rowid <= (${oldest})`, account, keptSnapshots)
  return token
}

function findSnapshot({ db, viewer }: SignedIn, list: string, token: string): number[] {
  const sql = 'SELECT serials FROM snapshots WHERE token = ? AND account = ? AND list = ?'
  const row = one(db, sql, token, viewer.account.account, list)
  if (!row)
    throw new Refusal(400, 'SNAPSHOT_UNKNOWN', 'This snapshot belongs to no such list, or is too old.', 'snapshot')
  return JSON.parse(text(row, 'serials')) as number[]
}

export interface Listed<T> {
  page: number
  per_page: number
  total: number
  /** What later pages are read by; null where there are none. */
  snapshot: string | null
  rows: T[]
}

/** One page. `find` gives the serials of the whole list, in its order. */
export function paged<T>(
  request: SignedIn,
  name: string,
  find: () => number[],
  show: (serial: number) => T,
): Listed<T> {
  const { query } = request
  const page = readNumber(query, 'page', 1, 100_000)
  const perPage = readNumber(query, 'per_page', 50, 100)
  const list = listKey(name, query)
  const given = query.get('snapshot')
  if (given === null && page > 1) {
    throw new Refusal(400, 'SNAPSHOT_REQUIRED', 'Later pages need the snapshot of the first.', 'snapshot')
  }
  const serials = given === null ? find() : findSnapshot(request, list, given)
  const fresh = (): string | null =>
    serials.length > perPage ? keepSnapshot(request, list, JSON.stringify(serials)) : null
  return {
    page,
    per_page: perPage,
    total: serials.length,
    snapshot: given ?? fresh(),
    rows: serials.slice((page - 1) * perPage, page * perPage).map(show),
  }
}
