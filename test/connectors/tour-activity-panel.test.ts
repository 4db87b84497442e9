import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { exampleOf } from '../../connectors/examples.ts'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { dayIn, monthBack, northernLights } from './tour-activity-calls.ts'

let panel: AppCaller
beforeAll(async () => {
  panel = await AppCaller.open('tour-activity')
})
beforeEach(() => panel.sandbox.reset())
afterEach(() => void vi.useRealTimers())
afterAll(() => panel.sandbox.close())

const threads = (input: Row = {}, user?: string) => panel.rows('list_messages', 'threads', input, user)
const thisYear = Number(dayIn('Europe/Madrid', 0).slice(0, 4))

describe('messages', () => {
  test('are listed newest first, all or unread, or about one booking', async () => {
    const all = await threads()
    const times = values(all, 'received_at').map((at) => Date.parse(String(at)))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(Math.max(...times)).toBeLessThan(Date.now())
    expect(new Set(values(all, 'with'))).toEqual(new Set(['customer', 'booking_department']))
    const unread = await threads({ unread_only: true })
    expect(unread).toEqual(all.filter((thread) => thread['unread'] === true))
    expect(unread.length).toBeGreaterThan(0)
    expect(unread.length).toBeLessThan(all.length)
    expect(await threads({ unread_only: false })).toEqual(all)
    const booking_id = all.find((thread) => thread['with'] === 'booking_department')?.['booking_id']
    const about = await threads({ booking_id })
    expect(about).toEqual(all.filter((thread) => thread['booking_id'] === booking_id))
    expect(about.length).toBe(2)
    const both = await threads({ booking_id, unread_only: true })
    expect(both).toEqual(about.filter((thread) => thread['unread'] === true))
  })

  test.each(['customer', 'booking_department'])('to the %s are mailed, and the conversation is read', async (whom) => {
    const unread = (await threads({ unread_only: true })).find((thread) => thread['with'] === whom)
    const input = { booking_id: unread?.['booking_id'], with: whom, message: ' שלום!\r\n\n<b>10</b> & "é" 😀 ' }
    const sent = await panel.call('send_message', input)
    expect(sent).toEqual({
      message_id: expect.stringMatching(/^M\d+$/),
      booking_id: input.booking_id,
      with: whom,
      sent_at: expect.stringMatching(/Z$/),
    })
    expect(Math.abs(Date.parse(String(sent['sent_at'])) - Date.now())).toBeLessThan(120_000)
    expect((await threads())[0]).toEqual({
      ...{ booking_id: input.booking_id, with: whom, unread: false },
      ...{ last_message: input.message, received_at: sent['sent_at'] },
    })
    const side = whom === 'customer' ? 'CLIENT' : 'OFFICE'
    const body = { msg: sent['message_id'], bk: input.booking_id, side, words: input.message }
    expect(await panel.control.effects()).toMatchObject([{ action: 'message.send', body }])
  })

  test('to a customer end 30 days after departure, those to the department never', async () => {
    const [old] = await panel.rows('list_bookings', 'bookings', { from: dayFromNow(-90), to: dayFromNow(-40) })
    const input = { booking_id: old?.['booking_id'], message: 'Thank you!' }
    expect(await panel.refused('send_message', { ...input, with: 'customer' })).toBe('THREAD_OVER')
    await panel.call('send_message', { ...input, with: 'booking_department' })
    const [recent] = await panel.rows('list_bookings', 'bookings', { from: dayFromNow(-28), to: dayFromNow(-2) })
    await panel.call('send_message', { ...input, booking_id: recent?.['booking_id'], with: 'customer' })
    expect((await panel.control.effects()).length).toBe(2)
  })

  test('that are blank are refused, the longest is sent as it is', async () => {
    const booking_id = (await threads())[0]?.['booking_id']
    const input = { booking_id, with: 'customer' }
    expect(await panel.refused('send_message', { ...input, message: ' \n' })).toBe('FIELD_REQUIRED')
    expect(await panel.control.effects()).toEqual([])
    const message = 'é\n'.repeat(1000)
    await panel.call('send_message', { ...input, message })
    expect((await threads({ booking_id }))[0]).toMatchObject({ last_message: message })
  })

  test('are read and written by guides too', async () => {
    const booking_id = (await threads({}, 'revoked'))[0]?.['booking_id']
    const input = { booking_id, with: 'customer', message: 'Hello!' }
    expect(await panel.call('send_message', input, 'revoked')).toMatchObject({ booking_id })
  })

  test.each([
    ['get_booking', {}],
    ['list_messages', {}],
    ['send_message', { with: 'customer', message: 'Hello!' }],
  ])('%s finds neither a made-up booking nor one of another provider', async (name, input) => {
    const [mine] = await panel.rows('list_bookings', 'bookings', {})
    const { booking_id } = mine!
    expect(await panel.refused(name, { booking_id: 'B1', ...input })).toBe('BOOKING_NOT_FOUND')
    expect(await panel.refused(name, { booking_id, ...input }, 'stranger')).toBe('BOOKING_NOT_FOUND')
    expect(await panel.control.effects()).toEqual([])
  })
})

