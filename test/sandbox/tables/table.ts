import type { SandboxApp } from '../../../sandbox/platform/types.ts'
import type { AppPerson } from '../open-app.ts'
import { codeIn } from '../visitor.ts'

export type Row = Record<string, unknown>

/** What a value has to be: equal, a text that matches, an object with at least these fields, or what a function takes. */
export type Pattern =
  | string
  | number
  | boolean
  | null
  | RegExp
  | ((value: never) => unknown)
  | { [name: string]: Pattern }

/** Texts that stand apart by two spaces, or on lines of their own. */
export type Texts = string

/** What requests come to, a line each: `404 SALE_NOT_FOUND: sales/1  FORM /desk/sales/1/bar`. */
export type Outcomes = string

export interface List {
  /** The fields that tell its rows apart; with `~` before them only within an account. */
  readonly id: string
  /** So many rows at least. */
  readonly least?: number
  /** What its rows are sorted by, ascending. */
  readonly order?: (row: never) => string | number
  /** Values of a parameter that is named as the field that it looks at. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
  /** Which rows a query leaves: some, but never all. */
  readonly where?:
    | Readonly<Record<string, Pattern>>
    | ((all: never, me: AppPerson) => Promise<Record<string, Pattern>> | Record<string, Pattern>)
  /** Queries that leave all rows, and none. */
  readonly same?: readonly string[]
  readonly none?: readonly string[]
  /** What happens after the pages 1, 2, 4, 8, … of a reader who goes on `by` rows at a time; default: in 16 pages. */
  readonly meanwhile?: (who: AppPerson, turn: { before: never; seen: never; count: number }) => Promise<unknown>
  readonly by?: number
  /** So many rows more after each time; default 1. */
  readonly adds?: number | 'some' | 'any'
  /** What the first row is then. */
  readonly first?: Pattern
  /** What the reader sees of the list as it was: the same rows (default), their ids, or all of them among others. */
  readonly keeps?: 'rows' | 'ids' | 'all'
  /** The kind of the account that this happens to. */
  readonly kind?: string
}

/**
 * One app of the sandbox. Paths without a leading slash are below `base`. In all of them `<sales?state=complete|0.sale_no>`
 * is the field of a row of that list, or of an answer (`<me|.shop.no>`), as the person who asks sees it. What is a stranger's
 * is seen by the stranger, unless it says `<my …>`.
 */
export interface Table {
  readonly app: SandboxApp
  readonly base: string
  /** Where a person's CSRF token is: a path and a field, or how it is found. */
  readonly token: readonly [path: string, field: string] | ((person: AppPerson) => Promise<string>)
  /** The parameter that says how many rows a page has; some apps have none. */
  readonly size?: string
  /** The most that a page may have; default 100. */
  readonly most?: number
  /** The lists that come in pages; default: all. */
  readonly paged?: RegExp
  /** So many rows has a page unless something else is asked for. */
  readonly page?: number
  /** The field with the number of all rows. */
  readonly total?: string
  /** The rows of an answer; default: the first list in it. */
  readonly rows?: (answer: never) => Row[]
  /** What to ask for the next page with; null after the last one. */
  readonly next: (answer: never, seen: never, page: number) => string | null
  /** Sends a read that is no plain GET. */
  readonly send?: (person: AppPerson, path: string) => Promise<Response>

  readonly lists: Readonly<Record<string, List>>
  /** Lists that are the same as another one, which says what they leave out. */
  readonly alike?: Readonly<Record<string, string>>
  readonly refused: Outcomes
  /** The place in one list is none in others, nor (unless that comes to something else) for somebody else. */
  readonly place?: readonly [list: string, others: readonly string[], outcome: string, toOthers?: string]

  /** Reads that show most of the names on the wire; of those at most this share (default: half) is the documents'. */
  readonly names: Texts
  readonly shared?: number
  /** What every row of a list's first page, or an answer, looks like. */
  readonly looks: Readonly<Record<string, Pattern>>
  /** Values that `path|field` has in some row: exactly these, at least so many, or some that match each of these. */
  readonly holds: Readonly<Record<string, readonly unknown[] | number | RegExp>>
  /** Different values of `path|field` over all seeded accounts. */
  readonly across?: Readonly<Record<string, number>>
  /** Reads besides the lists that are the same after a reset and in another sandbox. */
  readonly also?: Texts
  /** Fields that hold the HTML of what was written. */
  readonly markup?: RegExp
  /** What differs between two sandboxes all the same, besides their ports. */
  readonly passing?: RegExp
  readonly change: (me: AppPerson) => Promise<unknown>
  readonly strangers: Outcomes
  /** What accounts of a kind may do, one request after the other; each write that is accepted is logged once. */
  readonly kinds?: Readonly<Record<string, Outcomes>>
  readonly pages: {
    readonly shows: string
    readonly paths: Texts
    /** Pages with a link to the next one, and what tells apart what they show. */
    readonly older?: readonly [paths: Texts, link: RegExp, id: RegExp]
  }
}

export const textsIn = (texts: Texts = ''): string[] => texts.split(/ {2,}|\n/).filter((text) => text.trim() !== '')

export function requestsOf(outcomes: Outcomes): [request: string, outcome: string][] {
  let outcome = ''
  return outcomes.split('\n').flatMap((line) => {
    const [, next, rest = line] = /^ *(\d{3}[ \w.]*): (.*)$/.exec(line) ?? []
    outcome = next ?? outcome
    return textsIn(rest).map((request): [string, string] => [request, outcome])
  })
}

