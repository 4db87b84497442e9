import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { kathedra, refusal, type Kathedra, type Row, type Teacher } from './course-school-school.ts'

let app: Kathedra
let me: Teacher
beforeAll(async () => {
  app = await kathedra()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  me = await app.newcomer()
})

const courseNo = async (nth: number): Promise<string> => String((await me.all('/courses')).at(nth)?.['no'])
const first = async (path: string): Promise<Row> => (await me.read<{ rows: Row[] }>(path)).rows[0]!
const state = async (no: unknown): Promise<Row> => me.read(`/comments/${String(no)}`)

test('enrolling somebody new adds them to the school, on top of the list, and mails them', async () => {
  const course = await courseNo(-1)
  const answer = await me.form(`/courses/${course}/enrolments`, { mail: ' Ana.New@Mail.Example ', full_name: 'Ana Né' })
  const uid = /students\/(\d+)\?enrolled=\d+&fresh=1/.exec(answer.headers.get('location') ?? '')?.[1]
  const student = await first('/students?size=1')
  expect(student).toMatchObject({ uid: Number(uid), full_name: 'Ana Né', mail: 'ana.new@mail.example' })
  expect(await me.all(`/students?course=${course}`)).toEqual([student])
  expect(await app.effects(me)).toEqual([
    {
      action: 'enrolment.add',
      body: {
        course: Number(course),
        uid: Number(uid),
        full_name: 'Ana Né',
        mail: 'ana.new@mail.example',
        fresh: true,
        welcomed: 'ana.new@mail.example',
      },
    },
  ])
})

test('enrolling somebody known neither adds nor renames them, and works once', async () => {
  const course = await courseNo(-1)
  const known = (await me.all('/students'))[20]!
  const fields = { mail: String(known['mail']).toUpperCase(), full_name: 'Somebody else' }
  expect((await me.form(`/courses/${course}/enrolments`, fields)).headers.get('location')).toContain('fresh=0')
  expect(await me.all(`/students?course=${course}`)).toEqual([known])
  expect(await me.all('/students')).toHaveLength(170)
  expect(await refusal(await me.form(`/courses/${course}/enrolments`, fields))).toBe('409 ALREADY_ENROLLED')
  expect(await app.effects(me)).toHaveLength(1)
})

test.each([
  [{}, '422 MAIL_REQUIRED'],
  [{ mail: 'nobody' }, '422 MAIL_INVALID'],
  [{ mail: 'a@b.example', full_name: 'x'.repeat(121) }, '422 FULL_NAME_TOO_LONG'],
])('an enrolment of %j is refused with %s', async (fields, outcome) => {
  expect(await refusal(await me.form(`/courses/${await courseNo(0)}/enrolments`, { ...fields }))).toBe(outcome)
  expect(await me.all('/students')).toHaveLength(170)
})

test('a mailing reaches exactly those who are meant', async () => {
  const course = await courseNo(0)
  const mail = { subject: 'Olá', message: 'Até já\r\n!' }
  const some = (await me.all('/students')).slice(3, 5).map(({ uid }) => String(uid))
  const picked: [string, string][] = [...some, some[0]!].map((uid) => ['uids', uid])
  const answers = [
    await me.form('/mailings', [...Object.entries(mail), ['to', 'picked'], ...picked]),
    await me.form('/mailings', { ...mail, to: 'course', course }),
    await me.form('/mailings', { ...mail, to: 'everyone' }),
  ]
  const sent = answers.map(({ headers }) => Number(/sent=(\d+)/.exec(headers.get('location') ?? '')?.[1]))
  expect(sent).toEqual([2, 110, 170])
  const [to_some, to_course] = await app.effects(me)
  expect(to_some?.body).toMatchObject({ to: 'picked', uids: some.map(Number), subject: 'Olá', message: 'Até já\n!' })
  const enrolled = (await me.all(`/students?course=${course}`)).map(({ uid }) => Number(uid))
  expect(to_course?.body['uids']).toEqual(enrolled.toSorted((a, b) => a - b))
})

test.each([
  [{}, '422 TO_INVALID'],
  [{ to: 'picked', subject: 'x', message: 'x' }, '422 UIDS_REQUIRED'],
  [{ to: 'picked', uids: '1', subject: 'x', message: 'x' }, '404 STUDENT_NOT_FOUND'],
  [{ to: 'course', course: '1', subject: 'x', message: 'x' }, '404 COURSE_NOT_FOUND'],
  [{ to: 'everyone', message: 'x' }, '422 SUBJECT_REQUIRED'],
  [{ to: 'everyone', subject: 'x'.repeat(151), message: 'x' }, '422 SUBJECT_TOO_LONG'],
  [{ to: 'everyone', subject: 'x', message: ' ' }, '422 MESSAGE_REQUIRED'],
])('a mailing of %j is refused with %s', async (fields, outcome) => {
  expect(await refusal(await me.form('/mailings', { ...fields }))).toBe(outcome)
  expect(await app.effects(me)).toEqual([])
})

