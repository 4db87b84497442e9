import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppPerson, OpenApp } from './open-app.ts'
import { openCamp, rowsOf, stayOf, today } from './camping-host-host.ts'
import type { Ask, Chat, Land, Night, Payday, Review, Stay } from './camping-host-host.ts'

let app: OpenApp
let demo: AppPerson
let lands: Land[]
beforeAll(async () => {
  app = await openCamp()
  demo = await app.person()
  lands = await rowsOf<Land>(demo, '/lands')
})
afterAll(() => app[Symbol.asyncDispose]())

const ever = 'first=0&last=80000'
const idsOf = (stays: readonly { stay: string }[]): string[] => stays.map(({ stay }) => stay)

test('stays are filtered by arrival, land and state, soonest arrival first', async () => {
  const states = {
    UPCOMING: (stay: Stay) => stay.in > today,
    HERE: (stay: Stay) => stay.in <= today && stay.out > today,
    DONE: (stay: Stay) => stay.out <= today,
    OFF: () => true,
  }
  for (const [st, fits] of Object.entries(states)) {
    const rows = await rowsOf<Stay>(demo, `/stays?${ever}&st=${st}`)
    expect(rows.length).toBeGreaterThanOrEqual(9)
    for (const row of rows) expect([row.st, fits(row)]).toEqual([st, true])
    expect(rows).toEqual(rows.toSorted((a, b) => a.in - b.in || (a.stay < b.stay ? -1 : 1)))
    const { land = '' } = lands[1] ?? {}
    const there = rows.filter((row) => row.land === land)
    expect(there.length).toBeGreaterThan(0)
    expect(await rowsOf(demo, `/stays?${ever}&st=${st}&land=${land}`)).toEqual(there)
  }
  const upcoming = await rowsOf<Stay>(demo, `/stays?${ever}`)
  const within = (first: number, last: number) => upcoming.filter((row) => row.in >= first && row.in <= last)
  expect(await rowsOf(demo, '/stays')).toEqual(within(today, today + 30))
  expect(await rowsOf(demo, `/stays?first=${today + 2}&last=${today + 4}`)).toEqual(within(today + 2, today + 4))
  expect(within(today + 2, today + 4)).toHaveLength(3)
  expect(await rowsOf(demo, `/stays?first=${today}&last=${today}&st=HERE`)).toHaveLength(1)
})

test('stays are read to their end one by one, while asks are accepted', async () => {
  const someone = await app.newcomer()
  const path = `/stays?first=${today + 10}&last=${today + 125}&take=1`
  const before = await rowsOf<Stay>(someone, `${path.slice(0, -1)}200`)
  const asks = (await rowsOf<Ask>(someone, '/asks')).slice(0, 3)
  const seen: Stay[] = []
  for (let more = true; more;) {
    const after = seen.length === 0 ? '' : `&after=${seen.at(-1)?.stay}`
    const page = await someone.read<{ rows: Stay[]; more: boolean }>(`/host/data${path}${after}`)
    expect(page.rows).toHaveLength(1)
    seen.push(...page.rows)
    more = page.more
    const ask = asks.pop()
    if (ask) await someone.wrote('POST', `/host/data/asks/${ask.stay}/yes`, {})
  }
  expect(new Set(idsOf(seen)).size).toBe(seen.length)
  expect(idsOf(seen)).toEqual(expect.arrayContaining(idsOf(before)))
  expect(seen).toHaveLength(before.length + 3)
})

test('open asks come with the soonest end first, and are in no list of stays', async () => {
  const asks = await rowsOf<Ask>(demo, '/asks')
  expect(asks.length).toBeGreaterThan(25)
  expect(asks.map(({ until }) => until)).toEqual(asks.map(({ until }) => until).toSorted((a, b) => a - b))
  expect(Math.min(...asks.map(({ until }) => until))).toBeGreaterThan(Date.now() / 1000)
  const { land = '' } = lands[0] ?? {}
  const there = await rowsOf<Ask>(demo, `/asks?land=${land}`)
  expect(there).toEqual(asks.filter((ask) => ask.land === land))
  expect(there.length).toBeGreaterThan(3)
  const booked = await Promise.all(
    ['UPCOMING', 'HERE', 'DONE', 'OFF'].map((st) => rowsOf<Stay>(demo, `/stays?${ever}&st=${st}`)),
  )
  const ids = new Set(idsOf(booked.flat()))
  expect(asks.filter(({ stay }) => ids.has(stay))).toEqual([])
})

test('the calendar shows every pitch and night, who has it and what it costs', async () => {
  const [{ land, pitches } = { land: '', pitches: [] }] = lands
  const span = `first=${today - 30}&last=${today + 90}`
  const rows = await rowsOf<{ pitch: string; nights: Night[] }>(demo, `/lands/${land}/nights?${span}`)
  expect(rows.map(({ pitch }) => pitch)).toEqual(pitches.map(({ pitch }) => pitch))
  const stays = (
    await Promise.all(['UPCOMING', 'HERE', 'DONE'].map((st) => rowsOf<Stay>(demo, `/stays?${ever}&st=${st}`)))
  ).flat()
  for (const [index, { pitch, nights }] of rows.entries()) {
    expect(nights.map(({ d }) => d)).toEqual(Array.from({ length: 121 }, (_, at) => today - 30 + at))
    const own = stays.filter((stay) => stay.on.pitch === pitch)
    for (const { d, st, price, own: special } of nights) {
      expect([d, st === 'STAY']).toEqual([d, own.some((stay) => stay.in <= d && d < stay.out)])
      expect(special).toBe(price !== pitches[index]?.base)
    }
  }
  const all = rows.flatMap(({ nights }) => nights)
  expect(new Set(all.map(({ st }) => st))).toEqual(new Set(['FREE', 'STAY', 'SHUT']))
  expect(new Set(all.map(({ own }) => own)).size).toBe(2)
  const one = await rowsOf(demo, `/lands/${land}/nights?${span}&pitch=${pitches[2]?.pitch}`)
  expect(one).toEqual([rows[2]])
})

