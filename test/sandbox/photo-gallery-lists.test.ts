import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ids, prooflight, refusal, type Item, type Photographer, type Prooflight } from './photo-gallery-studio.ts'

let run: Prooflight
let me: Photographer
/** All that it tries is refused. */
let calm: Photographer
beforeAll(async () => {
  run = await prooflight()
  calm = await run.newcomer()
})
afterAll(() => run[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await run.newcomer()
})

const made = ({ attributes }: Item): number => Number(attributes['made_ms'] ?? attributes['sent_ms'])

test.each([
  ['/galleries', 7, 90],
  ['/people', 13, 120],
  ['/bills', 11, 140],
  ['/bills?filter[owing]=yes', 1, 80],
  ['/mailings', 17, 100],
])('%s read in steps of %i is the whole list, newest first', async (path, step, least) => {
  const whole = await me.all(path)
  expect(whole.length).toBeGreaterThanOrEqual(least)
  expect(new Set(ids(whole)).size).toBe(whole.length)
  const times = whole.map(made)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(await me.all(path, step)).toEqual(whole)
  expect((await me.read(path)).data).toEqual(whole.slice(0, 30))
  expect((await me.read(path)).meta.matching).toBe(whole.length)
})

test('galleries read one by one while others are made: none twice, none missing', async () => {
  const before = ids(await me.all('/galleries'))
  const seen = await me.all('/galleries', 1, async (so_far) => {
    if (so_far.length % 4 === 0) await me.make('galleries', { title: 'Meanwhile' })
  })
  expect(ids(seen)).toEqual(before)
  expect((await me.read('/galleries')).data[0]?.attributes['title']).toBe('Meanwhile')
})

test('people and bills read while others are added: none twice, none missing', async () => {
  const people = ids(await me.all('/people'))
  const [payer = ''] = people
  let turn = 0
  const seen = await me.all('/people', 5, () =>
    me.make('people', { full_name: 'Meanwhile', mail: `meanwhile.${turn++}@mail.example` }),
  )
  expect(ids(seen)).toEqual(people)
  const bills = ids(await me.all('/bills?filter[owing]=yes'))
  const lines = [{ label: 'Print', each: '10,00' }]
  const owed = await me.all('/bills?filter[owing]=yes', 4, () =>
    me.make('bills', { lines }, { payer: { data: { type: 'people', id: payer } } }),
  )
  expect(ids(owed)).toEqual(bills)
})

test('a gallery with many frames is read to its end while frames are added', async () => {
  const [big] = (await me.all('/galleries')).toSorted(
    (a, b) => Number(b.attributes['frames']) - Number(a.attributes['frames']),
  )
  const path = `/galleries/${big?.id}/frames`
  const before = await me.all(path)
  expect(before.length).toBe(big?.attributes['frames'])
  expect(before.length).toBeGreaterThan(60)
  expect(await me.all(path, 3, () => me.upload(big?.id ?? '', ['https://pictures.example/new.jpg']))).toEqual(before)
})

test.each([
  ['/galleries', ['title']],
  ['/people', ['full_name', 'mail']],
] as const)('%s searches %j, in upper and lower case alike', async (path, fields) => {
  const all = await me.all(path)
  for (const query of ['müller', 'ANNA', 'łukasz', '& sons', 'محمد', '.1', 'z']) {
    const wanted = all.filter(({ attributes }) =>
      fields.some((field) => String(attributes[field]).toLowerCase().includes(query.toLowerCase())),
    )
    const found = await me.all(`${path}?filter[q]=${encodeURIComponent(` ${query} `)}`, 9)
    expect(ids(found)).toEqual(ids(wanted))
    expect(found.length).toBeLessThan(all.length)
  }
  expect((await me.read(`${path}?filter[q]=a`)).meta.matching).toBeGreaterThan(30)
  expect((await me.read(`${path}?filter[q]=no-such-thing`)).data).toEqual([])
  expect((await me.read(`${path}?filter[q]=%20`)).meta.matching).toBe(all.length)
})

test('bills are owing until they are wholly settled, drafts too', async () => {
  const all = await me.all('/bills')
  const left = ({ attributes }: Item): boolean => attributes['sum'] !== attributes['settled']
  expect(ids(await me.all('/bills?filter[owing]=yes'))).toEqual(ids(all.filter(left)))
  expect(ids(await me.all('/bills?filter[owing]=no'))).toEqual(ids(all.filter((bill) => !left(bill))))
  const stages = new Set(all.filter(left).map(({ attributes }) => attributes['stage']))
  expect(stages).toEqual(new Set(['draft', 'sent', 'part_paid']))
})

