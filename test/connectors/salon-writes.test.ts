import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'

let shop: AppCaller
beforeAll(async () => {
  shop = await AppCaller.open('salon')
})
beforeEach(() => shop.sandbox.reset())
afterAll(() => shop.sandbox.close())

/** A time in São Paulo, which has the same offset all year. */
const at = (days: number, time: string): string => `${dayFromNow(days)}T${time}:00-03:00`
/** A day on the clocks there. */
const localDay = (days: number): string =>
  new Date(Date.now() - 3 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const booking = (more: Row = {}): Row => ({
  client_id: 'g1000081',
  service_id: 't1000007',
  provider_id: 'c1000004',
  start: at(9, '17:00'),
  ...more,
})
const listed = async (days: number, appointment_id: unknown): Promise<Row | undefined> => {
  const found = await shop.rows('list_appointments', 'appointments', { from: dayFromNow(days) })
  return found.find((one) => one['appointment_id'] === appointment_id)
}
const slotTimes = async (input: Row) => values(await shop.rows('search_availability', 'slots', input), 'start')
const effects = async () =>
  (await shop.control.effects()).map(({ action, body }) => ({ action, ...Object(body) }) as Row)
const entry = async (id: unknown) =>
  (await shop.rows('list_waitlist', 'entries', {})).find(({ waitlist_entry_id }) => waitlist_entry_id === id)

describe('booking', () => {
  test('takes a slot, shows in the calendar, and leaves the slot to nobody else', async () => {
    const free = { service_id: 't1000007', provider_id: 'c1000004', from: dayFromNow(9), to: dayFromNow(9) }
    expect(await slotTimes(free)).toContain(at(9, '17:00'))
    const made = await shop.call('book_appointment', booking())
    const { price, ...row } = made
    expect(made).toMatchObject({
      client: 'Ana Eriksen',
      service: 'Cut & blow-dry',
      provider: 'ليلى منصور',
      start: at(9, '17:00'),
      end: at(9, '18:00'),
      status: 'Booked',
    })
    expect(price).toEqual({ amount: '247.50', currency: 'BRL' })
    expect(await listed(9, made['appointment_id'])).toEqual(row)
    expect(await slotTimes(free)).not.toContain(at(9, '17:00'))
    expect(await shop.refused('book_appointment', booking({ client_id: 'g1000059' }))).toBe('TIME_TAKEN')
  })

  test.each(['2T20:00:00Z', '3T01:45:00+05:45'])('means the same moment in any offset: %s', async (written) => {
    const [days, time] = written.split('T')
    const start = `${dayFromNow(Number(days) + 7)}T${time}`
    expect(await shop.call('book_appointment', booking({ start }))).toMatchObject({ start: at(9, '17:00') })
  })

  test('at another location is on its clocks and in its currency', async () => {
    const location_id = 'b1000015'
    const [service] = await shop.rows('list_services', 'services', { location_id })
    const service_id = service?.['service_id']
    const [slot] = await shop.rows('search_availability', 'slots', { service_id, from: dayFromNow(5) })
    const { provider_id, start } = slot!
    const made = await shop.call('book_appointment', booking({ service_id, provider_id, start }))
    expect(made).toMatchObject({ start, provider: slot?.['provider'], price: { currency: 'NPR' } })
    expect(start).toMatch(/\+05:45$/)
    expect(Date.parse(String(made['end'])) - Date.parse(String(start))).toBe(Number(service?.['duration_min']) * 60_000)
  })

  test.each([
    ['CREW_CANNOT', { provider_id: 'c1000006' }],
    ['CREW_CANNOT', { provider_id: 'c1000016' }],
    ['NOT_AN_OPENING', { start: at(9, '17:10') }],
    ['NOT_AN_OPENING', { start: at(9, '03:00') }],
    ['NOT_AN_OPENING', { start: at(-1, '17:00') }],
    ['NOT_AN_OPENING', { start: at(400, '17:00') }],
    ['NOT_AN_OPENING', { start: '0001-01-01T12:00:00Z' }],
    ['NOT_AN_OPENING', { start: '9999-12-31T12:00:00Z' }],
    ['TIME_INVALID', { start: `${dayFromNow(9)}T17:00:30-03:00` }],
    ['GUEST_NOT_FOUND', { client_id: 'g2000081' }],
    ['TREATMENT_NOT_FOUND', { service_id: 't9' }],
    ['CREW_NOT_FOUND', { provider_id: 'c9' }],
  ])('is refused with %s: %o', async (code, more) => {
    expect(await shop.refused('book_appointment', booking(more))).toBe(code)
    expect(await effects()).toEqual([])
  })
})

describe('an appointment', () => {
  const appointment_id = 'v1000304'

  test('moves to another time and provider, is shown there, and stays booked', async () => {
    const before = await listed(6, appointment_id)
    const start = at(13, '18:00')
    const input = { appointment_id, start, provider_id: 'c1000005', notify_client: true }
    const moved = await shop.call('reschedule_appointment', input)
    const now = { provider: 'Aoife Ní Bhriain', start, end: at(13, '18:30'), status: 'Booked' }
    expect(moved).toEqual({ appointment_id, ...now, client_notified: true })
    expect(await listed(13, appointment_id)).toEqual({ ...before, ...now })
    expect(await listed(6, appointment_id)).toBeUndefined()
  })

  test('keeps what is left out, and the client is not told unless wanted', async () => {
    const timed = await shop.call('reschedule_appointment', { appointment_id, start: `${dayFromNow(6)}T21:00:00Z` })
    expect(timed).toMatchObject({ provider: 'Thaís Nóbrega', start: at(6, '18:00'), client_notified: false })
    const handed = await shop.call('reschedule_appointment', { appointment_id, provider_id: 'c1000005' })
    expect(handed).toMatchObject({ provider: 'Aoife Ní Bhriain', start: at(6, '18:00'), client_notified: false })
    expect(values(await effects(), 'told')).toEqual(['nobody', 'nobody'])
  })

  test.each([
    ['NOTHING_MOVED', { provider_id: 'c1000002' }],
    ['CREW_CANNOT', { provider_id: 'c1000004' }],
    ['CREW_NOT_FOUND', { provider_id: 'c9' }],
    ['NOT_AN_OPENING', { start: at(6, '18:05') }],
    ['TIME_INVALID', { start: `${dayFromNow(6)}T18:00:01-03:00` }],
    ['VISIT_NOT_FOUND', { appointment_id: 'v2000304', start: at(6, '18:00') }],
  ])('is not moved: %s', async (code, more) => {
    expect(await shop.refused('reschedule_appointment', { appointment_id, ...more })).toBe(code)
    expect(await effects()).toEqual([])
  })

  test('is not moved to where somebody is busy', async () => {
    await shop.call(
      'book_appointment',
      booking({ service_id: 't1000013', provider_id: 'c1000002', start: at(6, '18:00') }),
    )
    expect(await shop.refused('reschedule_appointment', { appointment_id, start: at(6, '18:00') })).toBe('TIME_TAKEN')
  })

  test('is cancelled once and for good, and its slot is free again', async () => {
    const before = await listed(6, appointment_id)
    const answer = await shop.call('cancel_appointment', { appointment_id, notify_client: true })
    const { client: _client, service: _service, ...kept } = before!
    expect(answer).toEqual({ ...kept, status: 'Cancelled', client_notified: true })
    expect(await listed(6, appointment_id)).toEqual({ ...before, status: 'Cancelled' })
    const free = { service_id: 't1000010', provider_id: 'c1000002', from: dayFromNow(6), to: dayFromNow(6) }
    expect(await slotTimes(free)).toContain(before?.['start'])
    expect(await shop.refused('cancel_appointment', { appointment_id })).toBe('NOT_BOOKED')
    expect(await shop.refused('reschedule_appointment', { appointment_id, start: at(9, '17:00') })).toBe('NOT_BOOKED')
  })

  test('is cancelled without a word by default, also of a client whom nothing reaches', async () => {
    const quiet = await shop.call('cancel_appointment', { appointment_id })
    expect(quiet).toMatchObject({ client_notified: false })
    const unreachable = { appointment_id: 'v1000301', notify_client: true }
    expect(await shop.call('cancel_appointment', unreachable)).toMatchObject({ client_notified: false })
    expect(await shop.refused('cancel_appointment', { appointment_id: 'v9' })).toBe('VISIT_NOT_FOUND')
  })

  test.each(['Arrived', 'In the chair', 'Completed', 'No-show', 'Cancelled'])(
    'that is %s is neither moved nor cancelled',
    async (status) => {
      const span = { from: dayFromNow(-30), to: dayFromNow(0), status }
      const [found] = await shop.rows('list_appointments', 'appointments', span)
      const input = { appointment_id: found?.['appointment_id'] }
      expect(await shop.refused('cancel_appointment', input)).toBe('NOT_BOOKED')
      expect(await shop.refused('reschedule_appointment', { ...input, start: at(9, '17:00') })).toBe('NOT_BOOKED')
    },
  )
})

describe('the waitlist', () => {
  const waits = (more: Row = {}): Row => ({
    client_id: 'g1000081',
    service_id: 't1000009',
    provider_id: 'c1000003',
    date: dayFromNow(14),
    ...more,
  })

  test('takes a client for a service, a provider or any, and a day, once', async () => {
    const made = await shop.call('add_to_waitlist', waits())
    const expected = { client: 'Ana Eriksen', service: 'Balayage', date: dayFromNow(14) }
    expect(made).toMatchObject({ ...expected, provider: 'Øyvind Skår' })
    expect(await entry(made['waitlist_entry_id'])).toEqual(made)
    expect(await shop.refused('add_to_waitlist', waits())).toBe('ALREADY_WAITING')
    const { provider_id: _provider, ...anybody } = waits({ date: localDay(366) })
    const other = await shop.call('add_to_waitlist', anybody)
    expect(other).toMatchObject({ provider: 'any', date: localDay(366) })
    expect(await shop.call('add_to_waitlist', waits({ date: localDay(0) }))).toMatchObject({ date: localDay(0) })
    expect(await entry(other['waitlist_entry_id'])).toEqual(other)
  })

  test.each([
    ['DAY_OUT_OF_REACH', { date: localDay(-1) }],
    ['DAY_OUT_OF_REACH', { date: localDay(367) }],
    ['CREW_CANNOT', { provider_id: 'c1000002' }],
    ['CREW_NOT_FOUND', { provider_id: 'c9' }],
    ['GUEST_NOT_FOUND', { client_id: 'g9' }],
    ['TREATMENT_NOT_FOUND', { service_id: 't9' }],
  ])('refuses with %s: %o', async (code, more) => {
    expect(await shop.refused('add_to_waitlist', waits(more))).toBe(code)
    expect(await effects()).toEqual([])
  })

  test("alerts those who are chosen, in the business's words or the app's, also again and of other locations", async () => {
    const [away] = await shop.rows('list_waitlist', 'entries', { location_id: 'b1000037' })
    const waitlist_entry_ids = ['w1000447', 'w1000446', String(away?.['waitlist_entry_id'])]
    const message = 'Um lugar às 11h?\n& <b>"1"</b>; a=b, 😀'
    expect(await shop.call('notify_waitlist', { waitlist_entry_ids, message })).toEqual({ waitlist_entry_ids })
    const again = { waitlist_entry_ids: ['w1000446'] }
    expect(await shop.call('notify_waitlist', again)).toEqual(again)
    expect(await effects()).toMatchObject([
      { action: 'waiting.alerted', entries: waitlist_entry_ids, words: message },
      { action: 'waiting.alerted', entries: ['w1000446'], words: '' },
    ])
  })

  test.each([
    ['DAY_OVER', 'w1000426'],
    ['GUEST_UNREACHABLE', 'w1000430'],
    ['ENTRY_NOT_FOUND', 'w9'],
  ])('alerts all or none: %s', async (code, bad) => {
    expect(await shop.refused('notify_waitlist', { waitlist_entry_ids: ['w1000446', bad] })).toBe(code)
    expect(await effects()).toEqual([])
  })

  test('alerts fifty at once', async () => {
    const bad = new Set(['w1000426', 'w1000427', 'w1000428', 'w1000430', 'w1000475'])
    const all = values(await shop.rows('list_waitlist', 'entries', {}), 'waitlist_entry_id').map(String)
    const waitlist_entry_ids = all.filter((one) => !bad.has(one)).slice(0, 50)
    expect(await shop.call('notify_waitlist', { waitlist_entry_ids })).toEqual({ waitlist_entry_ids })
  })
})

describe('words to clients', () => {
  test.each([true, false, undefined])('a reply in the chat is its latest message; booking link: %s', async (link) => {
    const input = { conversation_id: 'k1001056', message: 'Ça marche !\r\n& <b>olá</b> 😀' }
    const answer = await shop.call('reply_to_client', {
      ...input,
      ...(link === undefined ? {} : { include_booking_link: link }),
    })
    expect(answer).toMatchObject({ conversation_id: 'k1001056', last_message: 'Ça marche !\n& <b>olá</b> 😀' })
    expect(answer['booking_link']).toEqual(
      link === true ? expect.stringMatching(/^http:\/\/\S+\/salon\/book\/\S+$/) : null,
    )
    const [first] = await shop.rows('list_conversations', 'conversations', { limit: 1 })
    const { booking_link: _link, ...row } = answer
    expect(first).toEqual({ ...row, client: 'Zoë O’Malley', unread: false })
    const unread = await shop.rows('list_conversations', 'conversations', { unread_only: true, limit: 50 })
    expect(values(unread, 'conversation_id')).not.toContain('k1001056')
  })

  test('a review is replied to once', async () => {
    const input = { review_id: 'r1000555', reply: 'Thank you, Renée!\n"See" you & <soon>; 😀' }
    expect(await shop.call('reply_to_review', input)).toEqual({ review_id: 'r1000555', replied: true })
    const all = await shop.rows('list_reviews', 'reviews', {})
    expect(all.find(({ review_id }) => review_id === 'r1000555')).toMatchObject({ replied: true })
    const open = await shop.rows('list_reviews', 'reviews', { unanswered_only: true })
    expect(values(open, 'review_id')).not.toContain('r1000555')
    expect(await shop.refused('reply_to_review', input)).toBe('ALREADY_ANSWERED')
    expect(await effects()).toMatchObject([{ review: 'r1000555', words: input.reply }])
  })

  test('blank words, and chats and reviews of nobody, are refused', async () => {
    expect(await shop.refused('reply_to_client', { conversation_id: 'k1001056', message: ' ' })).toBe('FIELD_REQUIRED')
    expect(await shop.refused('reply_to_client', { conversation_id: 'k9', message: 'x' })).toBe('TALK_NOT_FOUND')
    expect(await shop.refused('reply_to_review', { review_id: 'r1000555', reply: ' ' })).toBe('FIELD_REQUIRED')
    expect(await shop.refused('reply_to_review', { review_id: 'r9', reply: 'x' })).toBe('REVIEW_NOT_FOUND')
    expect(await effects()).toEqual([])
  })
})

test('nothing of one business is changed by another', async () => {
  for (const [name, input, code] of [
    ['book_appointment', booking(), 'GUEST_NOT_FOUND'],
    ['reschedule_appointment', { appointment_id: 'v1000304', start: at(6, '18:00') }, 'VISIT_NOT_FOUND'],
    ['cancel_appointment', { appointment_id: 'v1000304' }, 'VISIT_NOT_FOUND'],
    ['add_to_waitlist', { client_id: 'g1000081', service_id: 't1000009', date: dayFromNow(14) }, 'GUEST_NOT_FOUND'],
    ['notify_waitlist', { waitlist_entry_ids: ['w1000446'] }, 'ENTRY_NOT_FOUND'],
    ['reply_to_client', { conversation_id: 'k1001056', message: 'x' }, 'TALK_NOT_FOUND'],
    ['reply_to_review', { review_id: 'r1000555', reply: 'x' }, 'REVIEW_NOT_FOUND'],
  ] as const)
    expect(await shop.refused(name, input, 'stranger')).toBe(code)
  expect(await effects()).toEqual([])
})

describe('inputs', () => {
  const from = dayFromNow(5)
  const ids = (size: number) => Array.from({ length: size }, (_, index) => `w${index + 1}`)
  const good: readonly (readonly [string, Row])[] = [
    ['list_locations', {}],
    ['list_services', {}],
    ['list_appointments', { from }],
    ['search_availability', { service_id: 't1', from }],
    ['find_client', { query: 'x'.repeat(200), limit: 1 }],
    ['find_client', { query: 'x', limit: 50 }],
    ['list_waitlist', { location_id: 'b1', date: from }],
    ['list_conversations', { limit: 1, unread_only: true }],
    ['list_conversations', { limit: 50 }],
    ['list_reviews', { location_id: 'b1', since: from, unanswered_only: false }],
    ['book_appointment', booking()],
    ['reschedule_appointment', { appointment_id: 'v1', provider_id: 'c1' }],
    ['cancel_appointment', { appointment_id: 'v1', notify_client: false }],
    ['add_to_waitlist', { client_id: 'g1', service_id: 't1', date: from }],
    ['notify_waitlist', { waitlist_entry_ids: ids(50), message: 'é'.repeat(500) }],
    ['notify_waitlist', { waitlist_entry_ids: ids(1) }],
    ['reply_to_client', { conversation_id: 'k1', message: 'x'.repeat(2000), include_booking_link: false }],
    ['reply_to_review', { review_id: 'r1', reply: 'x'.repeat(1000) }],
  ]
  test.each(good)('%s takes %o', (name, input) => expect(shop.takes(name, input)).toBe(true))

  test.each(good)('%s takes nothing else, and needs what it needs', (name, input) => {
    expect(shop.takes(name, { ...input, surprise: 1 })).toBe(false)
    const schema = shop.app.endpoints.get(name)!.inputSchema as { required?: string[] }
    for (const needed of schema.required ?? [])
      expect(shop.takes(name, Object.fromEntries(Object.entries(input).filter(([key]) => key !== needed)))).toBe(false)
  })

  test.each([
    ['list_appointments', { from, status: 'bk' }],
    ['list_appointments', { from, status: 'all' }],
    ['list_appointments', { from: '31 Dec 2026' }],
    ['list_appointments', { from: '2026-02-30' }],
    ['search_availability', { service_id: '', from }],
    ['find_client', { query: '' }],
    ['find_client', { query: '  ' }],
    ['find_client', { query: 'x'.repeat(201) }],
    ['find_client', { query: 'x', limit: 0 }],
    ['find_client', { query: 'x', limit: 51 }],
    ['list_conversations', { limit: 0 }],
    ['list_conversations', { limit: 51 }],
    ['list_conversations', { unread_only: 'yes' }],
    ['book_appointment', booking({ start: `${from}T17:00:00` })],
    ['notify_waitlist', { waitlist_entry_ids: [] }],
    ['notify_waitlist', { waitlist_entry_ids: ids(51) }],
    ['notify_waitlist', { waitlist_entry_ids: ['w1', 'w1'] }],
    ['notify_waitlist', { waitlist_entry_ids: ids(1), message: '' }],
    ['notify_waitlist', { waitlist_entry_ids: ids(1), message: 'x'.repeat(501) }],
    ['reply_to_client', { conversation_id: 'k1', message: '' }],
    ['reply_to_client', { conversation_id: 'k1', message: 'x'.repeat(2001) }],
    ['reply_to_review', { review_id: 'r1', reply: '' }],
    ['reply_to_review', { review_id: 'r1', reply: 'x'.repeat(1001) }],
  ])('%s does not take %o', (name, input) => expect(shop.takes(name, input)).toBe(false))

  test('the longest texts arrive whole', async () => {
    const message = '😀'.repeat(2000)
    const answer = await shop.call('reply_to_client', { conversation_id: 'k1001056', message })
    expect(answer['last_message']).toBe(message)
    await shop.call('notify_waitlist', { waitlist_entry_ids: ['w1000446'], message: '😀'.repeat(500) })
    await shop.call('reply_to_review', { review_id: 'r1000555', reply: '😀'.repeat(1000) })
  })

  test('writes that reach clients or the public wait for approval, the waitlist does not', () => {
    const waiting = [...shop.app.endpoints.values()].filter(({ confirm }) => confirm).map(({ name }) => name)
    expect(waiting.toSorted()).toEqual([
      'book_appointment',
      'cancel_appointment',
      'notify_waitlist',
      'reply_to_client',
      'reply_to_review',
      'reschedule_appointment',
    ])
  })
})
