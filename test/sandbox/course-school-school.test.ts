import { afterAll, beforeAll, expect, test } from 'vitest'
import { isoIn } from '../../sandbox/course-school/times.ts'
import { kathedra, refusal, type Kathedra, type Row, type Teacher } from './course-school-school.ts'

let app: Kathedra
beforeAll(async () => {
  app = await kathedra()
})
afterAll(() => app[Symbol.asyncDispose]())

/** One of everything that a school has. */
async function inside(teacher: Teacher): Promise<Record<string, string>> {
  const no = async (path: string): Promise<string> => {
    const [row] = (await teacher.read<{ rows: Row[] }>(path)).rows
    return String(row?.['uid'] ?? row?.['no'])
  }
  const course = await no('/courses')
  const { lectures } = await teacher.read<{ lectures: Row[] }>(`/courses/${course}/outline`)
  return {
    school: String((await teacher.session()).school.no),
    course,
    section: String(lectures[0]?.['section']),
    lecture: String(lectures[0]?.['no']),
    student: await no('/students'),
    held: await no('/comments?state=held'),
    live: await no('/comments?state=live&unseen=1'),
    coupon: await no('/coupons'),
    plan: await no('/plans'),
  }
}

test('what belongs to another school does not exist, for reads and for writes', async () => {
  const [mine, theirs] = [await app.newcomer(), await app.newcomer()]
  const its = await inside(theirs)
  const own = await inside(mine)
  const answers = [
    await mine.get(`/api/schools/${its['school']}/courses`),
    await mine.get(`/schools/${its['school']}/courses`),
    await mine.get(`/api/schools/mine/courses/${its['course']}/outline`),
    await mine.get(`/api/schools/mine/courses/${its['course']}/lectures/${its['lecture']}`),
    await mine.get(`/api/schools/mine/courses/${own['course']}/lectures/${its['lecture']}`),
    await mine.get(`/api/schools/mine/students?course=${its['course']}`),
    await mine.get(`/api/schools/mine/students/${its['student']}`),
    await mine.get(`/api/schools/mine/comments?course=${its['course']}`),
    await mine.get(`/api/schools/mine/comments/${its['live']}`),
    await mine.get(`/api/schools/mine/coupons/${its['coupon']}`),
    await mine.post(`/courses/${its['course']}/sections/${its['section']}/lectures`, { heading: 'x' }),
    await mine.form(`/courses/${its['course']}/lectures/${its['lecture']}`, { heading: 'x' }),
    await mine.form(`/courses/${its['course']}/lectures/${its['lecture']}/visibility`, { live: '0' }),
    await mine.form(`/courses/${its['course']}/enrolments`, { mail: 'a@b.example' }),
    await mine.form('/mailings', { to: 'picked', uids: its['student']!, subject: 'x', message: 'x' }),
    await mine.form('/mailings', { to: 'course', course: its['course']!, subject: 'x', message: 'x' }),
    await mine.form(`/comments/${its['live']}/replies`, { text: 'x' }),
    await mine.form(`/comments/${its['held']}/verdict`, { verdict: 'allow' }),
    await mine.form(`/comments/${its['live']}/seen`),
    await mine.form(`/coupons/${its['coupon']}/file`),
    await mine.form('/coupons', { code: 'abc', percent: '5', scope: 'plan', plan: its['plan']! }),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  expect(await inside(theirs)).toEqual(its)
  expect([await app.effects(mine), await app.effects(theirs)]).toEqual([[], []])
})

test('numbers of one school are none of another’s, and those of one kind none of another’s', async () => {
  const seen = new Set<string>()
  for (const teacher of (await app.named()).slice(0, 3)) {
    const numbers = Object.values(await inside(teacher))
    for (const number of numbers) expect(seen.has(number)).toBe(false)
    for (const number of numbers) seen.add(number)
  }
  expect(seen.size).toBe(27)
})

test('an author writes lectures, but people, money and mail are the owner’s', async () => {
  const author = await app.newcomer('author')
  const [course] = await author.all('/courses')
  const path = `/courses/${String(course?.['no'])}`
  const { lectures } = await author.read<{ lectures: Row[] }>(`${path}/outline`)
  expect((await author.form(`${path}/lectures/${String(lectures[0]?.['no'])}`, { heading: 'Mine' })).status).toBe(303)
  const comment = String((await author.all('/comments'))[0]?.['no'])
  const refused = [
    await author.get('/api/schools/mine/students'),
    await author.get('/api/schools/mine/coupons'),
    await author.get('/schools/mine/settings'),
    await author.form(`${path}/enrolments`, { mail: 'a@b.example' }),
    await author.form('/mailings', { to: 'everyone', subject: 'x', message: 'x' }),
    await author.form('/coupons', { code: 'abc', percent: '5' }),
    await author.form(`/comments/${comment}/replies`, { text: 'x' }),
    await author.form(`/comments/${comment}/verdict`, { verdict: 'allow' }),
  ]
  expect(await Promise.all(refused.map(refusal))).toEqual(refused.map(() => '403 OWNER_ONLY'))
  expect(await app.effects(author)).toHaveLength(1)
})

test('a write without the token of the session is refused', async () => {
  const me = await app.newcomer()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = await me.send('POST', '/schools/mine/coupons', type, 'code=abc&percent=5')
  expect(await refusal(form)).toBe('403 TOKEN_INVALID')
  const [course] = await me.all('/courses')
  const lecture = `/api/schools/mine/courses/${String(course?.['no'])}/sections/1/lectures`
  expect(await refusal(await me.send('POST', lecture, { 'content-type': 'application/json' }, '{}'))).toBe(
    '403 TOKEN_INVALID',
  )
})

/** The field names of the documents for this app. */
const documented =
  `course_id name published url section_id sections lessons lesson_id public_preview blocks block_id type body_markdown
  title user_id email joined_at students comment_id lesson author body status unread created_at comments coupon_id code
  discount applies_to expires_at quantity used coupons courses next_cursor updated_block_id updated_at`.split(/\s+/)

function namesIn(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) namesIn(item, names)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      names.add(name)
      namesIn(item, names)
    }
  }
}

