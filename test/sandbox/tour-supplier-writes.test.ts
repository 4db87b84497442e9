import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { all, book, day, farelune, guest, rest, tripOf, walk, type Item } from './tour-supplier-supplier.ts'
import type { AppPerson, OpenApp } from './open-app.ts'
import { codeOf } from './visitor.ts'

let run: OpenApp
let me: AppPerson
let variant: string
beforeAll(async () => {
  run = await farelune()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await run.newcomer()
  variant = (await walk(me)).variant
})

const seatsPath = (on: string): string => `${rest}/variants/${variant}/seats/${on}`
const set = (on: string, ...departures: unknown[]) => me.wrote<Item>('PUT', seatsPath(on), { departures })

async function seatsOn(on: string): Promise<Item[]> {
  const path = `${rest}/variants/${variant}/seats?first=${on}&last=${on}`
  const { calendar } = await me.read<{ calendar: { departures: Item[] }[] }>(path)
  return calendar[0]?.departures ?? []
}

const refusedForm = async (path: string, fields: Record<string, string>): Promise<[number, string | undefined]> => {
  const response = await me.form(path, fields)
  return [response.status, await codeOf(response)]
}

test('no seats shut a departure, some open it again, and orders stay as they are', async () => {
  const on = day(300)
  const trip = await book(me, on, { adults: '2', children: '1' })
  const { departures, orders } = await set(on, { start: '0900', free: 0 }, { start: '1500', free: 7 })
  expect(departures).toEqual([
    { start: '0900', free: 0, taken: 3, gate: 'SHUT' },
    { start: '1130', free: 18, taken: 0, gate: 'OPEN' },
    { start: '1500', free: 7, taken: 0, gate: 'OPEN' },
  ])
  expect(orders).toBe(1)
  expect(await seatsOn(on)).toEqual(departures)
  expect(await all(me, `/orders?first=${on}&last=${on}`)).toMatchObject([{ pax: { adults: 2, children: 1 } }])
  await expect(book(me, on)).rejects.toThrow('SOLD_OUT')
  await set(on, { start: '0900', free: 2 })
  await book(me, on)
  await guest(me, `${trip}/cancel`)
  await expect(guest(me, `${trip}/cancel`)).rejects.toThrow('ORDER_VOID')
  expect((await seatsOn(on))[0]).toEqual({ start: '0900', free: 4, taken: 1, gate: 'OPEN' })
  expect((await run.effects(me)).map(({ action, body }) => [action, body])).toEqual([
    [
      'seats.set',
      {
        variantId: variant,
        day: on,
        departures: [
          { start: '0900', free: 0 },
          { start: '1500', free: 7 },
        ],
      },
    ],
    ['seats.set', { variantId: variant, day: on, departures: [{ start: '0900', free: 2 }] }],
  ])
  const other = day(299)
  const response = await me.form(`/extranet/variants/${variant}/seats`, { day: other, free_1130: '5', free_0900: '' })
  expect(response.headers.get('location')).toContain(`done=seats&day=${other}`)
  expect((await seatsOn(other)).map(({ free }) => free)).toEqual([18, 5, 18])
})

test('a departure that is shut stays shut and without seats when an order of it is cancelled', async () => {
  const on = day(298)
  const trip = await book(me, on, { adults: '2' })
  await set(on, { start: '0900', free: 0 })
  await guest(me, `${trip}/cancel`)
  expect((await seatsOn(on))[0]).toEqual({ start: '0900', free: 0, taken: 0, gate: 'SHUT' })
})