test('reviews are listed latest first, of one activity, since a day, or both', async () => {
  const read = (input: Row) => panel.rows('list_reviews', 'reviews', input)
  const all = await read({})
  const dates = values(all, 'date').map(String)
  expect(dates).toEqual(dates.toSorted().toReversed())
  expect(all.length).toBe(90)
  expect(new Set(values(all, 'rating'))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))
  expect(values(all, 'text')).toContain('')
  const ofOne = await read({ activity_id: northernLights })
  expect(ofOne).toEqual(all.filter(({ activity_id }) => activity_id === northernLights))
  expect(ofOne.length).toBeGreaterThan(1)
  const since = String(ofOne[1]?.['date'])
  const late = await read({ since })
  expect(late).toEqual(all.filter(({ date }) => String(date) >= since))
  expect(late.length).toBeLessThan(all.length)
  expect(await read({ activity_id: northernLights, since })).toEqual(ofOne.slice(0, 2))
})

describe('money', () => {
  const payments = (input: Row = {}, user?: string) => panel.rows('list_payments', 'payments', input, user)
  const invoices = (input: Row = {}, user?: string) => panel.rows('list_invoices', 'invoices', input, user)
  const cents = (row: Row, key: string) => Math.round(Number((row[key] as Row)['value']) * 100)

  test('settlements and invoices are those of a year, of months that are over, latest first', async () => {
    for (const year of [thisYear, thisYear - 1, 2024]) {
      const rows = await payments({ year })
      const months = values(rows, 'month').map(String)
      expect(months).toEqual(months.toSorted().toReversed())
      expect(months.every((month) => month.startsWith(`${year}-`) && month <= monthBack(1))).toBe(true)
      const bills = await invoices({ year })
      expect(values(bills, 'period')).toEqual(months)
      expect(values(bills, 'amount')).toEqual(values(rows, 'commission'))
    }
    expect(await payments()).toEqual(await payments({ year: thisYear }))
    expect(await invoices()).toEqual(await invoices({ year: thisYear }))
    expect(await payments({ year: 2000 })).toEqual([])
    for (const year of [1999, 2199, 0, -5, 24, 99_999, 1e21]) {
      expect(await invoices({ year })).toEqual([])
      expect(await payments({ year })).toEqual([])
    }
    expect(values(await payments({ year: 2024 }), 'status')).toEqual(['not_requested', 'paid', 'paid'])
  })

  test('a settlement is what the bookings of its month cost, less the commission that is billed', async () => {
    const rows = await payments({ year: 2024 })
    for (const row of rows) expect(cents(row, 'services') - cents(row, 'commission')).toBe(cents(row, 'net'))
    const input = { from: '2024-05-01', to: '2024-05-31' }
    let sum = 0
    for (const { booking_id } of await panel.rows('list_bookings', 'bookings', input)) {
      const { price } = await panel.call('get_booking', { booking_id })
      sum += Math.round(Number((price as Row)['amount']) * 100)
    }
    expect(sum).toBe(cents(rows.at(-1)!, 'services'))
    expect(sum).toBeGreaterThan(0)
  })

  test('an invoice is downloaded at its address by whoever is signed in', async () => {
    const [{ download_url, invoice_id } = {}] = await invoices({ year: 2024 })
    expect(invoice_id).toBe('F1-202408')
    expect(download_url).toContain(panel.app.origin)
    const account = (await panel.sandbox.accounts(panel.app.slug)).find(({ user }) => user === 'demo')
    const cookie = account!.session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const bill = await fetch(String(download_url), { headers: { cookie } })
    expect([bill.status, (await bill.text()).includes('F1-202408')]).toEqual([200, true])
    expect((await fetch(String(download_url), { redirect: 'manual' })).status).toBe(302)
  })

  test.each([
    ['the month before this one when none is named', {}, monthBack(1)],
    ['a month that is named', { month: monthBack(3) }, monthBack(3)],
    ['a month of long ago', { month: '2024-08' }, '2024-08'],
  ])('is paid out for %s, once', async (_what, input, month) => {
    const row = async () => (await payments({ year: Number(month.slice(0, 4)) })).find((one) => one['month'] === month)
    const before = await row()
    expect(before).toMatchObject({ status: 'not_requested' })
    const answer = await panel.call('request_payment', input)
    expect(answer).toEqual({ month, status: 'paid', reference: expect.stringMatching(/^PAY-[0-9A-F]{8}$/) })
    expect(await row()).toEqual({ ...before, status: 'paid' })
    expect(await panel.refused('request_payment', input)).toBe('ALREADY_PAID')
    expect((await panel.control.effects()).map(({ action }) => action)).toEqual(['payout.ask'])
  })

  test.each([
    [monthBack(6), 'ALREADY_PAID'],
    [monthBack(0), 'MONTH_RUNNING'],
    [monthBack(-1), 'MONTH_RUNNING'],
    ['2001-01', 'MONTH_NOT_FOUND'],
    ['1999-12', 'MONTH_INVALID'],
  ])('is not paid out for %s: %s', async (month, code) => {
    expect(await panel.refused('request_payment', { month })).toBe(code)
    expect(await panel.control.effects()).toEqual([])
  })

  test('is not shown to guides', async () => {
    for (const name of ['list_payments', 'list_invoices', 'request_payment'])
      expect(await panel.refused(name, {}, 'revoked')).toBe('RIGHT_MISSING')
  })

  test.each([
    ['JPY', 'stranger', /^\d+$/],
    ['TND', 'narrow', /^\d+\.\d{3}$/],
  ])('has the decimals of %s', async (currency, user, form) => {
    const [row] = await payments({ year: 2024 }, user)
    const money = { value: expect.stringMatching(form), currency }
    expect(row).toMatchObject({ services: money, commission: money, net: money })
    expect((await invoices({ year: 2024 }, user))[0]).toMatchObject({ amount: money })
  })
})