test('every chat is on one shelf, latest first, and unread ones on theirs', async () => {
  const all = await rowsOf<Chat>(demo, '/chats?show=ALL')
  expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => b - a))
  const parts = new Map<string, Chat[]>()
  for (const show of ['ASKED', 'AHEAD', 'BEHIND', 'QUESTIONS']) {
    parts.set(show, await rowsOf<Chat>(demo, `/chats?show=${show}`))
  }
  expect([...parts.values()].flat().map(({ chat }) => chat)).toEqual(
    expect.arrayContaining(all.map(({ chat }) => chat)),
  )
  expect([...parts.values()].flat()).toHaveLength(all.length)
  const states = { ASKED: ['ASKED'], AHEAD: ['UPCOMING', 'HERE'], BEHIND: ['DONE', 'OFF', 'LAPSED', 'DECLINED'] }
  for (const [show, fitting] of Object.entries(states)) {
    for (const { stay } of (parts.get(show) ?? []).slice(0, 12)) {
      expect(fitting).toContain((await stayOf(demo, stay ?? '')).st)
    }
  }
  expect(parts.get('QUESTIONS')?.every(({ stay }) => stay === null)).toBe(true)
  const unread = await rowsOf<Chat>(demo, '/chats')
  expect(unread).toEqual(all.filter(({ fresh }) => fresh))
  expect(unread.length).toBeLessThan(all.length)
  expect(await rowsOf(demo, `/chats?stay=${parts.get('ASKED')?.[0]?.stay}&show=AHEAD`)).toEqual([])
  const about = unread.find(({ stay }) => stay !== null)
  expect(await rowsOf(demo, `/chats?stay=${about?.stay}`)).toEqual([about])
})

test('reviews are filtered by land, day and reply, newest first, and read in parts', async () => {
  const all = await rowsOf<Review>(demo, '/reviews')
  expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => b - a))
  expect(new Set(all.map(({ up }) => up)).size).toBe(2)
  const { land = '' } = lands[1] ?? {}
  const since = today - 60
  const filters: [string, (review: Review) => boolean][] = [
    [`land=${land}`, (review) => review.land === land],
    [`since=${since}`, ({ at }) => at >= since * 86_400],
    ['replied=NO', ({ reply }) => reply === null],
    ['replied=YES', ({ reply }) => reply !== null],
    ['replied=ANY', () => true],
  ]
  for (const [filter, fits] of filters) expect(await rowsOf(demo, `/reviews?${filter}`)).toEqual(all.filter(fits))
  const parts: Review[] = []
  for (let more = true; more;) {
    const after = parts.length === 0 ? '' : `&after=${parts.at(-1)?.review}`
    const page = await demo.read<{ rows: Review[]; more: boolean }>(`/host/data/reviews?take=50${after}`)
    parts.push(...page.rows)
    more = page.more
  }
  expect(parts).toEqual(all)
})

test('paydays cover every stay that is over, less the fee, and nothing else', async () => {
  const all = await rowsOf<Payday>(demo, '/paydays?since=0')
  const done = await rowsOf<Stay>(demo, `/stays?${ever}&st=DONE`)
  const paid = all.flatMap(({ stays }) => stays)
  expect(new Set(idsOf(paid))).toEqual(new Set(idsOf(done)))
  expect(paid).toHaveLength(done.length)
  expect(all.map(({ on }) => on)).toEqual(all.map(({ on }) => on).toSorted((a, b) => b - a))
  const byId = new Map(done.map((stay) => [stay.stay, stay]))
  for (const { on, st, net, cur, stays } of all) {
    expect(st).toBe(on > today ? 'PLANNED' : on >= today - 3 ? 'ON_WAY' : 'PAID')
    expect(net).toBe(stays.reduce((sum, part) => sum + part.net, 0))
    for (const part of stays) {
      const stay = byId.get(part.stay)
      expect([stay?.cur, part.net]).toEqual([cur, Math.round((stay?.paid ?? 0) * 0.9)])
      expect(stay?.out).toBeLessThan(on)
    }
  }
  expect(await rowsOf(demo, '/paydays')).toEqual(all.filter(({ on }) => on >= today - 90))
})

test.each([
  ['/stays?first=2026-01-01', 'ASKED_WRONG'],
  [`/stays?first=${today + 31}&last=${today + 30}`, 'SPAN_BACKWARDS'],
  ['/stays?st=ASKED', 'ASKED_WRONG'],
  ['/stays?take=0', 'ASKED_WRONG'],
  ['/stays?take=201', 'ASKED_WRONG'],
  ['/stays?limit=5', 'ASKED_UNKNOWN'],
  ['/reviews?since=1&since=2', 'ASKED_WRONG'],
  ['/reviews?replied=true', 'ASKED_WRONG'],
  ['/chats?show=unread', 'ASKED_WRONG'],
  ['/lands/L100001/nights?first=20000', 'ASKED_WRONG'],
])('%s is refused', async (path, code) => {
  expect(await demo.denied(`/host/data${path}`)).toEqual([400, code])
})
