import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppPerson, OpenApp } from './open-app.ts'
import { allBookings, dayAhead, inShop, iso, openPanel, rowsOf, shopOf, todayOf, year } from './tour-activity-panel.ts'
import type { Booking, Thread, Tour } from './tour-activity-panel.ts'

let app: OpenApp
let demo: AppPerson
beforeAll(async () => {
  app = await openPanel()
  demo = await app.person()
})
afterAll(() => app[Symbol.asyncDispose]())

const span = (from: number, to: number): string => `fromDay=${dayAhead(from)}&toDay=${dayAhead(to)}`

/** The moment of a departure, found by trying what clocks in its zone show. */
function moment({ day, hour, tz }: Booking): number {
  const wanted = Date.parse(`${iso(day)}T${hour}:00Z`)
  for (let minutes = -14 * 60; minutes <= 14 * 60; minutes += 15) {
    const at = wanted + minutes * 60_000
    const shown = new Date(at).toLocaleString('sv-SE', { timeZone: tz })
    if (shown.startsWith(`${iso(day)} ${hour}`)) return at
  }
  throw new Error(`${day} ${hour} is no time in ${tz}.`)
}

test('bookings are those of the span, tour and state, in order of departure over all zones', async () => {
  const all = await allBookings(demo, `${span(-4, 12)}&st=ANY`)
  const moments = all.map(moment)
  expect(moments).toEqual(moments.toSorted((one, other) => one - other))
  expect(new Set(all.map(({ tz }) => tz)).size).toBeGreaterThan(8)
  const parts = {
    VALID: await allBookings(demo, span(-4, 12)),
    VOID: await allBookings(demo, `${span(-4, 12)}&st=VOID`),
  }
  for (const [state, rows] of Object.entries(parts)) {
    expect(rows).toEqual(all.filter(({ st }) => st === state))
    expect(rows.length).toBeGreaterThan(0)
  }
  const act = all[0]?.act
  const ofTour = await allBookings(demo, `${span(-4, 12)}&st=ANY&act=${act}`)
  expect(ofTour).toEqual(all.filter((row) => row.act === act))
  const [first, last] = [iso(dayAhead(3)), iso(dayAhead(5))]
  const some = await allBookings(demo, `${span(3, 5)}&st=ANY`)
  expect(some).toEqual(all.filter(({ day }) => iso(day) >= first && iso(day) <= last))
  expect(new Set(some.map(({ day }) => day)).size).toBe(3)
})

test('without parameters the valid bookings of today and the next seven days come', async () => {
  const today = await todayOf(demo)
  const end = new Date(Date.parse(today) + 7 * 86_400_000).toISOString().slice(0, 10)
  const rows = await allBookings(demo, '')
  expect(rows).toEqual(
    (await allBookings(demo, span(-3, 11))).filter(({ day }) => iso(day) >= today && iso(day) <= end),
  )
  expect((await demo.read<{ rows: unknown[] }>('/panel/bookings')).rows).toHaveLength(25)
})

test('bookings are read to their end, nothing twice and nothing missing, while travellers book', async () => {
  const tours = await rowsOf<Tour>(demo, '/panel/tours')
  const shop = await shopOf(demo, tours[0]?.title ?? '')
  const before = await allBookings(demo, span(2, 4))
  const trip = { hour: '09:30', pax: '1', full: 'Late Booker', mail: 'late@mail.example' }
  const read = await allBookings(demo, span(2, 4), 1, async (page) => {
    if (page % 10 === 4) {
      const [status] = await inShop(demo, shop, { ...trip, day: dayAhead(page % 20 === 4 ? 2 : 4) })
      expect(status).toBe(303)
    }
  })
  const ids = read.map(({ bk }) => bk)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(before.map(({ bk }) => bk)))
  expect((await allBookings(demo, span(2, 4))).length).toBeGreaterThan(before.length)
})

test('threads are narrowed to unread ones or to a booking, latest first', async () => {
  const all = await rowsOf<Thread>(demo, '/panel/inbox')
  const at = ({ last }: Thread): number => Date.parse(`${iso(last.day)}T${last.hour}:00${last.off}`)
  const moments = all.map(at)
  expect(moments).toEqual(moments.toSorted((one, other) => other - one))
  const fresh = await rowsOf<Thread>(demo, '/panel/inbox?fresh=1')
  expect(fresh).toEqual(all.filter((thread) => thread.fresh))
  expect(fresh.length).toBeGreaterThan(2)
  expect(fresh.length).toBeLessThan(all.length)
  const both = all.find(({ side }) => side === 'OFFICE')
  const about = await rowsOf<Thread>(demo, `/panel/inbox?bk=${both?.bk}`)
  expect(about).toEqual(all.filter(({ bk }) => bk === both?.bk))
  expect(about).toHaveLength(2)
})

