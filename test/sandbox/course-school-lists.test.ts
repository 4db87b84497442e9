import { afterAll, beforeAll, expect, test } from 'vitest'
import { kathedra, refusal, type Kathedra, type Row, type Teacher } from './course-school-school.ts'

let app: Kathedra
let me: Teacher
let course: unknown
beforeAll(async () => {
  app = await kathedra()
  me = await app.newcomer()
  course = (await me.all('/courses'))[0]?.['no']
})
afterAll(() => app[Symbol.asyncDispose]())

const ids = (rows: Row[]): unknown[] => rows.map((row) => row['uid'] ?? row['no'])
const moment = (row: Row): number => Date.parse(String(row['joined'] ?? row['posted']))

test.each([
  ['/students', 170],
  ['/students?course=', 110],
  ['/comments', 270],
  ['/comments?state=held', 60],
  ['/comments?state=refused', 60],
  ['/comments?state=live', 60],
  ['/comments?unseen=1', 60],
])('%s is read whole in steps of seven, newest first, nothing twice', async (path, least) => {
  const list = path.endsWith('=') ? `${path}${String(course)}` : path
  const whole = await me.all(list)
  expect(whole.length).toBeGreaterThanOrEqual(least)
  expect(new Set(ids(whole)).size).toBe(whole.length)
  expect(await me.all(list, 7)).toEqual(whole)
  expect((await me.read<{ total: number }>(list)).total).toBe(whole.length)
  const times = whole.map(moment)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
})

test('students read one by one while others join: none twice, none missing', async () => {
  const teacher = await app.newcomer()
  const [first] = await teacher.all('/courses')
  const path = `/students?course=${String(first?.['no'])}`
  const before = await teacher.all(path)
  const seen = await teacher.all(path, 1, async (so_far) => {
    if (so_far.length % 10 !== 1) return
    const mail = `late.${so_far.length}@mail.example`
    expect((await teacher.form(`/courses/${String(first?.['no'])}/enrolments`, { mail })).status).toBe(303)
  })
  expect(seen).toEqual(before)
  expect((await teacher.all(path)).length).toBe(before.length + 11)
})

test('the queue worked off and added to while it is read leaves nothing out', async () => {
  const teacher = await app.newcomer()
  const { school } = await teacher.session()
  const held = ids(await teacher.all('/comments?state=held'))
  const { lectures } = await teacher.read<{ lectures: Row[] }>(
    `/courses/${String((await teacher.all('/courses'))[0]?.['no'])}/outline`,
  )
  const lecture = String(lectures.find(({ live }) => live === true)?.['no'])
  const seen = await teacher.all('/comments?state=held', 8, async (so_far) => {
    await teacher.form(`/comments/${String(so_far.at(-1)?.['no'])}/verdict`, { verdict: 'refuse' })
    const body = new URLSearchParams({ lecture, name: 'Ada', text: 'Meanwhile' })
    const said = await fetch(`${teacher.base}/learn/${school.no}/aguarela/comments`, {
      method: 'POST',
      body,
      redirect: 'manual',
    })
    expect(said.status).toBe(303)
  })
  expect(ids(seen)).toEqual(held)
  expect(ids(await teacher.all('/comments?state=held'))).not.toEqual(held)
})

test('comments filter by course, state and what was not seen', async () => {
  const all = await me.all('/comments')
  for (const [query, fits] of [
    [`course=${String(course)}`, (row: Row) => row['course'] === course],
    ['state=held', (row: Row) => row['state'] === 'held'],
    ['state=refused', (row: Row) => row['state'] === 'refused'],
    ['state=live', (row: Row) => row['state'] === 'live'],
    ['unseen=1', (row: Row) => row['seen'] === false],
    [
      `unseen=1&state=held&course=${String(course)}`,
      (row: Row) => row['course'] === course && row['state'] === 'held' && row['seen'] === false,
    ],
  ] as const) {
    const some = await me.all(`/comments?${query}`)
    expect(some).toEqual(all.filter(fits))
    expect(some.length).toBeGreaterThan(0)
    expect(some.length).toBeLessThan(all.length)
  }
  expect(await me.all('/comments?state=any&unseen=0')).toEqual(all)
})

test('courses filter by state, coupons by whether they are filed away', async () => {
  const courses = await me.all('/courses')
  for (const [state, live] of [
    ['live', true],
    ['draft', false],
  ] as const) {
    const some = await me.all(`/courses?state=${state}`)
    expect(some).toEqual(courses.filter((row) => row['live'] === live))
    expect(some.length).toBeGreaterThan(0)
  }
  const every = await me.all('/coupons?filed=1')
  const used = await me.all('/coupons')
  expect(used).toEqual(every.filter(({ state }) => state !== 'filed'))
  expect(new Set(every.map(({ state }) => state))).toEqual(new Set(['on', 'lapsed', 'sold_out', 'filed']))
  expect(new Set(used.map(({ code }) => code)).size).toBe(used.length)
  expect(every.length).toBeGreaterThan(60)
})

test('students of a course are those who are enrolled in it', async () => {
  const all = await me.all('/students')
  const some = await me.all(`/students?course=${String(course)}`)
  const enrolled = async ({ uid }: Row): Promise<unknown[]> =>
    (await me.read<{ enrolled: Row[] }>(`/students/${String(uid)}`)).enrolled.map((row) => row['course'])
  const other = all.find(({ uid }) => !ids(some).includes(uid))
  expect(await enrolled(some[0]!)).toContain(course)
  expect(await enrolled(other!)).not.toContain(course)
  const last = (await me.all('/courses')).at(-1)?.['no']
  expect(await me.all(`/students?course=${String(last)}`)).toEqual([])
})

test('the outline and a lecture’s pieces carry the order that people see in pos, not in their sequence', async () => {
  const outline = await me.read<{ chapters: Row[]; lectures: Row[] }>(`/courses/${String(course)}/outline`)
  const places = outline.chapters.map(({ pos }) => Number(pos))
  expect(places).not.toEqual(places.toSorted((a, b) => a - b))
  expect(new Set(places).size).toBe(places.length)
  const lectures = outline.lectures.map(({ section, pos }) => `${String(section)} ${String(pos)}`)
  expect(new Set(lectures).size).toBe(lectures.length)
  const { pieces } = await me.read<{ pieces: Row[] }>(
    `/courses/${String(course)}/lectures/${String(outline.lectures[0]?.['no'])}`,
  )
  expect(pieces.map(({ pos }) => pos)).toEqual([40, 30, 20, 10])
  expect(pieces.map((piece) => 'md' in piece)).toEqual(pieces.map(({ kind }) => kind === 'rich_text'))
})

test.each([
  ['/students?size=0', '400 PARAMETER_INVALID'],
  ['/students?size=101', '400 PARAMETER_INVALID'],
  ['/students?after=x', '400 PAGE_TOKEN_INVALID'],
  ['/comments?state=pending', '400 PARAMETER_INVALID'],
  ['/comments?unseen=true', '400 PARAMETER_INVALID'],
  ['/courses?state=gone', '400 PARAMETER_INVALID'],
  ['/coupons?filed=2', '400 PARAMETER_INVALID'],
  ['/students?course=1', '404 COURSE_NOT_FOUND'],
])('%s is refused with %s', async (path, outcome) => {
  expect(await refusal(await me.get(`/api/schools/mine${path}`))).toBe(outcome)
})

test('a token of one list is none of another', async () => {
  const { after } = await me.read<{ after: string }>('/students?size=1')
  expect(await refusal(await me.get(`/api/schools/mine/comments?after=${after}`))).toBe('400 PAGE_TOKEN_INVALID')
})
