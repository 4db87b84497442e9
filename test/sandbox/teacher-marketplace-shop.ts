import { teacherMarketplace } from '../../sandbox/teacher-marketplace/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'
import { codeOf } from './visitor.ts'

export type Row = Record<string, unknown> & { no: number }

export interface Rows {
  rows: Row[]
  pages: number
  total: number
  stamp: string
}

export const chalkara = (): Promise<OpenApp> =>
  openApp(teacherMarketplace, async (person) => (await person.read<{ hall_pass: string }>('/dash/me')).hall_pass)

/** `MM/DD/YYYY`, so many days from today in UTC. */
export function day(days: number): string {
  const [year, month, date] = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-')
  return `${month}/${date}/${year}`
}

/** Days as they sort. */
export const sortable = (days: unknown): string => String(days).replace(/(..)\/(..)\/(....)/, '$3-$1-$2')

/** The window in which all of the seeded trade lies. */
export const ever = `first=01/01/2020&last=${day(400)}`

/** What `$1,234.50` is in cents. */
export const cents = (money: unknown): number => Number(String(money).replaceAll(/[$,.]/g, ''))

export const rowsOf = async (who: AppPerson, path: string): Promise<Row[]> => (await who.read<Rows>(path)).rows

export const goodOf = async (who: AppPerson, no: number): Promise<Row> =>
  (await who.read<{ good: Row }>(`/dash/goods/${no}`)).good

/** Every row, page by page; `between` runs after the first page. */
export async function everything(
  who: AppPerson,
  path: string,
  per: number,
  between?: () => Promise<unknown>,
): Promise<Row[]> {
  const at = `${path}${path.includes('?') ? '&' : '?'}per=${per}`
  const first = await who.read<Rows>(at)
  await between?.()
  const rows = [...first.rows]
  for (let page = 2; page <= first.pages; page++) {
    rows.push(...(await rowsOf(who, `${at}&page=${page}&stamp=${first.stamp}`)))
  }
  return rows
}

/** What the address that a form leads to says. */
export async function submitted(
  who: AppPerson,
  path: string,
  fields: Record<string, string | readonly string[]>,
): Promise<Record<string, string>> {
  const response = await who.form(path, fields)
  if (response.status !== 303) throw new Error(`${path}: ${response.status} ${await codeOf(response)}`)
  return Object.fromEntries(new URL(response.headers.get('location') ?? '', 'http://here').searchParams)
}

/** Status and code that a form is refused with. */
export async function turnedDown(
  who: AppPerson,
  path: string,
  fields: Record<string, string | readonly string[]>,
): Promise<string> {
  const response = await who.form(path, fields)
  return `${response.status} ${await codeOf(response)}`
}
