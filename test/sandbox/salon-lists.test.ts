import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AppPerson, OpenApp } from './open-app.ts'
import { add, dayIn, idIn, openings, read, sortable, span, tressario, visits, whole } from './salon-shop.ts'
import type { Listed, Thing } from './salon-shop.ts'

let app: OpenApp
let me: AppPerson
beforeAll(async () => {
  app = await tressario()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await app.newcomer()
})

const attribute = (rows: readonly Thing[], name: string): unknown[] => rows.map(({ attributes }) => attributes[name])
const codeOf = ({ attributes }: Thing): string => (attributes['stage'] as { code: string }).code
const guestIds = async (): Promise<string[]> => (await whole(me, 'guests')).map(({ id }) => id)

test('visits read one by one while others are booked, moved and cancelled: none twice, none missing', async () => {
  const path = `visits?${span(0, 12)}&stage=bk`
  const before = await whole(me, path)
  const [guest] = await guestIds()
  const free = await openings(me, 6)
  const acts = [
    () => add(me, 'visits', { ...free[0], guest }),
    () => me.form(`/business/visits/${before[0]?.id}/cancel`),
    () => me.form(`/business/visits/${before[1]?.id}/move`, { begins: `${dayIn(25)} 13:30` }),
  ]
  const seen = await whole(me, path, 1, async (page) => acts[page]?.())
  expect(seen).toEqual(before)
  expect(new Set(seen.map(({ id }) => id)).size).toBe(before.length)
  expect(await whole(me, path)).not.toEqual(before)
  expect(await app.effects(me)).toHaveLength(3)
})

type Act = (before: Thing[], turn: number) => Promise<unknown>
const happen: Record<string, Act> = {
  waiting: async (_, turn) => {
    const [guest] = await guestIds()
    const [treatment] = await read(me, 'treatments')
    return add(me, 'waiting', { guest, treatment: treatment?.id, day: dayIn(3 + turn) })
  },
  talks: (before, turn) => add(me, 'lines', { words: 'Yes' }, `talks/${before[30 + turn]?.id}/lines`),
  'reviews?unanswered=yes': (before, turn) =>
    me.form(`/business/reviews/${before[turn]?.id}/answer`, { words: 'Thanks' }),
  notices: async () => {
    const entry = (await whole(me, 'waiting'))[3]?.id ?? ''
    return me.form('/business/waiting/alert', { entry })
  },
}

test.each(Object.keys(happen))('%s read one by one stay as they were while things happen', async (path) => {
  const ids = (rows: Thing[]): string[] => rows.map(({ id }) => id)
  const before = await whole(me, path)
  const seen = await whole(me, path, 1, (turn) => happen[path]?.(before, turn) ?? Promise.reject(new Error(path)))
  expect(ids(seen)).toEqual(ids(before))
  expect(new Set(ids(seen)).size).toBe(before.length)
  expect(ids(await whole(me, path))).not.toEqual(ids(before))
  expect(await app.effects(me)).toHaveLength(3)
})

test('visits are ordered by begin, and the filters give what satisfies them', async () => {
  const every = await visits(me)
  const begins = attribute(every, 'begins').map(sortable)
  expect(begins).toEqual(begins.toSorted((a, b) => a - b))
  for (const code of ['bk', 'ar', 'ch', 'dn', 'ns', 'cx']) {
    const some = await visits(me, `&stage=${code}`)
    expect(some).toEqual(every.filter((visit) => codeOf(visit) === code))
    expect(some.length).toBeGreaterThan(0)
  }
  const crew = idIn(every[0]?.links['crew'])
  expect(await visits(me, `&crew=${crew}`)).toEqual(every.filter(({ links }) => idIn(links['crew']) === crew))
  const one = await whole(me, `visits?from=${dayIn(2)}`)
  expect(one).toEqual(every.filter(({ attributes }) => String(attributes['begins']).startsWith(dayIn(2))))
  const branches = await read(me, 'branches')
  const other = await visits(me, `&branch=${branches[2]?.id}`)
  expect(new Set(other.map(({ links }) => idIn(links['branch'])))).toEqual(new Set([branches[2]?.id]))
  expect(await visits(me, `&branch=${branches[0]?.id}`)).toEqual(every)
})

