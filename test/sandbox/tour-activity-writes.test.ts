import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppPerson, OpenApp } from './open-app.ts'
import {
  allBookings,
  calendar,
  dayAhead,
  inShop,
  openPanel,
  rowsOf,
  shopOf,
  submitted,
  todayOf,
} from './tour-activity-panel.ts'
import type { Detail, Thread, Tour } from './tour-activity-panel.ts'

let app: OpenApp
let demo: AppPerson
let tours: Tour[]
beforeAll(async () => {
  app = await openPanel()
  demo = await app.person()
  tours = await rowsOf<Tour>(demo, '/panel/tours')
})
afterAll(() => app[Symbol.asyncDispose]())

const span = (from: number, to = from) => ({ fromDay: dayAhead(from), toDay: dayAhead(to) })
const actOf = (index: number): string => tours[index]?.act ?? ''
const trip = { pax: '1', full: 'Ana Á.', mail: 'ana@mail.example' }

/** What the account wrote while `work` ran. */
async function effectsOf(person: AppPerson, work: () => Promise<unknown>) {
  const before = (await app.effects(person)).length
  await work()
  return (await app.effects(person)).slice(before).map(({ action, body }) => ({ action, body }))
}

test('departures are shut and reopened, the bookings on them stay, and the shop obeys', async () => {
  const act = actOf(1)
  const shop = await shopOf(demo, tours[1]?.title ?? '')
  const filter = `fromDay=${dayAhead(30)}&toDay=${dayAhead(31)}&act=${act}`
  const booked = await allBookings(demo, filter)
  expect(booked.length).toBeGreaterThan(0)
  const sent = await (await demo.get('/desk/sent')).text()
  const shutting = await effectsOf(demo, async () => {
    const [status, location = ''] = await submitted(demo, `/desk/tours/${act}/shut`, span(30, 31))
    const told = new URL(location, demo.base).searchParams
    expect([status, told.get('done'), told.get('slots'), told.get('booked')]).toEqual([
      303,
      'shut',
      '4',
      `${booked.length}`,
    ])
    expect(new Set(told.getAll('bk'))).toEqual(new Set(booked.map(({ bk }) => bk)))
    expect((await demo.get(location.replace('/tour-activity', ''))).status).toBe(200)
  })
  const body = { act, ...span(30, 31), slots: 4, booked: booked.length }
  expect(shutting).toEqual([{ action: 'sales.shut', body }])
  expect((await calendar(demo, act, 29, 32)).map(({ sale }) => sale)).toEqual(['OPEN', 'SHUT', 'SHUT', 'OPEN'])
  expect(await allBookings(demo, filter)).toEqual(booked)
  expect(await (await demo.get('/desk/sent')).text()).toBe(sent)
  const seat = { ...trip, day: dayAhead(30), hour: '10:00' }
  expect(await inShop(demo, shop, seat)).toEqual([409, 'SALES_SHUT'])
  expect(await effectsOf(demo, () => submitted(demo, `/desk/tours/${act}/shut`, span(30, 31)))).toEqual([])
  expect(await submitted(demo, `/desk/tours/${act}/shut`, span(30, 31))).toEqual([409, 'ALREADY_SHUT'])
  const [, reopened = ''] = await submitted(demo, `/desk/tours/${act}/reopen`, { ...span(30), hours: ['10:00'] })
  expect(reopened).toContain('done=reopen&slots=1')
  const [half] = await calendar(demo, act, 30)
  expect([half?.sale, half?.runs.map(({ shut }) => shut)]).toEqual(['OPEN', [false, true]])
  expect((await inShop(demo, shop, seat))[0]).toBe(303)
  expect((await submitted(demo, `/desk/tours/${act}/shut`, span(29, 31)))[1]).toContain('slots=3&')
  expect((await submitted(demo, `/desk/tours/${act}/reopen`, span(29, 31)))[0]).toBe(303)
  expect(await submitted(demo, `/desk/tours/${act}/reopen`, span(29, 31))).toEqual([409, 'ALREADY_OPEN'])
})