test('at least half of the names on the wire are the app’s own, and so are words, dates and percentages', async () => {
  const [demo] = await app.named()
  const { course, lecture, student } = await inside(demo!)
  const names = new Set<string>()
  const paths = [
    '/courses',
    `/courses/${course}/outline`,
    `/courses/${course}/lectures/${lecture}`,
    '/students',
    `/students/${student}`,
    '/comments',
    '/coupons?filed=1',
  ]
  for (const path of paths) namesIn(await demo!.read(path), names)
  expect(names.size).toBeGreaterThan(35)
  const shared = documented.filter((name) => names.has(name))
  expect(shared.length).toBeLessThanOrEqual(documented.length / 2)
  expect(shared.length).toBeLessThanOrEqual(names.size / 2)
  const coupons = await demo!.all('/coupons')
  expect(
    coupons.filter(({ ends }) => ends !== null).every(({ ends }) => /^\d\d [A-Z][a-z]{2} \d{4}$/.test(String(ends))),
  ).toBe(true)
  expect(JSON.stringify(coupons)).toMatch(/"percent":"\d+\.\d"/)
})

test('times are told in the school’s zone, and the schools are in several', async () => {
  const zones = new Set<string>()
  const offsets = new Set<string>()
  for (const teacher of await app.named()) {
    zones.add((await teacher.session()).school.zone)
    const [student] = (await teacher.read<{ rows: Row[] }>('/students?size=1')).rows
    offsets.add(String(student?.['joined']).slice(19))
  }
  expect(zones.size).toBe(7)
  expect(offsets.size).toBeGreaterThan(5)
  expect([...offsets].every((offset) => /^[+-]\d\d:\d\d$/.test(offset))).toBe(true)
  const summer = Date.parse('2026-07-01T12:00:00Z') / 1000
  expect(isoIn('America/St_Johns', summer)).toBe('2026-07-01T09:30:00-02:30')
  expect(isoIn('UTC', summer)).toBe('2026-07-01T12:00:00+00:00')
})

test('seeds hold accents, right-to-left text, markup, an empty name and a very long comment', async () => {
  const [demo] = await app.named()
  const students = await demo!.all('/students')
  const comments = await demo!.all('/comments')
  const all = JSON.stringify([students, comments])
  expect(all).toMatch(/[\u0590-\u06ff]/)
  expect(all).toMatch(/[\u00c0-\u017f]/)
  expect(all).toMatch(/<b>/)
  expect(students.some((row) => row['full_name'] === '')).toBe(true)
  expect(comments.some(({ text }) => String(text).length > 1900)).toBe(true)
})

test('the admin’s pages are there, and show everything escaped', async () => {
  const [demo] = await app.named()
  const { course, lecture, student, live, coupon } = await inside(demo!)
  const paths = [
    'courses',
    `courses/${course}`,
    `courses/${course}/lectures/${lecture}`,
    'students',
    `students/${student}`,
  ]
  paths.push('comments', `comments/${live}`, 'coupons', 'coupons/new', `coupons/${coupon}`, 'mailings', 'settings')
  for (const path of paths) {
    const page = await demo!.get(`/schools/mine/${path}`)
    expect([path, page.status]).toEqual([path, 200])
    expect(await page.text()).not.toMatch(/<b>Bold|<a href="https:\/\/spam/)
  }
  expect(await refusal(await demo!.get('/schools/mine/nothing'))).toBe('404 PAGE_NOT_FOUND')
})
