import { afterEach, expect, test, vi } from 'vitest'
import { stateOf } from '../../sandbox/course-school/coupons.ts'
import { isoIn, readDay, showDay } from '../../sandbox/course-school/times.ts'
import { momentOf, parseWall, wallText } from '../../sandbox/salon-booking/zones.ts'
import type { OpenApp } from './open-app.ts'
import { tables } from './tables/index.ts'
import { opened } from './tables/lists.ts'
import type { Row } from './tables/table.ts'
import { bookingOf, dayOn, msOf, order } from './travel-booking-traveller.ts'
import type { Full } from './travel-booking-traveller.ts'

afterEach(() => vi.useRealTimers())

const open = (slug: string): Promise<OpenApp> => {
  const table = tables.find(({ app }) => app.slug === slug)
  if (!table) throw new Error(`${slug} has no table.`)
  return opened(table)
}
const at = (now: number): unknown => vi.useFakeTimers({ toFake: ['Date'], now })

test('an ask lapses after 24 hours, and is not answered from then on', async () => {
  await using app = await open('camping-host')
  const me = await app.newcomer()
  const { rows } = await me.read<{ rows: { stay: string; until: number }[] }>('/host/data/asks')
  const [{ stay, until }] = rows as [{ stay: string; until: number }]
  const state = async () => (await me.read(`/host/data/stays/${stay}`))['st']
  at(until * 1000 - 1000)
  expect(await state()).toBe('ASKED')
  at(until * 1000)
  expect(await state()).toBe('LAPSED')
  for (const how of ['yes', 'no'])
    expect(await me.refused('POST', `/host/data/asks/${stay}/${how}`, {})).toEqual([409, 'ASK_LAPSED'])
  expect(await app.effects(me)).toEqual([])
})

test('a gathering is over when its last day is over where it is', async () => {
  await using app = await open('event-management')
  const me = await app.newcomer()
  const all = async (phase: string): Promise<Row[]> =>
    (await me.read<{ gatherings: Row[] }>(`/organizer/v1/gatherings${phase}`)).gatherings
  const next = (await all('?phase=AHEAD')).at(-1) as { gathering_no: string; zone: string; days: { last: string } }
  const midnight = Date.parse(next.days.last.replace(/(....)(..)(..)/, '$1-$2-$3')) + 86_400_000
  const local = Date.parse(`${new Date(midnight).toLocaleString('sv-SE', { timeZone: next.zone }).replace(' ', 'T')}Z`)
  const end = midnight - (local - midnight)
  for (const [now, phase] of [
    [end - 1000, 'AHEAD'],
    [end, 'OVER'],
  ] as const) {
    at(now)
    expect((await all('')).find(({ gathering_no }) => gathering_no === next.gathering_no)).toMatchObject({ phase })
  }
})

test('the link to a guest list ends after a quarter of an hour, and another is made', async () => {
  await using app = await open('invitations')
  const me = await app.newcomer()
  const { parties } = await me.read<{ parties: Row[] }>('/api/parties?stage=OUT')
  const ask = () =>
    me.read<{ csvUrl: string; goodUntilMs: number }>(`/api/parties/${String(parties[0]?.['partyNo'])}/sheet`)
  const { csvUrl, goodUntilMs } = await ask()
  expect((await fetch(csvUrl)).status).toBe(200)
  expect((await fetch(csvUrl.replace(/.\.csv/, '-.csv'))).status).toBe(404)
  at(goodUntilMs + 1000)
  expect((await fetch(csvUrl)).status).toBe(410)
  expect([(await fetch((await ask()).csvUrl)).status, (await fetch(csvUrl)).status]).toEqual([200, 410])
})

test('the link to an archive ends after an hour', async () => {
  await using app = await open('travel-log')
  const me = await app.newcomer()
  const { journeys } = await me.read<{ journeys: Row[] }>('/v3/journeys?phase=behind')
  const path = `/v3/journeys/${String(journeys[0]?.['journey'])}/archive`
  const { href, good_until } = (await me.read<{ archive: { href: string; good_until: number } }>(path)).archive
  expect(Math.abs(good_until - Date.now() / 1000 - 3600)).toBeLessThan(60)
  expect((await fetch(href)).status).toBe(200)
  at((good_until + 61) * 1000)
  expect((await fetch(href)).status).toBe(410)
})

test('within a day of departure the carrier keeps a quarter of a fare that it gives back', async () => {
  await using app = await open('travel-booking')
  const me = await app.newcomer()
  const wish = await order(me, { by: 'RAIL', day: dayOn(2) }, 'FIRST')
  const { bookingRef } = (await me.wrote<{ booking: Full }>('POST', '/trips/x/orders', wish)).booking
  const { leaves, parts } = await bookingOf(me, bookingRef)
  const kept = async () =>
    (await me.read<{ notGivenBack: Row }>(`/trips/x/bookings/${bookingRef}/giveback`)).notGivenBack['keptByCarrier']
  expect(await kept()).toMatchObject({ minor: 0 })
  at(msOf(leaves) - 23 * 3_600_000)
  expect(await kept()).toMatchObject({ minor: Math.ceil(parts.fare.minor / 4) })
})

test('a coupon is good through the whole of its last day, on the clock of the school', () => {
  const school = { no: 1, account: 'a', title: 'T', zone: 'America/Lima', currency: 'PEN', moderated: false }
  const kind = { tenths: 125, cents: undefined, scope: 'everything', type: undefined, plan: undefined } as const
  const use = { ends: '2026-11-22', stock: undefined, redeemed: 0, filed: false }
  const state = (moment: string) =>
    stateOf({ id: 1, label: 'L', code: 'ABC', ...kind, ...use }, school, Date.parse(moment) / 1000)
  expect(state('2026-11-23T04:59:59Z')).toBe('on')
  expect(state('2026-11-23T05:00:00Z')).toBe('lapsed')
})

test('days and moments are written and read the same way, also where clocks change', () => {
  expect(showDay('2028-02-29')).toBe('29 Feb 2028')
  expect(['29 Feb 2028', '29 Feb 2027', '1 Foo 2027'].map(readDay)).toEqual(['2028-02-29', undefined, undefined])
  const summer = Date.parse('2026-07-01T12:00:00Z') / 1000
  expect(isoIn('America/St_Johns', summer)).toBe('2026-07-01T09:30:00-02:30')
  const moment = (local: string, zone: string): number | undefined => momentOf(parseWall(local)!, zone)
  const utc = (text: string): number => Date.parse(text) / 1000
  expect(moment('2026/07/01 09:30', 'Europe/Lisbon')).toBe(utc('2026-07-01T08:30Z'))
  expect(moment('2026/01/15 09:30', 'Asia/Kathmandu')).toBe(utc('2026-01-15T03:45Z'))
  expect(moment('2026/10/25 01:30', 'Europe/Lisbon')).toBe(utc('2026-10-25T00:30Z'))
  expect(moment('2026/03/29 01:30', 'Europe/Lisbon')).toBeUndefined()
  expect(wallText(utc('2026-12-31T23:30Z'), 'Asia/Tokyo')).toBe('2027/01/01 08:30')
})