test('places limit what the shop sells, and are never fewer than sold', async () => {
  const act = actOf(0)
  const shop = await shopOf(demo, tours[0]?.title ?? '')
  const path = `/panel/tours/${act}/places`
  const seat = { ...trip, day: dayAhead(51), hour: '09:30' }
  const before = Math.max(...(await calendar(demo, act, 50, 52)).flatMap(({ runs }) => runs.map(({ sold }) => sold)))
  const sold = (await calendar(demo, act, 51))[0]?.runs[0]?.sold ?? 0
  const left = before + 2 - sold
  const setting = await effectsOf(demo, async () => {
    const body = { ...span(50, 52), places: before + 2 }
    expect(await demo.wrote('PUT', path, body)).toMatchObject({ act, places: before + 2, slots: 3 })
  })
  expect(setting.map(({ action }) => action)).toEqual(['places.set'])
  expect((await calendar(demo, act, 51))[0]?.runs[0]).toMatchObject({ places: before + 2, sold, shut: false })
  expect(await inShop(demo, shop, { ...seat, pax: String(left + 1) })).toEqual([409, 'SOLD_OUT'])
  expect((await inShop(demo, shop, { ...seat, pax: String(left) }))[0]).toBe(303)
  expect(await inShop(demo, shop, seat)).toEqual([409, 'SOLD_OUT'])
  const calm = await calendar(demo, act, 50, 52)
  const refused = await effectsOf(demo, async () => {
    expect(await demo.refused('PUT', path, { ...span(50, 52), places: 1 })).toEqual([409, 'BELOW_SOLD'])
  })
  expect(refused).toEqual([])
  expect(await calendar(demo, act, 50, 52)).toEqual(calm)
  const empty = (await calendar(demo, act, 40, 76)).find(({ sale, runs }) => sale === 'SHUT' && runs[0]?.sold === 0)
  const day = empty?.day ?? ''
  await demo.wrote('PUT', path, { fromDay: day, toDay: day, hours: ['09:30'], places: 0 })
  const later = (await calendar(demo, act, 40, 76)).find((one) => one.day === day)
  expect(later).toMatchObject({ sale: 'SHUT', runs: [{ places: 0, sold: 0, shut: true }] })
})

test('spans, hours and numbers that make no sense are refused, and nothing is done', async () => {
  const act = actOf(2)
  const good = { ...span(50), places: 20 }
  const wrong: [Record<string, unknown>, string][] = [
    [{ ...good, fromDay: dayAhead(-3) }, 'DAY_PASSED'],
    [{ ...good, fromDay: dayAhead(51) }, 'SPAN_BACKWARDS'],
    [{ ...good, toDay: dayAhead(800) }, 'DAY_TOO_FAR'],
    [{ ...good, toDay: dayAhead(430) }, 'SPAN_TOO_LONG'],
    [{ ...good, fromDay: '2026-12-31' }, 'DAY_INVALID'],
    [{ toDay: good.toDay, places: 20 }, 'FIELD_REQUIRED'],
    [{ ...good, hours: [] }, 'HOURS_INVALID'],
    [{ ...good, hours: '08:15' }, 'HOURS_INVALID'],
    [{ ...good, hours: ['8:15'] }, 'HOUR_INVALID'],
    [{ ...good, hours: ['08:15', '03:00'] }, 'HOUR_UNKNOWN'],
    [{ ...good, places: -1 }, 'NUMBER_INVALID'],
    [{ ...good, places: 501 }, 'NUMBER_INVALID'],
    [{ ...good, places: '20' }, 'NUMBER_INVALID'],
    [span(50), 'FIELD_REQUIRED'],
    [{ ...good, note: 'x' }, 'FIELD_UNKNOWN'],
  ]
  const effects = await effectsOf(demo, async () => {
    for (const [body, code] of wrong) {
      expect([body, ...(await demo.refused('PUT', `/panel/tours/${act}/places`, body))]).toEqual([body, 422, code])
    }
    expect(await submitted(demo, `/desk/tours/${act}/shut`, { ...span(50), why: 'x' })).toEqual([422, 'FIELD_UNKNOWN'])
    expect(await submitted(demo, `/desk/tours/${actOf(11)}/shut`, span(50))).toEqual([422, 'NO_DEPARTURES'])
  })
  expect(effects).toEqual([])
})

