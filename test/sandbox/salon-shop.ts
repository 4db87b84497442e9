import { type AppPerson } from './open-app.ts'

export interface Thing {
  type: string
  id: string
  attributes: Record<string, unknown>
  links: Record<string, string | null>
}

export interface Listed {
  data: Thing[]
  paging: { from_row: number; rows: number; of: number; next_row: number | null; list: string }
}

/** `31 Dec 2026`, so many days from today (UTC). */
export const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toUTCString().slice(5, 16)

/** A text that sorts like the time `31 Dec 2026 09:30`. */
export const sortable = (time: unknown): number => Date.parse(`${String(time)} UTC`)

const api = (path: string): string => `/business/api/${path}`

/** A list that comes whole, or one thing. */
export const read = async <T = Thing[]>(person: AppPerson, path: string): Promise<T> =>
  (await person.read<{ data: T }>(api(path))).data

/** A list from its first row to its end, with something happening between the first pages. */
export async function whole(
  person: AppPerson,
  path: string,
  rows = 100,
  meanwhile?: (page: number) => Promise<unknown>,
): Promise<Thing[]> {
  const start = `${api(path)}${path.includes('?') ? '&' : '?'}rows=${rows}`
  let page = await person.read<Listed>(start)
  const seen = [...page.data]
  for (let turn = 0; page.paging.next_row !== null; turn++) {
    if (turn < 3) await meanwhile?.(turn)
    page = await person.read<Listed>(`${start}&from_row=${page.paging.next_row}&list=${page.paging.list}`)
    seen.push(...page.data)
  }
  return seen
}

export const span = (from: number, until: number): string => `from=${dayIn(from)}&until=${dayIn(until)}`

/** The last part of a path: the id of what a link leads to. */
export const idIn = (link: string | null | undefined): string => link?.split('/').at(-1) ?? ''

export const add = (person: AppPerson, type: string, attributes: unknown, path = type): Promise<{ data: Thing }> =>
  person.wrote('POST', api(path), { data: { type, attributes } })

/** Free begins of the main branch's first treatment, so many days from now. */
export async function openings(
  person: AppPerson,
  days = 5,
): Promise<{ treatment: string; crew: string; begins: string }[]> {
  const [treatment] = await read(person, 'treatments')
  const id = treatment?.id ?? ''
  const found = await read<Thing[]>(person, `openings?treatment=${id}&from=${dayIn(days)}&until=${dayIn(days)}`)
  return found.map(({ attributes }) => ({
    treatment: id,
    crew: String(attributes['crew']),
    begins: String(attributes['begins']),
  }))
}
