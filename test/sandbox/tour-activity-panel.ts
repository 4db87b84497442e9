import { expect } from 'vitest'
import { tourActivity } from '../../sandbox/tour-activity/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'
import { codeOf } from './visitor.ts'

export interface Tour {
  act: string
  title: string
  town: string
  tz: string
  state: string
}

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

export interface Detail extends Booking {
  loc: string
  total: { value: string; cur: string }
  holder: { full: string; mail: string; tel: string | null }
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

export const openPanel = (): Promise<OpenApp> =>
  openApp(tourActivity, async (person) => (await person.read<{ seal: string }>('/panel/me')).seal)

export const rowsOf = async <T>(person: AppPerson, path: string): Promise<T[]> =>
  (await person.read<{ rows: T[] }>(path)).rows

/** `31-12-2026`, that many days from the UTC day that it is. */
export const dayAhead = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-').reverse().join('-')

export const iso = (day: string): string => day.split('-').reverse().join('-')

export const year = new Date().getUTCFullYear()

/** `2026-12-31`: the day that it is where the provider keeps the books. */
export async function todayOf(person: AppPerson): Promise<string> {
  const { provider } = await person.read<{ provider: { tz: string } }>('/panel/me')
  return new Date().toLocaleDateString('sv-SE', { timeZone: provider.tz })
}

export async function calendar(person: AppPerson, act: string, from: number, to = from): Promise<Day[]> {
  const path = `/panel/tours/${act}/calendar?fromDay=${dayAhead(from)}&toDay=${dayAhead(to)}`
  return (await person.read<{ days: Day[] }>(path)).days
}

/** Reads all pages of bookings, with something happening after each. */
export async function allBookings(
  person: AppPerson,
  filter: string,
  size = 100,
  meanwhile?: (page: number) => Promise<unknown>,
): Promise<Booking[]> {
  const seen: Booking[] = []
  let next: string | null = ''
  for (let page = 0; next !== null; page++) {
    const more: string = next === '' ? '' : `&next=${next}`
    const found: { rows: Booking[]; next: string | null } = await person.read(
      `/panel/bookings?${filter}&size=${size}${more}`,
    )
    seen.push(...found.rows)
    next = found.next
    await meanwhile?.(page)
  }
  return seen
}

/** Status and code that a form is refused with, or where an accepted one leads to. */
export async function submitted(person: AppPerson, path: string, fields = {}): Promise<[number, string | undefined]> {
  const response = await person.form(path, fields)
  if (response.status === 303) return [303, response.headers.get('location') ?? undefined]
  return [response.status, await codeOf(response)]
}

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
  expect(path, `${title} is on sale`).toBeDefined()
  return path ?? ''
}