test('guests are A to Z, read in pages or whole, and found by name, mail and telephone', async () => {
  const every = await whole(me, 'guests')
  expect(await whole(me, 'guests', 3)).toEqual(every)
  const fold = (text: unknown): string => String(text).normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const names = attribute(every, 'full').map(fold)
  expect(names).toEqual(names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
  expect(attribute(await whole(me, 'guests?find=ARAUJO'), 'full')).toEqual(['Beatriz Araújo', 'Beatriz Araújo'])
  const known = every.find(({ attributes }) => attributes['mail'] !== null && attributes['cell'] !== null)
  const mail = encodeURIComponent(String(known?.attributes['mail']).toUpperCase())
  expect(await whole(me, `guests?find=${mail}`)).toEqual([known])
  const digits = String(known?.attributes['cell']).replaceAll(/\D/g, '').slice(2)
  expect(await whole(me, `guests?find=${digits}`)).toContainEqual(known)
  expect(await whole(me, 'guests?find=nobody-at-all')).toEqual([])
})

test('waiting entries, talks and reviews: order and filters', async () => {
  const waiting = await whole(me, 'waiting')
  const days = attribute(waiting, 'day').map(sortable)
  expect(days).toEqual(days.toSorted((a, b) => a - b))
  expect(attribute(waiting, 'crew')).toContain(null)
  const day = String(waiting[20]?.attributes['day'])
  expect(await whole(me, `waiting?day=${day}`)).toEqual(waiting.filter(({ attributes }) => attributes['day'] === day))
  const talks = await whole(me, 'talks')
  const touched = attribute(talks, 'touched').map(sortable)
  expect(touched).toEqual(touched.toSorted((a, b) => b - a))
  for (const fresh of ['yes', 'no']) {
    const some = await whole(me, `talks?fresh=${fresh}`)
    expect(some).toEqual(talks.filter(({ attributes }) => attributes['fresh'] === (fresh === 'yes')))
    expect(some.length).toBeGreaterThan(10)
  }
  const reviews = await whole(me, 'reviews')
  const posted = attribute(reviews, 'day').map(sortable)
  expect(posted).toEqual(posted.toSorted((a, b) => b - a))
  const open = await whole(me, 'reviews?unanswered=yes')
  expect(open).toEqual(reviews.filter(({ attributes }) => attributes['answer'] === null))
  expect([...(await whole(me, 'reviews?unanswered=no')), ...open]).toHaveLength(reviews.length)
  const since = String(reviews[9]?.attributes['day'])
  expect(await whole(me, `reviews?since=${since}`)).toEqual(reviews.slice(0, 10))
})

test('openings fit the hours, the crew and what is booked', async () => {
  const [treatment, , long] = await read(me, 'treatments')
  const free = await openings(me, 4)
  const busy = (await visits(me)).filter((visit) => !['cx', 'ns'].includes(codeOf(visit)))
  expect(free.length).toBeGreaterThan(20)
  for (const { crew, begins } of free) {
    const start = sortable(begins)
    const same = busy.filter(({ links }) => idIn(links['crew']) === crew)
    const clash = same.filter(
      ({ attributes }) => sortable(attributes['begins']) < start + 3_600_000 && sortable(attributes['ends']) > start,
    )
    expect(clash).toEqual([])
    expect(treatment?.attributes['hands']).toContain(crew)
  }
  const crew = free[0]?.crew ?? ''
  const path = `openings?treatment=${treatment?.id}&from=${dayIn(4)}&until=${dayIn(4)}`
  const mine = await read(me, `${path}&crew=${crew}`)
  expect(attribute(mine, 'begins')).toEqual(free.filter((one) => one.crew === crew).map(({ begins }) => begins))
  const week = await read(me, `openings?treatment=${long?.id}&from=${dayIn(40)}`)
  expect(new Set(attribute(week, 'begins').map((begins) => String(begins).slice(0, 11))).size).toBe(8)
  const nobody = (await read(me, 'treatments')).at(-1)
  expect(await read(me, `openings?treatment=${nobody?.id}&from=${dayIn(4)}`)).toEqual([])
  expect(await read(me, `openings?treatment=${treatment?.id}&from=${dayIn(-9)}&until=${dayIn(-3)}`)).toEqual([])
})

test('parameters that a list does not have, or foreign tokens, are refused', async () => {
  const { list } = (await me.read<Listed>('/business/api/talks?rows=5')).paging
  const branches = await read(me, 'branches')
  const [treatment] = await read(me, 'treatments')
  const denied: [string, number, string][] = [
    ['talks?from_row=6', 400, 'LIST_NEEDED'],
    [`guests?list=${list}`, 400, 'LIST_UNKNOWN'],
    [`talks?fresh=yes&list=${list}`, 400, 'LIST_UNKNOWN'],
    ['talks?rows=0', 400, 'PARAMETER_INVALID'],
    ['talks?rows=101', 400, 'PARAMETER_INVALID'],
    ['talks?fresh=true', 400, 'PARAMETER_INVALID'],
    ['talks?unread=yes', 400, 'PARAMETER_UNKNOWN'],
    ['visits', 400, 'PARAMETER_INVALID'],
    ['visits?from=2026-01-01', 400, 'PARAMETER_INVALID'],
    ['visits?from=30 Feb 2026', 400, 'PARAMETER_INVALID'],
    ['visits?from=02 Jan 2026&until=01 Jan 2026', 400, 'SPAN_BACKWARDS'],
    ['visits?from=02 Jan 2026&stage=Booked', 400, 'PARAMETER_INVALID'],
    [`openings?treatment=${treatment?.id}&${span(0, 62)}`, 400, 'SPAN_TOO_LONG'],
    [`openings?treatment=${treatment?.id}&${span(0, 2)}&branch=${branches[1]?.id}`, 422, 'NOT_AT_BRANCH'],
    [`openings?${span(0, 2)}`, 404, 'TREATMENT_NOT_FOUND'],
  ]
  for (const [path, status, code] of denied) {
    expect([path, ...(await me.denied(`/business/api/${path}`))]).toEqual([path, status, code])
  }
})