test('messages reach the traveller or the office and show in the inbox', async () => {
  const [fresh] = (await rowsOf<Thread>(demo, '/panel/inbox?fresh=1')).filter(({ side }) => side === 'CLIENT')
  const bk = fresh?.bk ?? ''
  const words = '  See you at the fountain, שלום!\r\n\n<b>10</b> minutes earlier. '
  const writing = await effectsOf(demo, async () => {
    const answer = await demo.wrote<Record<string, string>>('POST', `/panel/inbox/${bk}`, { side: 'CLIENT', words })
    expect(answer).toMatchObject({ bk, side: 'CLIENT', msg: expect.stringMatching(/^M\d+$/) })
    const [latest] = await rowsOf<Thread>(demo, `/panel/inbox?bk=${bk}`)
    const { day, hour, tz, off } = answer
    expect(latest).toMatchObject({ fresh: false, side: 'CLIENT', last: { by: 'US', words, day, hour, tz, off } })
  })
  expect(writing).toMatchObject([{ action: 'message.send', body: { bk, side: 'CLIENT', words } }])
  const { holder } = await demo.read<Detail>(`/panel/bookings/${bk}`)
  await demo.wrote('POST', `/panel/inbox/${bk}`, { side: 'OFFICE', words: 'x'.repeat(2000) })
  const threads = await rowsOf<Thread>(demo, `/panel/inbox?bk=${bk}`)
  expect(threads.map(({ side }) => side)).toEqual(['OFFICE', 'CLIENT'])
  const sent = await (await demo.get('/desk/sent')).text()
  for (const to of [holder.mail, 'reservas@caminera.example']) expect(sent).toContain(`sent to ${to}`)
  const [old] = await allBookings(demo, `fromDay=${dayAhead(-90)}&toDay=${dayAhead(-40)}`)
  const nothing = await effectsOf(demo, async () => {
    const refused = (id: string, body: unknown) => demo.refused('POST', `/panel/inbox/${id}`, body)
    expect(await refused(old?.bk ?? '', { side: 'CLIENT', words })).toEqual([409, 'THREAD_OVER'])
    expect(await refused(bk, { side: 'BOSS', words })).toEqual([422, 'SIDE_INVALID'])
    expect(await refused(bk, { side: 'CLIENT', words: ' \n' })).toEqual([422, 'FIELD_REQUIRED'])
    expect(await refused(bk, { side: 'CLIENT', words: 'x'.repeat(2001) })).toEqual([422, 'TEXT_TOO_LONG'])
    expect(await refused(bk, { side: 'CLIENT', words: 7 })).toEqual([422, 'TEXT_INVALID'])
    expect(await refused(bk, ['x'])).toEqual([400, 'BODY_INVALID'])
  })
  expect(nothing).toEqual([])
  await demo.wrote('POST', `/panel/inbox/${old?.bk}`, { side: 'OFFICE', words })
})

test('a traveller books, asks and cancels, and the panel shows it', async () => {
  const shop = await shopOf(demo, tours[0]?.title ?? '')
  const seat = { ...trip, day: dayAhead(55), hour: '09:30', tel: '+34 600 00' }
  const [, own = ''] = await inShop(demo, shop, seat)
  const rows = await allBookings(demo, `fromDay=${dayAhead(55)}&toDay=${dayAhead(55)}&act=${actOf(0)}`)
  const bk = rows.at(-1)?.bk ?? ''
  expect((await demo.read<Detail>(`/panel/bookings/${bk}`)).holder).toEqual({
    full: 'Ana Á.',
    mail: trip.mail,
    tel: seat.tel,
  })
  expect((await inShop(demo, `${own}/write`, { words: 'A pram?' }))[0]).toBe(303)
  const [thread] = await rowsOf<Thread>(demo, '/panel/inbox?fresh=1')
  expect(thread).toMatchObject({ bk, side: 'CLIENT', last: { by: 'CLIENT', words: 'A pram?' } })
  expect((await inShop(demo, `${own}/cancel`))[0]).toBe(303)
  expect(await inShop(demo, `${own}/cancel`)).toEqual([409, 'ALREADY_VOID'])
  expect(await demo.read<Detail>(`/panel/bookings/${bk}`)).toMatchObject({
    st: 'VOID',
    holder: { full: 'Ana Á.', mail: 'a•••@mail.example', tel: '•••00' },
  })
  expect((await fetch(`${demo.base}${shop}`)).status).toBe(200)
})