test('another provider sees nothing of the first', async () => {
  const lists: [string, string, string, Row][] = [
    ['list_activities', 'activities', 'activity_id', {}],
    ['list_bookings', 'bookings', 'booking_id', { status: 'all' }],
    ['list_messages', 'threads', 'booking_id', {}],
    ['list_reviews', 'reviews', 'activity_id', {}],
    ['list_invoices', 'invoices', 'invoice_id', { year: 2024 }],
  ]
  for (const [name, key, id, input] of lists) {
    const mine = values(await panel.rows(name, key, input), id)
    const theirs = values(await panel.rows(name, key, input, 'stranger'), id)
    expect([mine.length > 0, theirs.length > 0]).toEqual([true, true])
    expect(theirs.filter((one) => mine.includes(one))).toEqual([])
  }
  const paid = await panel.rows('list_payments', 'payments', { year: 2024 }, 'stranger')
  await panel.call('request_payment', { month: '2024-08' })
  expect(await panel.rows('list_payments', 'payments', { year: 2024 }, 'stranger')).toEqual(paid)
})

test.each([3, 230])('examples of reads are as good after a reset %d days from now', async (later) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later * 86_400_000 })
  await panel.sandbox.reset()
  for (const { name, access } of panel.app.endpoints.values()) {
    if (access === 'write') continue
    const { input, output } = exampleOf('tour-activity', name, new Date())!
    const answer = JSON.stringify(await panel.call(name, input)).replaceAll(panel.sandbox.url, 'http://localhost:8090')
    expect(JSON.parse(answer), name).toEqual(output)
  }
})

