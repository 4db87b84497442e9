import { type AppPerson } from './open-app.ts'
import { codeOf } from './visitor.ts'

export interface Booking {
  bk: string
  act: string
  actTitle: string
  day: string
  hour: string
  tz: string
  pax: number
  st: string
}

export interface Day {
  day: string
  sale: string
  runs: { hour: string; places: number; sold: number; shut: boolean }[]
}

export interface Thread {
  bk: string
  side: string
  fresh: boolean
  last: { by: string; words: string; day: string; hour: string; tz: string; off: string }
}

/** `31-12-2026`, that many days from the UTC day that it is. */
export const dayAhead = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-').reverse().join('-')

export const iso = (day: string): string => day.split('-').reverse().join('-')

export const year = new Date().getUTCFullYear()

/** A traveller without a session buys or does something in the shop. */
export async function inShop(
  person: AppPerson,
  path: string,
  fields: Record<string, string> = {},
): Promise<[number, string | undefined]> {
  const response = await fetch(`${person.base}${path}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
  })
  if (response.status === 303) return [303, response.headers.get('location')?.replace('/tour-activity', '')]
  return [response.status, await codeOf(response)]
}

/** Where a LIVE tour is sold. */
export async function shopOf(person: AppPerson, title: string): Promise<string> {
  const page = await (await person.get('/desk/tours')).text()
  const row = page.split('<tr>').find((part) => part.includes(title))
  const path = /href="\/tour-activity(\/shop\/\w+)"/.exec(row ?? '')?.[1]
  if (path === undefined) throw new Error(`${title} is not on sale.`)
  return path
}