test('hearts can be had with remarks only, without only, or all; downloads are there or are not', async () => {
  let [mixed, idle, busy] = [0, 0, 0]
  for (const { id } of (await me.all('/galleries')).slice(0, 20)) {
    const { data: all } = await me.read(`/galleries/${id}/hearts`)
    const noted = (await me.read(`/galleries/${id}/hearts?filter[noted]=yes`)).data
    const bare = (await me.read(`/galleries/${id}/hearts?filter[noted]=no`)).data
    expect(noted).toEqual(all.filter(({ attributes }) => attributes['remark'] !== null))
    expect(bare).toEqual(all.filter(({ attributes }) => attributes['remark'] === null))
    if (noted.length > 0 && bare.length > 0) mixed += 1
    const times = (await me.read(`/galleries/${id}/grabs`)).data.map(made)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    if (times.length === 0) idle += 1
    else busy += 1
  }
  expect(Math.min(mixed, idle, busy)).toBeGreaterThan(2)
})

const shift = (day: string, days: number): string => {
  const ms = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)) + days)
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')
}

const daysIn = (zone: string): ((ms: unknown) => string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
  return (ms) => format.format(Number(ms)).replaceAll('-', '')
}

test('the calendar holds what begins on the days asked for, in the studio’s zone, earliest first', async () => {
  const [reykjavik, , , tokyo, newYork, , auckland] = await run.named()
  for (const who of [reykjavik, tokyo, newYork, auckland] as Photographer[]) {
    const { zone } = await who.studio()
    const dayOf = daysIn(zone)
    const calendar = async (query: string): Promise<Item[]> => (await who.read(`/calendar?${query}`)).data
    const today = dayOf(Date.now())
    const all = await calendar(`filter[first]=${shift(today, -200)}&filter[last]=${shift(today, 200)}`)
    const starts = all.map(({ attributes }) => Number(attributes['begins_ms']))
    expect(all.length).toBeGreaterThan(80)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    const within = (first: string, last: string): string[] =>
      ids(
        all.filter(({ attributes }) => {
          const day = dayOf(attributes['begins_ms'])
          return day >= first && day <= last
        }),
      )
    const week = within(today, shift(today, 7))
    expect(week.length).toBeGreaterThan(8)
    expect(ids(await calendar(''))).toEqual(week)
    const from = shift(today, -30)
    expect(ids(await calendar(`filter[first]=${from}`))).toEqual(within(from, shift(from, 7)))
    expect(ids(await calendar(`filter[first]=${today}&filter[last]=${today}`))).toEqual(within(today, today))
    expect(within(today, today).length).toBeGreaterThan(1)
    expect(await calendar(`filter[first]=${shift(today, 400)}`)).toEqual([])
  }
})

test('who sits and who pays stands beside the rows', async () => {
  for (const [path, relation] of [
    ['/calendar', 'sitter'],
    ['/bills?page[size]=9', 'payer'],
  ] as const) {
    const { data, included = [] } = await me.read(path)
    const wanted = new Set(data.map(({ relationships }) => relationships?.[relation]?.data.id))
    expect(new Set(ids(included))).toEqual(wanted)
    expect(included).toHaveLength(wanted.size)
  }
})

test.each([
  ['/galleries?page[size]=0', 'PARAMETER_INVALID'],
  ['/galleries?page[size]=101', 'PARAMETER_INVALID'],
  ['/people?page[size]=x', 'PARAMETER_INVALID'],
  ['/people?limit=5', 'PARAMETER_UNKNOWN'],
  ['/people?filter[q]=a&filter[q]=b', 'PARAMETER_INVALID'],
  [`/people?filter[q]=${'x'.repeat(201)}`, 'PARAMETER_INVALID'],
  ['/bills?filter[owing]=true', 'PARAMETER_INVALID'],
  ['/bills?page[token]=abc', 'PAGE_TOKEN_UNKNOWN'],
  ['/calendar?filter[first]=2026-02-28', 'PARAMETER_INVALID'],
  ['/calendar?filter[first]=20260229', 'PARAMETER_INVALID'],
  ['/calendar?filter[first]=20260302&filter[last]=20260301', 'SPAN_BACKWARDS'],
])('%s is refused', async (path, code) => {
  expect(await refusal(await calm.get(`/api${path}`))).toBe(`400 ${code}`)
})

test('a token is good for one list with the same filters of one studio', async () => {
  const { next_token: token } = (await me.read('/people?page[size]=5')).meta
  const at = `page[token]=${token}`
  expect((await me.read(`/people?page[size]=8&${at}`)).data).toHaveLength(8)
  const other = await run.newcomer()
  const refused = [me.get(`/api/people?filter[q]=a&${at}`), me.get(`/api/bills?${at}`), other.get(`/api/people?${at}`)]
  for (const answer of refused) expect(await refusal(await answer)).toBe('400 PAGE_TOKEN_UNKNOWN')
})
