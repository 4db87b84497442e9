import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cents,
  chalkara,
  day,
  ever,
  everything,
  rowsOf,
  sortable,
  submitted,
  type Row,
} from './teacher-marketplace-shop.ts'
import type { AppPerson, OpenApp } from './open-app.ts'

let run: OpenApp
let demo: AppPerson
beforeAll(async () => {
  run = await chalkara()
  demo = await run.person()
})
afterAll(() => run[Symbol.asyncDispose]())

const nos = (rows: readonly Row[]): number[] => rows.map(({ no }) => no)

const newGood = (who: AppPerson): Promise<unknown> =>
  who.wrote('POST', '/dash/goods', { name: 'New', cost: '$1.00', link: 'https://files.example/a.pdf', shelf: 'live' })

/** A live good of somebody, and what anybody can do with it. */
async function visit(who: AppPerson, end: string, fields: Record<string, string>): Promise<void> {
  const [live] = await rowsOf(who, '/dash/goods?shelf=live')
  const response = await fetch(`${who.base}/g/${live?.no}/${end}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
  })
  if (response.status !== 303) throw new Error(await response.text())
}

test.each([
  ['/dash/goods', newGood],
  ['/dash/goods?shelf=live', newGood],
  [`/dash/sold?${ever}`, (who: AppPerson) => visit(who, 'buy', { mail: 'new@school.example' })],
  ['/dash/asks', (who: AppPerson) => visit(who, 'asks', { asker: 'Li', mail: 'li@school.example', words: '?' })],
])('%s is read to its end one by one, whatever is added meanwhile', async (path, add) => {
  const who = await run.newcomer('starter')
  const before = await everything(who, path, 100)
  expect(before.length).toBeGreaterThan(4)
  expect(await everything(who, path, 1, () => add(who))).toEqual(before)
  const after = await everything(who, path, 100)
  expect(after.slice(1)).toEqual(before)
})

test.each([
  ['/dash/markdowns', '/shop/markdowns', { first: day(60), last: day(61), over: 'whole' }],
  ['/dash/notes', '/shop/notes', { words: 'Hello' }],
  ['/dash/mailbox', '/shop/notes', { words: 'Hello' }],
])('%s does not move when something is added', async (path, form, fields) => {
  const who = await run.newcomer()
  const before = await everything(who, path, 100)
  expect(await everything(who, path, 20, () => submitted(who, form, fields))).toEqual(before)
  expect((await everything(who, path, 100)).length).toBeGreaterThan(before.length)
})

test('a filter stays what it was at its stamp, also when things leave it', async () => {
  const who = await run.newcomer('starter')
  const [live, open] = ['/dash/goods?shelf=live', '/dash/asks?state=open']
  const [goods, asks] = [await everything(who, live, 100), await everything(who, open, 100)]
  const hide = () => submitted(who, `/shop/goods/${goods[0]?.no}/shelf`, { shelf: 'hidden' })
  const reply = () => submitted(who, `/shop/asks/${asks[0]?.no}/reply`, { words: 'Yes' })
  expect(nos(await everything(who, live, 1, hide))).toEqual(nos(goods))
  expect(nos(await everything(who, open, 1, reply))).toEqual(nos(asks))
  expect(nos(await everything(who, live, 1))).toEqual(nos(goods).slice(1))
  expect(nos(await everything(who, open, 1))).toEqual(nos(asks).slice(1))
})

test('goods are found by shelf, sort and drawer, newest first', async () => {
  const all = await everything(demo, '/dash/goods', 100)
  expect(nos(all)).toEqual(nos(all).toSorted((one, other) => other - one))
  for (const [name, values] of Object.entries({
    shelf: ['live', 'hidden'],
    sort: ['download', 'bundle', 'video', 'cloud'],
    drawer: ['', 'Für Français & ESL', 'Math Centers'],
  })) {
    for (const value of values) {
      const found = await everything(demo, `/dash/goods?${name}=${encodeURIComponent(value)}`, 100)
      expect(found).toEqual(all.filter((row) => row[name] === value))
      expect(found.length).toBeGreaterThan(5)
      expect(found.length).toBeLessThan(all.length)
    }
  }
  expect(await rowsOf(demo, '/dash/goods?shelf=live&sort=video&drawer=nothing')).toEqual([])
  const videos = await rowsOf(demo, '/dash/goods?shelf=any&sort=video&per=100')
  const live = await rowsOf(demo, '/dash/goods?shelf=live&sort=video&per=100')
  expect(live).toEqual(videos.filter(({ shelf }) => shelf === 'live'))
  expect(await rowsOf(demo, '/dash/goods?shelf=any&sort=any&per=100')).toEqual(all.slice(0, 100))
})

test('what was sold adds up to the figures, of the shop, of goods and of a good', async () => {
  const all = await everything(demo, `/dash/sold?${ever}`, 100)
  const span = `first=${day(-40)}&last=${day(-10)}`
  const within = await everything(demo, `/dash/sold?${span}`, 100)
  const inside = (row: Row): boolean =>
    sortable(row['day']) >= sortable(day(-40)) && sortable(row['day']) <= sortable(day(-10))
  expect(within).toEqual(all.filter(inside))
  expect(within.length).toBeLessThan(all.length)
  expect(within.map((row) => sortable(row['day']))).toEqual(
    within
      .map((row) => sortable(row['day']))
      .toSorted()
      .reverse(),
  )
  const sum = (rows: Row[]): number => rows.reduce((total, { earned }) => total + cents(earned), 0)
  const [one, two] = [Number(within[0]?.['good']), Number(within[9]?.['good'])]
  for (const goods of [[], [one], [one, two, one]]) {
    const rows = goods.length === 0 ? within : within.filter(({ good }) => goods.includes(Number(good)))
    const figures = await demo.read(`/dash/figures?${span}${goods.map((good) => `&good=${good}`).join('')}`)
    expect(figures).toMatchObject({ first: day(-40), last: day(-10), buyers: 'everyone', sold: rows.length })
    expect(cents(figures['earned'])).toBe(sum(rows))
    const rate = `${((rows.length / Number(figures['looks'])) * 100).toFixed(2)}%`
    expect(figures['rate']).toBe(rate)
    expect(Number(figures['people'])).toBeLessThanOrEqual(rows.length)
  }
  expect(await everything(demo, `/dash/sold?${span}&good=${one}`, 100)).toEqual(
    within.filter(({ good }) => good === one),
  )
  const own = await demo.read(`/dash/goods/${one}/figures?${span}`)
  const same = await demo.read(`/dash/figures?${span}&good=${one}`)
  for (const name of ['earned', 'sold', 'looks', 'rate']) expect([name, own[name]]).toEqual([name, same[name]])
})

test('new and returning buyers add up to everyone, and nothing looked at is a rate of nothing', async () => {
  const of = (buyers: string): Promise<Record<string, unknown>> => demo.read(`/dash/figures?${ever}&buyers=${buyers}`)
  const [everyone, fresh, back] = [await of('everyone'), await of('new'), await of('returning')]
  for (const name of ['sold', 'looks', 'carted'] as const) {
    expect(Number(fresh[name]) + Number(back[name])).toBe(everyone[name])
    expect(Number(fresh[name])).toBeGreaterThan(0)
  }
  expect(cents(fresh['earned']) + cents(back['earned'])).toBe(cents(everyone['earned']))
  expect(fresh['people']).toBe(everyone['people'])
  const nothing = { earned: '$0.00', sold: 0, looks: 0, rate: '0.00%', wished: 0, parked: 0 }
  expect(await demo.read(`/dash/goods/100132/figures?${ever}`)).toMatchObject(nothing)
  const { wished, parked } = await demo.read(`/dash/goods/100001/figures?${ever}`)
  expect([Number(wished), Number(parked)].every((value) => value > 0)).toBe(true)
})

test('searches come most clicks first, from 2025 on, of the shop or of a good', async () => {
  const path = `/dash/searches?first=01/01/2025&last=${day(0)}`
  const all = await rowsOf(demo, path)
  const clicks = all.map((row) => Number(row['clicks']))
  expect(clicks).toEqual(clicks.toSorted((one, other) => other - one))
  const own = await rowsOf(demo, `${path}&good=100001`)
  expect(own.length).toBeGreaterThan(0)
  for (const row of own) {
    const whole = all.find(({ words }) => words === row['words'])
    expect(Number(whole?.['clicks'])).toBeGreaterThanOrEqual(Number(row['clicks']))
  }
  expect(own.length).toBeLessThan(all.length)
  const early = await demo.denied('/dash/searches?first=12/31/2024&last=01/02/2025')
  expect(early).toEqual([400, 'SEARCHES_BEGIN_LATER'])
})

test('questions are found by their state and their good', async () => {
  const all = await everything(demo, '/dash/asks', 100)
  for (const [state, open] of [
    ['open', true],
    ['replied', false],
  ] as const) {
    const found = await everything(demo, `/dash/asks?state=${state}`, 100)
    expect(found).toEqual(all.filter(({ reply }) => (reply === null) === open))
    expect(found.length).toBeGreaterThan(20)
  }
  const no = (all[0]?.['good'] as Row | undefined)?.no
  const about = await rowsOf(demo, `/dash/asks?good=${no}`)
  expect(about).toEqual(all.filter(({ good }) => (good as Row).no === no))
})

test.each([
  ['/dash/goods?colour=red', 'PARAM_UNKNOWN'],
  ['/dash/goods?per=101', 'PARAM_INVALID'],
  ['/dash/goods?per=0', 'PARAM_INVALID'],
  ['/dash/goods?page=1&page=2', 'PARAM_INVALID'],
  ['/dash/goods?shelf=active', 'PARAM_INVALID'],
  ['/dash/goods?page=2', 'STAMP_REQUIRED'],
  ['/dash/goods?page=2&stamp=100200.1.x', 'STAMP_UNKNOWN'],
  ['/dash/sold?first=2026-01-01&last=01/02/2026', 'PARAM_INVALID'],
  ['/dash/sold?first=02/29/2026&last=03/02/2026', 'PARAM_INVALID'],
  ['/dash/sold?last=03/02/2026', 'PARAM_INVALID'],
  ['/dash/figures?first=01/02/2026&last=01/01/2026', 'SPAN_BACKWARDS'],
  ['/dash/figures?first=01/01/2026&last=01/02/2026&buyers=all', 'PARAM_INVALID'],
])('%s is refused as %s', async (path, code) => {
  expect(await demo.denied(path)).toEqual([400, code])
})

test('a stamp is good for its list with the same filters only', async () => {
  const { stamp } = await demo.read<{ stamp: string }>('/dash/goods?shelf=live')
  expect((await demo.get(`/dash/goods?shelf=live&page=2&stamp=${stamp}`)).status).toBe(200)
  for (const path of ['/dash/goods?shelf=hidden', '/dash/asks?', '/dash/goods?']) {
    expect(await demo.denied(`${path}&page=2&stamp=${stamp}`)).toEqual([400, 'STAMP_UNKNOWN'])
  }
})