test('reviews are narrowed to a tour and to a day and later, latest first', async () => {
  const all = await rowsOf<{ act: string; day: string }>(demo, '/panel/reviews')
  const days = all.map(({ day }) => iso(day))
  expect(days).toEqual(days.toSorted().toReversed())
  const { act, day } = all[20] ?? { act: '', day: '' }
  expect(await rowsOf(demo, `/panel/reviews?act=${act}`)).toEqual(all.filter((row) => row.act === act))
  const since = await rowsOf(demo, `/panel/reviews?fromDay=${day}`)
  expect(since).toEqual(all.filter((row) => iso(row.day) >= iso(day)))
  expect(since).toHaveLength(21)
})

test('bills and payouts are those of a year and add up to the bookings of each month', async () => {
  interface Money {
    value: string
  }
  interface Month {
    month: string
    gross: Money
    fee: Money
    due: Money
  }
  const payouts = await rowsOf<Month>(demo, `/panel/payouts?year=${year - 1}`)
  const bills = await rowsOf<{ month: string; sum: Money }>(demo, `/panel/bills?year=${year - 1}`)
  expect(bills.map(({ month, sum }) => [month, sum])).toEqual(payouts.map(({ month, fee }) => [month, fee]))
  expect(payouts.every(({ month }) => month.endsWith(`-${year - 1}`))).toBe(true)
  for (const { gross, fee, due } of payouts) {
    expect(Number(fee.value)).toBeCloseTo(Number(gross.value) * 0.25, 1)
    expect(Number(gross.value) - Number(fee.value)).toBeCloseTo(Number(due.value), 5)
  }
  const rows = await allBookings(demo, `fromDay=01-12-${year - 1}&toDay=31-12-${year - 1}`)
  let cents = 0
  for (const { bk } of rows) {
    cents += Math.round(Number((await demo.read<{ total: Money }>(`/panel/bookings/${bk}`)).total.value) * 100)
  }
  expect((cents / 100).toFixed(2)).toBe(payouts[0]?.gross.value)
  const now = await rowsOf<Month>(demo, '/panel/payouts')
  const today = await todayOf(demo)
  expect(now.every(({ month }) => iso(month) < today.slice(0, 7))).toBe(true)
  expect(now).toEqual(await rowsOf<Month>(demo, `/panel/payouts?year=${today.slice(0, 4)}`))
})

test('unknown, repeated and senseless parameters are refused', async () => {
  const other = (await demo.read<{ next: string }>('/panel/bookings?st=ANY')).next
  const refused: [string, number, string][] = [
    ['/panel/tours?state=LIVE', 400, 'PARAM_UNKNOWN'],
    ['/panel/bookings?st=VALID&st=VOID', 400, 'PARAM_INVALID'],
    ['/panel/bookings?st=valid', 400, 'PARAM_INVALID'],
    ['/panel/bookings?fromDay=2026-12-31', 400, 'PARAM_INVALID'],
    ['/panel/bookings?fromDay=31-02-2026', 400, 'PARAM_INVALID'],
    ['/panel/bookings?fromDay=02-01-2026&toDay=01-01-2026', 400, 'SPAN_BACKWARDS'],
    ['/panel/bookings?size=0', 400, 'PARAM_INVALID'],
    ['/panel/bookings?size=101', 400, 'PARAM_INVALID'],
    [`/panel/bookings?next=${other}`, 400, 'NEXT_UNKNOWN'],
    ['/panel/inbox?fresh=yes', 400, 'PARAM_INVALID'],
    ['/panel/bills?year=soon', 400, 'PARAM_INVALID'],
    ['/panel/tours/T1001/calendar?fromDay=01-01-2026&toDay=02-01-2027', 422, 'SPAN_TOO_LONG'],
  ]
  for (const [path, ...problem] of refused) expect([path, ...(await demo.denied(path))]).toEqual([path, ...problem])
})
