import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { all, book, day, farelune, guest, rest, tripOf, walk, type Item } from './tour-supplier-supplier.ts'
import type { AppPerson, OpenApp } from './open-app.ts'

let run: OpenApp
let me: AppPerson
beforeAll(async () => {
  run = await farelune()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await run.newcomer()
})

const keyOf = ({ day: on, start, orderNo }: Item): string => [on, start, orderNo].join(' ')
const ids = (items: Item[]): unknown[] => items.map((item) => Object.values(item)[0])

test('orders are those of the days, the state and the activity, by day and start; today and a week by default', async () => {
  const wide = await all(me, `/orders?state=ANY&first=${day(-20)}&last=${day(30)}`)
  expect(wide.map(keyOf)).toEqual(wide.map(keyOf).toSorted())
  const { activity } = await walk(me)
  const [live, own, late] = [
    await all(me, `/orders?first=${day(-20)}&last=${day(30)}`, 17),
    await all(me, `/orders?state=VOID&activity=${activity}&first=${day(-20)}&last=${day(30)}`),
    await all(me, `/orders?state=ANY&first=${day(3)}&last=${day(4)}`),
  ]
  expect(live).toEqual(wide.filter(({ state }) => state === 'LIVE'))
  expect(own).toEqual(wide.filter((order) => order['state'] === 'VOID' && order['activityId'] === activity))
  expect(late).toEqual(wide.filter((order) => order['day'] === day(3) || order['day'] === day(4)))
  for (const some of [live, own, late]) expect([some.length > 0, some.length < wide.length]).toEqual([true, true])
  const { supplier } = await me.read<{ supplier: { today: string } }>(`${rest}/session`)
  const preset = await me.read(`${rest}/orders`)
  expect(preset['first']).toBe(supplier.today)
  expect((preset['items'] as Item[]).length).toBe(25)
  expect(await me.denied(`${rest}/orders?first=${day(1)}&last=${day(0)}`)).toEqual([400, 'SPAN_BACKWARDS'])
})

test('orders read one by one while guests book: none twice, none missing', async () => {
  const path = `/orders?first=${day(2)}&last=${day(4)}`
  const before = ids(await all(me, path))
  expect(before.length).toBeGreaterThan(25)
  let booked = 0
  const seen = ids(await all(me, path, 1, async () => booked++ < 6 && (await book(me, day(2 + (booked % 3))))))
  expect(new Set(seen).size).toBe(seen.length)
  expect(before.filter((id) => !seen.includes(id))).toEqual([])
  expect((await all(me, path)).length).toBe(before.length + 6)
})

test('threads come by their last message, and stay in place while some are written to', async () => {
  const whole = await all(me, '/threads', 23)
  const times = whole.map(({ lastEpoch }) => Number(lastEpoch))
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  const unseen = await all(me, '/threads?show=unseen')
  expect(unseen).toEqual(whole.filter((thread) => Number(thread['unseen']) > 0))
  expect(unseen.length).toBeLessThan(whole.length)
  const [last] = unseen.slice(-1)
  const trip = await tripOf(me, last?.['orderNo'])
  const seen = await all(me, '/threads?show=unseen', 1, () => guest(me, `${trip}/words`, { words: 'Again!' }))
  expect(ids(seen)).toEqual(ids(unseen))
  expect((await all(me, '/threads'))[0]).toMatchObject({ threadId: last?.['threadId'], lastWords: 'Again!' })
})

test('feedback comes newest first, by activity, day and answer, and stays in place while guests rate', async () => {
  const whole = await all(me, '/feedback', 31)
  const days = whole.map((one) => String(one['day']))
  expect(days).toEqual(days.toSorted().toReversed())
  const activity = String(whole[3]?.['activityId'])
  const [open, late, own] = [
    await all(me, '/feedback?show=open'),
    await all(me, `/feedback?first=${day(-30)}`),
    await all(me, `/feedback?activity=${activity}&show=open`),
  ]
  expect(open).toEqual(whole.filter(({ answer }) => answer === null))
  expect(late).toEqual(whole.filter((one) => String(one['day']) >= day(-30)))
  expect(own).toEqual(open.filter((one) => one['activityId'] === activity))
  for (const some of [open, late, own]) expect([some.length > 0, some.length < whole.length]).toEqual([true, true])
  const gone = await all(me, `/orders?first=${day(-40)}&last=${day(-3)}`)
  const rated = new Set(whole.map(({ orderNo }) => orderNo))
  const trips: string[] = []
  for (const order of gone.filter(({ orderNo }) => !rated.has(orderNo)).slice(0, 3)) {
    trips.push(await tripOf(me, order['orderNo']))
  }
  const seen = await all(me, '/feedback?first=' + day(-30), 2, async () => {
    const trip = trips.pop()
    if (trip !== undefined) await guest(me, `${trip}/rate`, { stars: '4', words: 'Late, but good' })
  })
  expect(ids(seen)).toEqual(ids(late))
  expect((await all(me, '/feedback'))[0]).toMatchObject({ stars: 4, words: 'Late, but good', answer: null })
})

test('activities are those on sale unless others are asked for, and insights add up to the orders of the span', async () => {
  const stage = async (name: string): Promise<Item[]> =>
    (await me.read<{ items: Item[] }>(`${rest}/activities${name}`)).items
  const [every, online, offline] = [await stage('?stage=ANY'), await stage(''), await stage('?stage=OFFLINE')]
  expect(online).toEqual(every.filter((one) => one['stage'] === 'ONLINE'))
  expect(offline).toEqual(every.filter((one) => one['stage'] === 'OFFLINE'))
  const span = `first=${day(-9)}&last=${day(4)}`
  const orders = await all(me, `/orders?state=ANY&${span}`)
  const { items } = await me.read<{ items: { activityId: string; metrics: Item }[] }>(`${rest}/insights?${span}`)
  expect(items.map(({ activityId }) => activityId)).toEqual(ids(every))
  for (const { activityId, metrics } of items) {
    const own = orders.filter((order) => order['activityId'] === activityId)
    const live = own.filter(({ state }) => state === 'LIVE')
    expect(metrics).toMatchObject({ orders: live.length, cancelled: own.length - live.length })
  }
  const [, second] = items
  const alone = await me.read(`${rest}/insights?${span}&activity=${second?.activityId}`)
  expect(alone['items']).toEqual([second])
})

test.each([
  ['/orders?size=0', 'PARAM_INVALID'],
  ['/orders?state=live', 'PARAM_INVALID'],
  ['/orders?first=2026-12-31', 'PARAM_INVALID'],
  ['/orders?status=ANY', 'PARAM_UNKNOWN'],
  ['/threads?after=12_5-abc', 'AFTER_UNKNOWN'],
  ['/insights?first=20260101', 'PARAM_INVALID'],
  ['/feedback?show=unseen', 'PARAM_INVALID'],
])('%s is refused with %s', async (path, code) => {
  expect(await me.denied(rest + path)).toEqual([400, code])
})