test('a mailing to a course that nobody is in is refused', async () => {
  const fields = { to: 'course', course: await courseNo(-1), subject: 'x', message: 'x' }
  expect(await refusal(await me.form('/mailings', fields))).toBe('409 NO_RECIPIENTS')
})

test.each([
  ['allow', 'live'],
  ['refuse', 'refused'],
])('to %s a held comment makes it %s, once; only what is live is public', async (verdict, outcome) => {
  const held = (await me.all('/comments?state=held')).find(({ course }) => String(course).endsWith('00001'))!
  const shown = async (): Promise<boolean> =>
    (await (await fetch(`${me.base}/learn/${(await me.session()).school.no}/aguarela`)).text()).includes(
      `id="c${String(held['no'])}"`,
    )
  expect(await shown()).toBe(false)
  const answer = await me.form(`/comments/${String(held['no'])}/verdict`, { verdict })
  expect(answer.headers.get('location')).toContain(`?state=${outcome}`)
  expect(await state(held['no'])).toEqual({ ...held, state: outcome, seen: true })
  expect(await shown()).toBe(outcome === 'live')
  for (const again of ['allow', 'refuse']) {
    const refused = await me.form(`/comments/${String(held['no'])}/verdict`, { verdict: again })
    expect(await refusal(refused)).toBe('409 COMMENT_NOT_HELD')
  }
  expect(await app.effects(me)).toEqual([
    { action: `comment.${verdict}`, body: { comment: held['no'], state: outcome } },
  ])
})

test('a reply is a live comment of the owner and marks what it answers as seen', async () => {
  const comment = await first('/comments?state=live&unseen=1')
  const answer = await me.form(`/comments/${String(comment['no'])}/replies`, { text: 'Obrigada!' })
  const reply = Number(/reply=(\d+)/.exec(answer.headers.get('location') ?? '')?.[1])
  expect(await first('/comments')).toMatchObject({
    no: reply,
    reply_to: comment['no'],
    course: comment['course'],
    lecture: comment['lecture'],
    text: 'Obrigada!',
    state: 'live',
    seen: true,
  })
  expect((await state(comment['no']))['seen']).toBe(true)
})

test.each([
  ['held', 'x', '409 COMMENT_NOT_LIVE'],
  ['refused', 'x', '409 COMMENT_NOT_LIVE'],
  ['live', '', '422 TEXT_REQUIRED'],
  ['live', 'x'.repeat(2001), '422 TEXT_TOO_LONG'],
])('a reply to a %s comment is refused with its text %.3s: %s', async (which, text, outcome) => {
  const comment = await first(`/comments?state=${which}`)
  expect(await refusal(await me.form(`/comments/${String(comment['no'])}/replies`, { text }))).toBe(outcome)
  expect(await state(comment['no'])).toEqual(comment)
})

test('without moderation there is no queue, and what people say is live at once', async () => {
  const open = await app.newcomer('open_owner')
  expect(await refusal(await open.get('/api/schools/mine/comments?state=held'))).toBe('409 MODERATION_OFF')
  const states = async (teacher: Teacher): Promise<Set<unknown>> =>
    new Set((await teacher.all('/comments')).map((row) => row['state']))
  expect(await states(open)).toEqual(new Set(['live', 'refused']))
  const live = await open.read<{ rows: Row[] }>('/comments?state=live&size=1')
  const judged = await open.form(`/comments/${String(live.rows[0]?.['no'])}/verdict`, { verdict: 'refuse' })
  expect(await refusal(judged)).toBe('409 MODERATION_OFF')
  expect((await me.form('/settings/moderation', { on: '0' })).status).toBe(303)
  expect(await states(me)).toEqual(new Set(['live', 'refused']))
  expect(await refusal(await me.form('/settings/moderation', { on: '0' }))).toBe('409 MODERATION_UNCHANGED')
})

test('a comment is marked as seen once', async () => {
  const comment = await first('/comments?unseen=1')
  expect((await me.form(`/comments/${String(comment['no'])}/seen`)).status).toBe(303)
  expect(await state(comment['no'])).toEqual({ ...comment, seen: true })
  expect(await refusal(await me.form(`/comments/${String(comment['no'])}/seen`))).toBe('409 COMMENT_ALREADY_SEEN')
})
