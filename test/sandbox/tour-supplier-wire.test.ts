import { afterAll, beforeAll, expect, test } from 'vitest'
import { all, day, farelune, rest, walk, type Item } from './tour-supplier-supplier.ts'
import { namesIn, type AppPerson, type OpenApp } from './open-app.ts'

let run: OpenApp
let demo: AppPerson
beforeAll(async () => {
  run = await farelune()
  demo = await run.person()
})
afterAll(() => run[Symbol.asyncDispose]())

/** The field names of the documents for this app. */
const documented = `booking_reference product_id option_id date time status travelers adult child product price amount
  currency lead_traveler name language title options price_categories slots vacancies booked conversation_id traveler unread
  last_message updated_at review_id rating text reply figures bookings from to cursor next_cursor products days unread_only
  limit conversations since unanswered_only reviews bookings_on_date prices valid_from`.split(/\s+/)

async function everything(me: AppPerson): Promise<Record<string, Item[]>> {
  return {
    orders: await all(me, `/orders?state=ANY&first=${day(-3)}&last=${day(10)}`),
    activities: (await me.read<{ items: Item[] }>(`${rest}/activities?stage=ANY`)).items,
    threads: await all(me, '/threads'),
    feedback: await all(me, '/feedback'),
  }
}

test('at least half of the names on the wire are the app’s own, and so are days, times and money', async () => {
  const { variant } = await walk(demo)
  const [order] = await all(demo, '/orders')
  const [thread] = await all(demo, '/threads')
  const span = `first=${day(1)}&last=${day(2)}`
  const paths = [
    ...[
      'session',
      'orders',
      `orders/${String(order?.['orderNo'])}`,
      'activities',
      'threads',
      `threads/${String(thread?.['threadId'])}`,
    ],
    ...['feedback', `variants/${variant}/seats?${span}`, `variants/${variant}/tariff`, `insights?${span}`, 'outbox'],
  ]
  const names = new Set<string>()
  for (const path of paths) namesIn(await demo.read(`${rest}/${path}`), names)
  expect(names.size).toBeGreaterThan(50)
  const shared = documented.filter((name) => names.has(name))
  expect(shared.length).toBeLessThanOrEqual(documented.length / 2)
  expect(shared.length).toBeLessThanOrEqual(names.size / 2)
  expect(order).toMatchObject({ day: expect.stringMatching(/^\d{8}$/), start: expect.stringMatching(/^\d{4}$/) })
  const full = await demo.read(`${rest}/orders/${String(order?.['orderNo'])}`)
  expect(full).toMatchObject({ ...order, retail: { minor: expect.any(Number), cur: 'EUR', digits: 2 } })
})

test('seeds hold what is awkward: accents, right-to-left text, zones, empty and very long texts, every state', async () => {
  const { orders = [], activities = [], threads = [], feedback = [] } = await everything(demo)
  const values = (items: Item[], name: string): unknown[] => items.map((item) => item[name])
  expect(new Set(values(orders, 'state'))).toEqual(new Set(['LIVE', 'VOID']))
  expect(new Set(values(orders, 'zone')).size).toBeGreaterThan(5)
  expect(new Set(values(activities, 'stage'))).toEqual(new Set(['ONLINE', 'OFFLINE']))
  expect(new Set(values(feedback, 'stars'))).toEqual(new Set([1, 2, 3, 4, 5]))
  expect(values(feedback, 'answer').filter((answer) => answer === null).length).toBeGreaterThan(60)
  expect(values(feedback, 'words')).toContain('')
  expect(values(threads, 'lastWords')).toContain('')
  for (const list of [await all(demo, '/orders'), threads, feedback]) expect(list.length).toBeGreaterThan(60)
  const lengths = values(feedback, 'words').map((words) => String(words).length)
  expect(Math.max(...lengths)).toBeGreaterThan(3000)
  for (const awkward of [/[֐-׿]/, /[؀-ۿ]/, /[À-ſ]/, /<b>/])
    expect(JSON.stringify([activities, feedback])).toMatch(awkward)
  const { variant } = await walk(demo)
  const path = `${rest}/variants/${variant}/seats?first=${day(2)}&last=${day(40)}`
  const { calendar } = await demo.read<{ calendar: { departures: Item[] }[] }>(path)
  const departures = calendar.flatMap((one) => one.departures)
  expect(departures.filter(({ gate }) => gate === 'SHUT').length).toBeGreaterThanOrEqual(3)
  expect(departures.filter(({ gate, free }) => gate === 'OPEN' && free === 0).length).toBeGreaterThanOrEqual(3)
})

test('the same account is seeded alike in another sandbox, and after a reset', async () => {
  const before = await everything(demo)
  const again = await farelune()
  const twin = await again.person()
  expect(await everything(twin)).toEqual(before)
  const [open] = await all(twin, '/feedback?show=open')
  await twin.wrote('POST', `${rest}/feedback/${String(open?.['feedbackId'])}/answer`, { words: 'Gone soon' })
  expect(await everything(twin)).not.toEqual(before)
  await again.reset()
  expect(await everything(twin)).toEqual(before)
  await again[Symbol.asyncDispose]()
})

test('no id is in two accounts, and what belongs to others does not exist', async () => {
  const people = await run.people()
  const seen = new Map<unknown, string>()
  for (const person of people) {
    const lists = await everything(person)
    for (const item of Object.values(lists).flat()) {
      const [id] = Object.values(item)
      expect(seen.get(id) ?? person.account).toBe(person.account)
      seen.set(id, person.account)
    }
  }
  const stranger = await run.person('stranger')
  const [order] = await all(stranger, '/orders')
  const [thread] = await all(stranger, '/threads')
  const [feedback] = await all(stranger, '/feedback?show=open')
  const { activity, variant } = await walk(stranger)
  const reads = [
    [`/orders/${String(order?.['orderNo'])}`, 'ORDER_NOT_FOUND'],
    [`/orders/${String(thread?.['threadId'])}`, 'ORDER_NOT_FOUND'],
    [`/orders?activity=${activity}`, 'ACTIVITY_NOT_FOUND'],
    [`/insights?first=20260101&last=20260102&activity=${activity}`, 'ACTIVITY_NOT_FOUND'],
    [`/variants/${variant}/seats?first=20260101&last=20260102`, 'VARIANT_NOT_FOUND'],
    [`/threads/${String(thread?.['threadId'])}`, 'THREAD_NOT_FOUND'],
  ]
  for (const [path, code] of reads) expect(await demo.denied(`${rest}${path}`)).toEqual([404, code])
  const seats = { departures: [{ start: '0900', free: 1 }] }
  expect((await demo.refused('PUT', `${rest}/variants/${variant}/seats/${day(5)}`, seats))[0]).toBe(404)
  const answer = `${rest}/feedback/${String(feedback?.['feedbackId'])}/answer`
  expect(await demo.refused('POST', answer, { words: 'Hi' })).toEqual([404, 'FEEDBACK_NOT_FOUND'])
  expect((await demo.form(`/extranet/threads/${String(thread?.['threadId'])}/answer`, { words: 'Hi' })).status).toBe(
    404,
  )
  expect((await demo.form(`/extranet/variants/${variant}/tariff`, { adults: '100' })).status).toBe(404)
  expect(await run.effects(demo)).toEqual([])
})
