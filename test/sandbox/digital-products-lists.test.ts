import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buys, named, openKramora, toEnd, type Sale, type Thing } from './digital-products-shop.ts'
import type { AppPerson, OpenApp } from './open-app.ts'

let run: OpenApp
let me: AppPerson
beforeAll(async () => {
  run = await openKramora()
})
beforeEach(async () => {
  me = await run.newcomer()
})
afterAll(() => run[Symbol.asyncDispose]())

const dayOf = (moment: string): string => moment.slice(0, 10).replaceAll('-', '')
const sum = (rows: readonly Thing[], name: string): number => rows.reduce((all, row) => all + Number(row[name]), 0)

test.each([
  ['members', 'began', 1, 1],
  ['sales?state=part_returned', 'sold', 1, 0],
  ['letters', 'sent', 7, 1],
  ['sales', 'sold', 7, 1],
])('%s are read in small pages to their end, newest first, while one is added', async (name, time, per, added) => {
  const [club] = await named(me, '/my/wares?sort=club&shown=listed', 'wares')
  const path = `/my/${name}`
  const before = await toEnd(me, path)
  const times = before.map((row) => String(row[time]))
  expect(times).toEqual(times.toSorted().toReversed())
  expect(await toEnd(me, path, per, () => buys(me, String(club?.['link']), { mail: 'late@mail.example' }))).toEqual(
    before,
  )
  expect((await toEnd(me, path)).length).toBe(before.length + added)
})

test('each filter of sales keeps what satisfies it and leaves out the rest, also all at once', async () => {
  const all = await toEnd<Sale>(me, '/my/sales')
  const [sale] = all
  const day = dayOf(all[100]?.sold ?? '')
  const wareNo = sale?.lines[0]?.ware_no
  const cases: [string, (sale: Sale) => boolean][] = [
    [`mail=${encodeURIComponent(sale?.buyer_mail.toUpperCase() ?? '')}`, (one) => one.buyer_mail === sale?.buyer_mail],
    [`sale_no=${sale?.sale_no}`, (one) => one.sale_no === sale?.sale_no],
    [`ware_no=${wareNo}`, ({ lines }) => lines.some((line) => line.ware_no === wareNo)],
    ...['complete', 'returned', 'part_returned'].map(
      (state) => [`state=${state}`, (one: Sale) => one.state === state] as [string, (sale: Sale) => boolean],
    ),
    ...['waiting', 'gone'].map(
      (parcel) => [`parcel=${parcel}`, (one: Sale) => one['parcel'] === parcel] as [string, (sale: Sale) => boolean],
    ),
    [`first=${day}`, ({ sold }) => dayOf(sold) >= day],
    [`last=${day}`, ({ sold }) => dayOf(sold) <= day],
    [`first=${day}&last=${day}`, ({ sold }) => dayOf(sold) === day],
    [
      `state=complete&parcel=gone&first=${day}`,
      (one) => one.state === 'complete' && one['parcel'] === 'gone' && dayOf(one.sold) >= day,
    ],
  ]
  for (const [query, holds] of cases) {
    const found = await toEnd<Sale>(me, `/my/sales?${query}`)
    expect(found.map(({ sale_no }) => sale_no)).toEqual(all.filter(holds).map(({ sale_no }) => sale_no))
    expect([query, found.length > 0, found.length < all.length]).toEqual([query, true, true])
  }
  expect(await toEnd(me, '/my/sales?mail=late')).toEqual([])
  expect(await toEnd(me, '/my/sales?sale_no=made-up')).toEqual([])
})

test('wares and members are filtered, and wares come whole, newest first', async () => {
  const all = await named(me, '/my/wares', 'wares')
  for (const [name, values] of Object.entries({
    sort: ['file', 'course', 'coaching', 'club', 'parcel'],
    shown: ['listed', 'hidden', 'by_link'],
  })) {
    for (const value of values) {
      expect(await named(me, `/my/wares?${name}=${value}`, 'wares')).toEqual(all.filter((ware) => ware[name] === value))
    }
  }
  const both = all.filter(({ sort, shown }) => sort === 'file' && shown === 'hidden')
  expect(await named(me, '/my/wares?sort=file&shown=hidden', 'wares')).toEqual(both)
  const members = await toEnd(me, '/my/members')
  for (const state of new Set(members.map((member) => String(member['state'])))) {
    expect(await toEnd(me, `/my/members?state=${state}`)).toEqual(members.filter((member) => member['state'] === state))
  }
  const mail = String(members[3]?.['member_mail'])
  const found = await toEnd(me, `/my/members?mail=${encodeURIComponent(mail.toUpperCase())}`)
  expect(found).toEqual(members.filter(({ member_mail }) => member_mail === mail))
  expect(found.length).toBeGreaterThan(0)
})

