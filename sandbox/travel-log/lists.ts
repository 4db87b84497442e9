import { one, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'

export const wrong = (message: string, name: string): Refusal => new Refusal(400, 'PARAMETER_INVALID', message, name)

/** Refuses parameters that are not there, so that a misspelt filter is never ignored. */
export function known(query: URLSearchParams, ...names: string[]): void {
  for (const name of query.keys()) {
    if (!names.includes(name)) throw new Refusal(400, 'PARAMETER_UNKNOWN', `There is no parameter ${name} here.`, name)
    if (query.getAll(name).length > 1) throw wrong(`Give ${name} once.`, name)
  }
}

/** One of these; the first where there is none. */
export function readOne<T extends string>(query: URLSearchParams, name: string, choices: readonly [T, ...T[]]): T {
  const value = query.get(name)
  const chosen = value === null ? choices[0] : choices.find((choice) => choice === value)
  if (chosen === undefined) throw wrong(`${name} must be one of ${choices.join(', ')}.`, name)
  return chosen
}

export function readCount(query: URLSearchParams): number {
  const given = query.get('count') ?? '40'
  const count = Number(given)
  if (!/^\d{1,3}$/.test(given) || count < 1 || count > 100) throw wrong('count must be 1 to 100.', 'count')
  return count
}

const nouns = { journeys: 'JOURNEY', entries: 'ENTRY', remarks: 'REMARK', notices: 'NOTICE' } as const
type Table = keyof typeof nouns

function findOwn({ db, viewer }: SignedIn, table: Table, id: string): Row | undefined {
  if (!/^[1-9]\d{0,14}$/.test(id)) return undefined
  return one(db, `SELECT * FROM ${table} WHERE id = ? AND account = ?`, Number(id), viewer.account.account)
}

/** The row that the address names among the viewer's own; whatever else there is does not exist. */
export function ownRow(request: SignedIn, table: Table): Row {
  const row = findOwn(request, table, request.params['id'] ?? '')
  if (row) return row
  throw new Refusal(404, `${nouns[table]}_NOT_FOUND`, `You have no such ${nouns[table].toLowerCase()}.`)
}

/** The row that a page goes on behind; undefined for the first page. */
export function readOlderThan(request: SignedIn, table: Table): Row | undefined {
  const given = request.query.get('older_than')
  const row = given === null ? undefined : findOwn(request, table, given)
  if (given !== null && !row) {
    throw new Refusal(400, 'PLACE_UNKNOWN', 'older_than is the number of none of yours.', 'older_than')
  }
  return row
}

/** Cuts the surplus row that says whether there is more; `older_than` is what the next page goes on behind. */
export function cut<T extends { id: number }>(rows: T[], size: number): { rows: T[]; olderThan: number | null } {
  const shown = rows.slice(0, size)
  return { rows: shown, olderThan: rows.length > size ? (shown.at(-1)?.id ?? null) : null }
}
