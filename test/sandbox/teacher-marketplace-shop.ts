import { type AppPerson } from './open-app.ts'
export type Row = Record<string, unknown> & { no: number }

export interface Rows {
  rows: Row[]
  pages: number
  total: number
  stamp: string
}

/** `MM/DD/YYYY`, so many days from today in UTC. */
export function day(days: number): string {
  const [year, month, date] = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-')
  return `${month}/${date}/${year}`
}

/** Days as they sort. */
export const sortable = (days: unknown): string => String(days).replace(/(..)\/(..)\/(....)/, '$3-$1-$2')

/** The window in which all of the seeded trade lies. */
export const ever = `first=01/01/2020&last=${day(400)}`

export const rowsOf = async (who: AppPerson, path: string): Promise<Row[]> => (await who.read<Rows>(path)).rows