test('what is late ends by itself after 20 days, and access goes with the state', async () => {
  const members = await toEnd(me, '/my/members')
  const since = members.filter(({ late_since }) => late_since !== null)
  for (const { late_since, state, ended } of since) {
    const end = new Date(Date.parse(`${String(late_since)}Z`) + 20 * 86_400_000)
    const isOver = end.getTime() <= Date.now()
    expect(state).toBe(isOver ? 'ended' : 'late')
    expect(ended).toBe(isOver ? end.toISOString().slice(0, 19).replace('T', ' ') : null)
  }
  expect(new Set(since.map(({ state }) => state))).toEqual(new Set(['late', 'ended']))
  for (const { state, may_enter } of members)
    expect(may_enter).toBe(['running', 'trial', 'late'].includes(String(state)))
})

test('figures and books add up to the sales of their time; money that went back is not taken off', async () => {
  const all = await toEnd<Sale>(me, '/my/sales')
  const [first, last] = [dayOf(all[60]?.sold ?? ''), dayOf(all[2]?.sold ?? '')]
  const within = all.filter(({ sold }) => dayOf(sold) >= first && dayOf(sold) <= last)
  type Figures = Record<'days' | 'by_ware', Thing[]>
  const { days, by_ware } = await named<Figures>(me, `/my/figures?first=${first}&last=${last}`, 'figures')
  expect([days[0]?.['on'], days.at(-1)?.['on']]).toEqual([first, last])
  expect(sum(days, 'cents')).toBe(sum(within, 'total_cents'))
  expect(sum(by_ware, 'cents')).toBe(sum(within, 'total_cents'))
  expect(sum(days, 'looks')).toBeGreaterThan(0)
  for (const { on, cents } of days)
    expect(cents).toBe(
      sum(
        all.filter(({ sold }) => dayOf(sold) === on),
        'total_cents',
      ),
    )
  const month = first.slice(0, 6)
  const sales = all.filter(({ sold }) => dayOf(sold).startsWith(month))
  const full = await Promise.all(sales.map(({ sale_no }) => named<Sale>(me, `/my/sales/${sale_no}`, 'sale')))
  const books = await named<Thing>(me, `/my/books/${month}`, 'books')
  expect(books).toMatchObject({
    month,
    closed: true,
    processor_cuts: sum(full, 'processor_cut'),
    house_cuts: sum(full, 'house_cut'),
    partner_deals: full.filter(({ partner }) => partner !== null).length,
    partner_cents: sum(
      full.flatMap(({ partner }) => (partner === null ? [] : [partner as Thing])),
      'cents',
    ),
  })
  expect(sum(books['sold'] as Thing[], 'copies')).toBe(
    sum(
      full.flatMap(({ lines }) => lines as Thing[]),
      'copies',
    ),
  )
  expect([Number(books['euro_brit_tax']) > 0, Number(books['other_taxes']) > 0]).toEqual([true, true])
  for (const { kept_cents, total_cents, returned_cents, processor_cut, house_cut } of full) {
    expect(kept_cents).toBe(Number(total_cents) - Number(returned_cents) - Number(processor_cut) - Number(house_cut))
    expect(kept_cents).toBeGreaterThanOrEqual(0)
  }
})

test('the books of this month are not closed, those of a month to come do not exist, and empty ones are zero', async () => {
  const now = new Date()
  const monthOf = (ahead: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)).toISOString().slice(0, 7).replace('-', '')
  expect(await named(me, `/my/books/${monthOf(0)}`, 'books')).toMatchObject({ closed: false })
  expect(await me.denied(`/my/books/${monthOf(1)}`)).toEqual([409, 'MONTH_AHEAD'])
  expect(await named(me, '/my/books/201902', 'books')).toMatchObject({ closed: true, house_cuts: 0, sold: [] })
})

test.each([
  ['sales?per=0', 'PARAM_INVALID'],
  ['sales?per=101', 'PARAM_INVALID'],
  ['sales?state=all', 'PARAM_INVALID'],
  ['sales?first=2026-11-21', 'PARAM_INVALID'],
  ['sales?last=20260230', 'PARAM_INVALID'],
  ['sales?first=20260302&last=20260301', 'SPAN_BACKWARDS'],
  ['sales?pageKey=made-up', 'PAGE_KEY_UNKNOWN'],
  ['members?pageKey=', 'PAGE_KEY_UNKNOWN'],
  ['members?state=running&state=late', 'PARAM_INVALID'],
  ['wares?per=5', 'PARAM_UNKNOWN'],
  ['figures?first=20260301', 'PARAM_INVALID'],
  ['figures?first=20000101&last=20260301', 'SPAN_TOO_LONG'],
  ['books/2026-10', 'PARAM_INVALID'],
  ['books/202613', 'PARAM_INVALID'],
])('%s is refused', async (path, code) => {
  expect(await me.denied(`/my/${path}`)).toEqual([400, code])
})

test('a pageKey is good for its list and filters only', async () => {
  const { pageKey } = await me.read<{ pageKey: string }>('/my/sales?state=complete')
  for (const path of ['sales?', 'sales?state=returned&', 'members?']) {
    expect(await me.denied(`/my/${path}pageKey=${pageKey}`)).toEqual([400, 'PAGE_KEY_UNKNOWN'])
  }
})