test('wrong seats are refused, and nothing is half done', async () => {
  const on = day(200)
  const before = await seatsOn(on)
  const fine = { start: '0900', free: 1 }
  const bodies: [unknown, string][] = [
    [{ departures: [] }, 'DEPARTURES_REQUIRED'],
    [{ departures: { '0900': 1 } }, 'DEPARTURES_REQUIRED'],
    [{ departures: [fine], note: '' }, 'FIELD_UNKNOWN'],
    [{ departures: [fine, { ...fine, gate: 'SHUT' }] }, 'FIELD_UNKNOWN'],
    [{ departures: [fine, { start: '09:00', free: 1 }] }, 'START_INVALID'],
    [{ departures: [fine, { start: '1130', free: -1 }] }, 'FREE_INVALID'],
    [{ departures: [fine, { start: '1130', free: '1' }] }, 'FREE_INVALID'],
    [{ departures: [fine, { start: '1130', free: 1000 }] }, 'FREE_INVALID'],
    [{ departures: [fine, { start: '1131', free: 1 }] }, 'DEPARTURE_UNKNOWN'],
    [{ departures: [fine, fine] }, 'DEPARTURE_TWICE'],
  ]
  for (const [body, code] of bodies) expect(await me.refused('PUT', seatsPath(on), body)).toEqual([422, code])
  const wish = { departures: [fine] }
  expect(await me.refused('PUT', seatsPath('20260231'), wish)).toEqual([422, 'DAY_INVALID'])
  expect(await me.refused('PUT', seatsPath(day(-2)), wish)).toEqual([422, 'DAY_PASSED'])
  expect(await me.refused('PUT', seatsPath(day(800)), wish)).toEqual([422, 'DAY_TOO_FAR'])
  expect(await me.refused('PUT', seatsPath(on), ['no object'])).toEqual([400, 'BODY_INVALID'])
  const { items } = await me.read<{ items: { variants: { variantId: string }[] }[] }>(`${rest}/activities`)
  const lights = `${rest}/variants/${items[2]?.variants[0]?.variantId}/seats`
  const midnight = { departures: [{ start: '0000', free: 1 }] }
  expect(await me.refused('PUT', `${lights}/${day(0)}`, midnight)).toEqual([409, 'DEPARTED'])
  expect(await seatsOn(on)).toEqual(before)
  expect(await run.effects(me)).toEqual([])
})

test('prices hold from their day on, replace later steps, and leave orders alone', async () => {
  const path = `/extranet/variants/${variant}/tariff`
  const steps = async (): Promise<Item[]> =>
    (await me.read<{ steps: Item[] }>(`${rest}/variants/${variant}/tariff`)).steps
  const [base] = (await steps()) as [Item]
  await book(me, day(250))
  const first = await me.form(path, { adults: '7777', starting: day(240) })
  const { searchParams } = new URL(first.headers.get('location') ?? '', me.base)
  expect(Object.fromEntries(searchParams)).toMatchObject({
    ...{ done: 'tariff', starting: day(240), adults: '7777', children: String(base['children']) },
  })
  await me.form(path, { adults: '8888', children: '0', starting: day(230) })
  expect(await steps()).toEqual([base, { starting: day(230), adults: 8888, children: 0 }])
  await book(me, day(250))
  const prices: unknown[] = []
  for (const { orderNo } of await all(me, `/orders?first=${day(250)}&last=${day(250)}`)) {
    prices.push((await me.read<{ retail: Item }>(`${rest}/orders/${String(orderNo)}`)).retail['minor'])
  }
  expect(prices).toEqual([base['adults'], 8888])
  await me.form(path, { children: '100' })
  const { items } = await me.read<{ items: { variants: { tariff: Item }[] }[] }>(`${rest}/activities`)
  expect(items[0]?.variants[0]?.tariff).toMatchObject({ adults: base['adults'], children: 100 })
  expect(await run.effects(me)).toHaveLength(3)
})

test.each([
  [{}, 'PRICE_REQUIRED'],
  [{ adults: '0' }, 'PRICE_INVALID'],
  [{ adults: '12.50' }, 'PRICE_INVALID'],
  [{ adults: '100', children: '10000001' }, 'PRICE_INVALID'],
  [{ adults: '100', starting: '2026-12-31' }, 'DAY_INVALID'],
  [{ adults: '100', starting: day(-3) }, 'DAY_PASSED'],
  [{ adults: '100', seniors: '90' }, 'FIELD_UNKNOWN'],
])('the prices %j are refused with %s', async (fields, code) => {
  expect(await refusedForm(`/extranet/variants/${variant}/tariff`, fields)).toEqual([422, code])
  expect(await run.effects(me)).toEqual([])
})