test('each month that is over is paid out once, the last one by default', async () => {
  const someone = await app.newcomer()
  const [thisYear = 0, thisMonth = 0] = (await todayOf(someone)).split('-').map(Number)
  const months = [0, 1, 2, 3, 6].map((back) =>
    new Date(Date.UTC(thisYear, thisMonth - 1 - back, 1)).toISOString().slice(0, 7).split('-').reverse().join('-'),
  )
  const [running = '', last = '', second = '', third = '', old = ''] = months
  const stateOf = async (month: string) =>
    (
      await rowsOf<{ month: string; state: string; ref: string | null }>(
        someone,
        `/panel/payouts?year=${month.slice(3)}`,
      )
    ).find((row) => row.month === month)
  const ask = (fields = {}) => submitted(someone, '/desk/payouts', fields)
  for (const [month, fields] of [
    [last, {}],
    [second, { month: second }],
    [third, { month: third }],
  ] as const) {
    expect(await stateOf(month)).toMatchObject({ state: 'WAITING', ref: null })
    const asking = await effectsOf(someone, async () => {
      const [status, location = ''] = await ask(fields)
      const told = new URL(location, someone.base).searchParams
      expect([status, told.get('paid')]).toEqual([303, month])
      expect(await stateOf(month)).toMatchObject({ state: 'PAID', ref: told.get('ref') })
    })
    expect(asking).toMatchObject([{ action: 'payout.ask', body: { month } }])
    expect(await ask(fields)).toEqual([409, 'ALREADY_PAID'])
  }
  const nothing = await effectsOf(someone, async () => {
    expect(await ask({ month: old })).toEqual([409, 'ALREADY_PAID'])
    expect(await ask({ month: running })).toEqual([409, 'MONTH_RUNNING'])
    expect(await ask({ month: '01-2001' })).toEqual([404, 'MONTH_NOT_FOUND'])
    expect(await ask({ month: '13-2025' })).toEqual([422, 'MONTH_INVALID'])
  })
  expect(nothing).toEqual([])
})

test('guides read what they guide, with masked addresses, and change neither sales nor money', async () => {
  const guide = await app.newcomer('guide')
  const act = (await rowsOf<Tour>(guide, '/panel/tours'))[0]?.act
  const [booking] = await allBookings(guide, '')
  const { holder } = await guide.read<Detail>(`/panel/bookings/${booking?.bk}`)
  expect(holder.mail).toMatch(/^.•••@mail\.example$/)
  expect((await guide.get(`/panel/tours/${act}/calendar`)).status).toBe(200)
  const effects = await effectsOf(guide, async () => {
    for (const path of ['/panel/bills', '/panel/payouts'])
      expect(await guide.denied(path)).toEqual([403, 'RIGHT_MISSING'])
    const places = await guide.refused('PUT', `/panel/tours/${act}/places`, { ...span(50), places: 9 })
    const shut = await submitted(guide, `/desk/tours/${act}/shut`, span(50))
    const refusals = [places, shut, await submitted(guide, '/desk/payouts')]
    for (const refusal of refusals) expect(refusal).toEqual([403, 'RIGHT_MISSING'])
  })
  expect(effects).toEqual([])
  expect((await guide.write('POST', `/panel/inbox/${booking?.bk}`, { side: 'CLIENT', words: 'Hello.' })).status).toBe(
    201,
  )
})