describe('inputs', () => {
  const days = { activity_id: 'T1', from: '2026-01-01', to: '2026-01-02' }
  const times = (count: number) => Array.from({ length: count }, (_, at) => `${String(at % 24).padStart(2, '0')}:59`)
  const note = { booking_id: 'B1', message: 'x' }
  const sales: [Row[], Row[]] = [
    [days, { ...days, times: ['00:00', '23:59'] }, { ...days, times: times(24) }],
    [
      ...[{ times: [] }, { times: [''] }, { times: ['9:30'] }, { times: ['24:00'] }, { times: ['10:60'] }],
      ...[{ times: times(25) }, { times: 'all' }, { from: '2026-02-29' }, { to: '31-12-2026' }, { note: 'x' }],
    ].map((wrong): Row => ({ ...days, ...wrong })),
  ]
  const cases: [string, Row[], Row[]][] = [
    ['list_activities', [{}], [{ limit: 1 }]],
    [
      'list_bookings',
      [
        {},
        { status: 'confirmed' },
        { status: 'cancelled' },
        { status: 'all' },
        { from: '2024-02-29', to: '2020-01-01' },
      ],
      [{ status: 'VALID' }, { limit: 25 }, { cursor: 'made-up' }, { from: '2023-02-29' }, { to: 'today' }],
    ],
    ['get_booking', [{ booking_id: 'B1' }], [{}, { booking_id: '' }, { booking_id: '../me' }]],
    ['get_availability', [{ activity_id: 'T1' }, days], [{}, { activity_id: 'T1', to: '2026-1-1' }]],
    ['list_messages', [{}, { unread_only: true, booking_id: 'B1' }], [{ unread_only: 'yes' }, { cursor: 'x' }]],
    ['list_reviews', [{}, { activity_id: 'T1', since: '2026-01-01' }], [{ since: '2026' }, { activity_id: '' }]],
    ...['list_invoices', 'list_payments'].map((name): [string, Row[], Row[]] => [
      name,
      [{}, { year: 2000 }, { year: 1899 }, { year: 3000 }],
      [{ year: 2024.5 }, { year: '2024' }],
    ]),
    ['close_dates', ...sales],
    ['open_dates', ...sales],
    [
      'set_quota',
      [0, 500].map((quota) => ({ ...days, quota })),
      [days, ...[-1, 501, 1.5].map((quota) => ({ ...days, quota })), { ...days, quota: 5, times: [] }],
    ],
    [
      'send_message',
      [
        { ...note, with: 'customer' },
        { ...note, with: 'booking_department', message: 'x'.repeat(2000) },
      ],
      [
        note,
        { ...note, with: 'office' },
        ...['', 'x'.repeat(2001)].map((message) => ({ ...note, with: 'customer', message })),
      ],
    ],
    [
      'request_payment',
      [{}, { month: '2026-12' }],
      [{ month: '2026-13' }, { month: '2026-00' }, { month: '12-2026' }, { month: '' }],
    ],
  ]

  test.each(cases)('of %s are accepted up to their bounds and not beyond', (name, good, bad) => {
    for (const input of good) expect(panel.takes(name, input), JSON.stringify(input)).toBe(true)
    for (const input of bad) expect(panel.takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(false)
  })

  test('are of every endpoint', () => {
    expect(cases.map(([name]) => name).toSorted()).toEqual([...panel.app.endpoints.keys()].toSorted())
  })

  test('wait for approval where people are written to or money moves', () => {
    const asking = [...panel.app.endpoints.values()].filter(({ confirm }) => confirm).map(({ name }) => name)
    expect(asking.toSorted()).toEqual(['request_payment', 'send_message'])
  })
})