test('an answer reaches the guest as it was written, and leaves nothing unread', async () => {
  const [thread] = await all(me, '/threads?show=unseen')
  const id = String(thread?.['threadId'])
  const words = '  שלום! <b>See you</b> & "bring" water 💧\nBye '
  const response = await me.form(`/extranet/threads/${id}/answer`, { words })
  const messageId = /sent=(6\d+)&epoch=\d+$/.exec(response.headers.get('location') ?? '')?.[1]
  const after = await me.read<Item & { messages: Item[] }>(`${rest}/threads/${id}`)
  expect(after).toMatchObject({ unseen: 0, lastWords: words })
  expect(after.messages.at(-1)).toMatchObject({ messageId, side: 'SUPPLIER', words })
  expect((await all(me, '/threads'))[0]?.['threadId']).toBe(id)
  expect((await all(me, '/outbox'))[0]).toMatchObject({ kind: 'ANSWER', words, about: thread?.['orderNo'] })
  await guest(me, `${await tripOf(me, thread?.['orderNo'])}/words`, { words: 'One more thing' })
  expect((await all(me, '/threads?show=unseen'))[0]).toMatchObject({ threadId: id, unseen: 1 })
  for (const [bad, code] of [
    [{}, 'WORDS_REQUIRED'],
    [{ words: ' \n' }, 'WORDS_REQUIRED'],
    [{ words: 'x'.repeat(2001) }, 'WORDS_TOO_LONG'],
    [{ words: 'Hi', to: 'x' }, 'FIELD_UNKNOWN'],
  ] as const) {
    expect(await refusedForm(`/extranet/threads/${id}/answer`, bad)).toEqual([422, code])
  }
  expect(await run.effects(me)).toMatchObject([{ action: 'thread.answered', body: { threadId: id, messageId, words } }])
})

test('feedback is answered once, for everybody to read', async () => {
  const [one, two] = (await all(me, '/feedback?show=open')) as [Item, Item]
  const path = `${rest}/feedback/${String(one['feedbackId'])}/answer`
  const words = 'شكرا جزيلا — à bientôt'
  expect(await me.wrote('POST', path, { words })).toMatchObject({
    ...one,
    answer: words,
    answeredEpoch: expect.any(Number),
  })
  expect((await all(me, '/feedback')).find(({ feedbackId }) => feedbackId === one['feedbackId'])?.['answer']).toBe(
    words,
  )
  expect(await me.refused('POST', path, { words: 'Again' })).toEqual([409, 'FEEDBACK_ANSWERED'])
  const next = `${rest}/feedback/${String(two['feedbackId'])}/answer`
  expect(await me.refused('POST', next, { words: 7 })).toEqual([422, 'WORDS_INVALID'])
  expect(await me.refused('POST', next, { words: 'x'.repeat(1001) })).toEqual([422, 'WORDS_TOO_LONG'])
  expect(await me.refused('POST', next, { words: 'Hi', stars: 5 })).toEqual([422, 'FIELD_UNKNOWN'])
  expect((await all(me, '/outbox'))[0]).toMatchObject({ kind: 'FEEDBACK_ANSWER', words, about: one['feedbackId'] })
  expect((await me.form(`/extranet/feedback/${String(two['feedbackId'])}/answer`, { words })).status).toBe(303)
  expect((await run.effects(me)).map(({ action }) => action)).toEqual(['feedback.answered', 'feedback.answered'])
})

test('dispatchers may not touch prices nor see insights, guides may only look at orders, activities and seats', async () => {
  for (const kind of ['dispatcher', 'guide']) {
    me = await run.newcomer(kind)
    variant = (await walk(me)).variant
    expect(await refusedForm(`/extranet/variants/${variant}/tariff`, { adults: '100' })).toEqual([403, 'RIGHT_MISSING'])
    expect(await me.denied(`${rest}/insights?first=20260101&last=20260102`)).toEqual([403, 'RIGHT_MISSING'])
    expect((await all(me, '/orders')).length).toBeGreaterThan(60)
  }
  for (const path of ['/threads', '/feedback']) expect(await me.denied(rest + path)).toEqual([403, 'RIGHT_MISSING'])
  const wish = { departures: [{ start: '0900', free: 1 }] }
  expect(await me.refused('PUT', seatsPath(day(5)), wish)).toEqual([403, 'RIGHT_MISSING'])
  expect(await me.refused('POST', `${rest}/feedback/41/answer`, { words: 'Hi' })).toEqual([403, 'RIGHT_MISSING'])
  expect(await run.effects(me)).toEqual([])
})