export function dotted(value: unknown, path: string): unknown {
  let found = value
  for (const name of path.split('.')) if (name !== '') found = (found as Row | null | undefined)?.[name]
  return found
}

/** What tells a row from others of its list. */
export const idOf = (row: Row, { id }: List): unknown => {
  const values = id
    .replace('~', '')
    .split(' ')
    .map((field) => dotted(row, field))
  return values.length === 1 ? values[0] : values.join(' ')
}

export function fits(value: unknown, pattern: Pattern): boolean {
  if (typeof pattern === 'function') return Boolean((pattern as (value: unknown) => unknown)(value))
  if (pattern instanceof RegExp) return pattern.test(String(value))
  if (typeof pattern !== 'object' || pattern === null) return value === pattern
  return Object.entries(pattern).every(([name, each]) => fits((value as Row | null | undefined)?.[name], each))
}

const within = (table: Table, path: string): string => (path.startsWith('/') ? path : `${table.base}${path}`)

const joined = (path: string, ...queries: string[]): string => {
  const query = queries.filter((each) => each !== '').join('&')
  return query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
}

export const send = (table: Table, person: AppPerson, path: string): Promise<Response> =>
  table.send ? table.send(person, path) : person.get(within(table, path))

/** The JSON that a read answers with 200. */
export async function read(table: Table, person: AppPerson, path: string): Promise<Row> {
  const response = await send(table, person, path)
  const text = await response.text()
  if (response.status !== 200 || text.startsWith('{"errors"'))
    throw new Error(`${path}: ${response.status} ${text}`.slice(0, 300))
  return JSON.parse(text) as Row
}

/** The rows of an answer. */
export function rowsIn(table: Table, answer: unknown): Row[] {
  if (table.rows) return table.rows(answer as never)
  const rows = Array.isArray(answer) ? answer : Object.values(answer as Row).find(Array.isArray)
  return (rows ?? []) as Row[]
}

/** The parameter for the size of a list's pages, where it has one. */
export const sized = ({ size, paged = /./ }: Table, path: string, count: number): string =>
  size === undefined || !paged.test(path) ? '' : `${size}=${count}`

export interface Reading {
  readonly size?: number
  readonly between?: (page: number, seen: Row[]) => Promise<unknown>
}

/** A list to its end. Every page but the last one is as long as was asked for. */
export async function toEnd(
  table: Table,
  person: AppPerson,
  path: string,
  { size = table.most ?? 100, between }: Reading = {},
): Promise<Row[]> {
  const seen: Row[] = []
  const asked = sized(table, path, size)
  for (let page = 1, more: string | null = ''; ; page++) {
    const answer = await read(table, person, joined(path, asked, more))
    const rows = rowsIn(table, answer)
    seen.push(...rows)
    more = table.next(answer as never, seen as never, page)
    if (more === null) return seen
    if (rows.length !== (asked === '' ? table.page : size))
      throw new Error(`${path}: page ${page} has ${rows.length} rows.`)
    await between?.(page, seen)
  }
}

/** What is asked for after the first page of so many rows. */
export async function afterFirst(table: Table, person: AppPerson, path: string, size: number): Promise<string> {
  const answer = await read(table, person, joined(path, sized(table, path, size)))
  const more = table.next(answer as never, rowsIn(table, answer) as never, 1)
  if (more === null) throw new Error(`${path} has one page.`)
  return joined('', sized(table, path, size), more).slice(1)
}

export const onward = joined

/** Whether a request writes, and was accepted. */
export const isWrite = (request: string, outcome: string): boolean =>
  /^[A-Z]+ /.test(request) && /^[23]\d\d$/.test(outcome)

const mark = /<(my )?([^<>|]*)\|([^<>|]+)>/

/** A text with every `<list|field>` in it replaced by what `whose` (or, after `my`, `mine`) sees there. */
export async function fill(table: Table, text: string, whose: AppPerson, mine = whose): Promise<string> {
  let filled = text
  for (let found = mark.exec(filled); found; found = mark.exec(filled)) {
    const [all, my, path = '', field = ''] = found
    const answer = await read(table, my ? mine : whose, path)
    const value = field.startsWith('.') ? dotted(answer, field) : dotted(rowsIn(table, answer), field)
    if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`${path} has no ${field}.`)
    filled = filled.replace(all, String(value))
  }
  return filled
}

/** Status and code of an answer. */
async function outcomeOf(response: Response): Promise<string> {
  const text = await response.text()
  if (response.ok && !text.startsWith('{"errors"')) return String(response.status)
  const code = codeIn(text)
  const argument = /"argument":"([^"]+)"/.exec(text)?.[1]
  return [response.status, code, argument].filter(Boolean).join(' ')
}

/** What a request comes to: `path` is read, `POST path {json}` written, `FORM path a=b&c=d` submitted. */
export async function comesTo(table: Table, person: AppPerson, request: string): Promise<string> {
  const [, method, path = '', body = ''] = /^([A-Z]+) (\S+)(?: (.*))?$/su.exec(request) ?? []
  if (method === undefined) return outcomeOf(await send(table, person, request))
  if (method === 'FORM') {
    const fields = new URLSearchParams(body)
    const given = [...new Set(fields.keys())].map((name) => [name, fields.getAll(name)] as const)
    return outcomeOf(await person.form(within(table, path), Object.fromEntries(given)))
  }
  if (table.send) return outcomeOf(await table.send(person, request))
  return outcomeOf(await person.write(method, within(table, path), body === '' ? undefined : JSON.parse(body)))
}
