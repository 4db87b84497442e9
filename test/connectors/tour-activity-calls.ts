import { fromLocal } from '../../connectors/salon-booking/times.ts'
import type { AppCaller, Row } from './app-caller.ts'
import { ownOrigin } from '../../connectors/runtime/site.ts'

/** Of the demo user: one departure a day; two in Iceland, whose clocks are UTC; on five weekdays only; still in review. */
export const alcazar = 'T1001'
export const northernLights = 'T1006'
export const market = 'T1004'
export const inReview = 'T1012'

const zones = [
  ...['Europe/Madrid', 'Europe/Lisbon', 'Africa/Casablanca', 'Asia/Jerusalem', 'America/New_York'],
  ...['Atlantic/Reykjavik', 'Asia/Tokyo', 'Asia/Kathmandu', 'Pacific/Auckland', 'America/Sao_Paulo', 'Europe/Zurich'],
]

/** When a booking of the demo user departs. */
export function departure({ activity_id, date, time }: Row): number {
  const zone = zones[Number(String(activity_id).slice(2)) - 1]
  return Date.parse(fromLocal(`${String(date).replaceAll('-', '/')} ${String(time)}`, zone))
}

/** A day on the clocks of a zone, so many days from now. */
export function dayIn(zone: string, days: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(Date.now() + days * 86_400_000))
}

/** A month such as 2026-10 in Madrid, where the demo user keeps the books; 1 is the one before this one. */
export function monthBack(months: number): string {
  const [year, month] = dayIn('Europe/Madrid', 0).split('-').map(Number)
  return new Date(Date.UTC(year!, month! - 1 - months, 1)).toISOString().slice(0, 7)
}

export const list = (row: Row | undefined, key: string): Row[] => row?.[key] as Row[]

/** Where an activity of the demo user is sold. */
export async function shopOf(panel: AppCaller, activity: string): Promise<string> {
  const account = (await panel.sandbox.accounts(panel.app.slug)).find(({ user }) => user === 'demo')
  const cookie = account!.session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const page = await (await fetch(`${ownOrigin(panel.app)}desk/tours`, { headers: { cookie } })).text()
  const row = page.split('<tr>').find((part) => part.includes(`/desk/tours/${activity}"`))
  return ownOrigin(panel.app) + /\/tour-activity\/(shop\/\w+)"/.exec(row ?? '')?.[1]
}

/** A traveller buys one place; the answer leads to the page of the trip. */
export async function buy(shop: string, date: string, time: string): Promise<Response> {
  const trip = {
    day: date.split('-').reverse().join('-'),
    hour: time,
    pax: '1',
    full: 'Zoë Á.',
    mail: 'z@mail.example',
  }
  return fetch(shop, { method: 'POST', redirect: 'manual', body: new URLSearchParams(trip) })
}
