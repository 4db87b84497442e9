import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, dayFromNow, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { ownOrigin } from '../../connectors/runtime/site.ts'

let member: AppCaller
let spaces: Row[]
beforeAll(async () => {
  member = await AppCaller.open('question-answer')
  spaces = await member.rows('list_my_spaces', 'spaces', {})
})
beforeEach(() => member.sandbox.reset())
afterAll(() => member.sandbox.close())

const fresh = '101141'
const desk = '101136'
/** Spaces of each role; the first of two takes submissions, the second does not. */
const byRole: Readonly<Record<string, readonly [string, string]>> = {
  owner: ['101145', '101140'],
  admin: ['101136', '101146'],
  moderator: ['101142', '101137'],
  contributor: ['101138', '101143'],
  follower: ['101139', '101149'],
}
const stranger = ['101163', '101164'] as const

const waiting = (space_id: string, user?: string) =>
  member.rows('list_space_submissions', 'submissions', { space_id }, user)
const stats = (space_id: string) => member.call('get_space_stats', { space_id })
const top = async (space_id: string) => (await stats(space_id))['top_content'] as Row[]
const search = (query: string) => member.rows('search_questions', 'questions', { query, limit: 50 })
const review = (submission_id: unknown, decision: string) =>
  member.call('review_space_submission', { submission_id, decision })
const isNow = (moment: unknown) => Math.abs(Date.now() - Date.parse(String(moment))) < 60_000

describe('spaces', () => {
  test('are those in which you have a role, each with its own', async () => {
    expect(spaces.length).toBe(28)
    for (const [role, ids] of Object.entries(byRole))
      for (const space_id of ids) {
        const space = spaces.find((one) => one['space_id'] === space_id)
        expect(space).toMatchObject({ role, url: `${ownOrigin(member.app)}rooms/${space_id}` })
        expect(space?.['name']).not.toBe('')
      }
    for (const space_id of stranger) expect(values(spaces, 'space_id')).not.toContain(space_id)
    expect(new Set(values(await member.rows('list_my_spaces', 'spaces', {}, 'poor'), 'role'))).toEqual(
      new Set(['contributor', 'follower']),
    )
  })

  test('show what was counted in all and in the last 7 days, and what is seen most', async () => {
    const { space_id, all_time, last_7_days, top_content } = await stats('101135')
    expect(space_id).toBe('101135')
    for (const name of ['views', 'followers', 'upvotes', 'comments', 'notification_clicks'])
      expect((all_time as Row)[name]).toBeGreaterThan((last_7_days as Row)[name] as number)
    const views = values(top_content as Row[], 'views').map(Number)
    expect(views.length).toBe(10)
    expect(views).toEqual(views.toSorted((a, b) => b - a))
    expect(views[0]).toBeGreaterThan(0)
    const none = { views: 0, followers: 0, upvotes: 0, comments: 0, notification_clicks: 0 }
    expect(await stats(fresh)).toEqual({ space_id: fresh, all_time: none, last_7_days: none, top_content: [] })
  })

  test.each(['101135', '101140', ...(byRole['admin'] ?? [])])(
    'count at least what their top content has: %s',
    async (space_id) => {
      const { all_time, top_content } = await stats(space_id)
      for (const name of ['views', 'upvotes']) {
        const counted = values(top_content as Row[], name).map(Number)
        expect(
          counted.reduce((sum, one) => sum + one, 0),
          name,
        ).toBeLessThanOrEqual(Number((all_time as Row)[name]))
      }
      for (const { views, upvotes } of top_content as Row[]) expect(Number(upvotes)).toBeLessThanOrEqual(Number(views))
    },
  )

  test.each(Object.entries(byRole))('of the role %s show stats and submissions to staff only', async (role, ids) => {
    const isStaff = ['owner', 'admin', 'moderator'].includes(role)
    for (const space_id of ids)
      for (const name of ['get_space_stats', 'list_space_submissions'])
        expect(await member.refused(name, { space_id }), name).toBe(isStaff ? 'ok' : 'PART_MISSING')
  })

  test.each(['get_space_stats', 'list_space_submissions'])('%s knows no made-up space', async (name) => {
    for (const space_id of ['1', 'x', '0101135', '101135 '])
      expect(await member.refused(name, { space_id }), space_id).toBe('ROOM_NOT_FOUND')
  })
})

describe('posts', () => {
  const post = (space_id: string, more: Row = {}) =>
    member.call('post_to_space', { space_id, body_markdown: 'Hello **there**', ...more })

  test('are published at once by default, and seen in the space', async () => {
    const title = 'Zoë & <b>שלום</b> "1" 🙂'
    const { post_id, publish_at, ...made } = await post(fresh, { title })
    expect(made).toEqual({ space_id: fresh, title, status: 'published' })
    expect(post_id).toMatch(/^\d+$/)
    expect(isNow(publish_at)).toBe(true)
    expect(await post(fresh, { publish: 'now' })).toMatchObject({ title: '', status: 'published' })
    expect(new Set(values(await top(fresh), 'title'))).toEqual(new Set(['', title]))
    const effects = await member.control.effects()
    expect(effects.length).toBe(2)
    expect(effects[0]?.body).toMatchObject({ headline: title, text: 'Hello **there**', timing: 'now' })
  })

  test('are queued one a day, and not seen before', async () => {
    const queued = [await post(fresh, { publish: 'queued' }), await post(fresh, { publish: 'queued' })]
    expect(values(queued, 'status')).toEqual(['queued', 'queued'])
    const [first = 0, second] = values(queued, 'publish_at').map((time) => Date.parse(String(time)))
    expect(first).toBeGreaterThan(Date.now())
    expect(first).toBeLessThanOrEqual(Date.now() + 86_400_000)
    expect(second).toBe(first + 86_400_000)
    expect(await top(fresh)).toEqual([])
  })

  test.each(Object.entries(byRole))('are written by all but followers: %s', async (role, ids) => {
    for (const space_id of ids) {
      const input = { space_id, body_markdown: 'x' }
      expect(await member.refused('post_to_space', input)).toBe(role === 'follower' ? 'PART_MISSING' : 'ok')
    }
    expect((await member.control.effects()).length).toBe(role === 'follower' ? 0 : 2)
  })

  test.each([
    [{ space_id: stranger[0], body_markdown: 'x' }, 'PART_MISSING'],
    [{ space_id: '1', body_markdown: 'x' }, 'ROOM_NOT_FOUND'],
    [{ space_id: fresh, body_markdown: ' \n ' }, 'TEXT_REQUIRED'],
    [{ space_id: fresh, body_markdown: '![a](a.png)' }, 'IMAGE_NOT_BY_ADDRESS'],
  ])('are refused: %j is %s', async (input, code) => {
    expect(await member.refused('post_to_space', input)).toBe(code)
    expect(await member.control.effects()).toEqual([])
  })

  test('are taken at their bounds', async () => {
    const long = { title: '🙂'.repeat(250), body_markdown: 'é\n'.repeat(10_000) }
    expect(await post(fresh, long)).toMatchObject({ title: long.title })
    expect((await member.control.effects())[0]?.body).toMatchObject({ text: long.body_markdown })
  })
})

describe('asking', () => {
  const ask = (question: string, more: Row = {}) => member.call('ask_question', { question, ...more })

  test('everywhere is live at once, and found', async () => {
    const question = 'Zoë & <b>José</b>: "wie" geht\'s 🙂 שלום?'
    const { question_url, created_at, ...made } = await ask(question)
    expect(made).toEqual({ status: 'published', submission_id: null })
    expect(isNow(created_at)).toBe(true)
    const row = { question, question_url, answers: 0 }
    expect(await search('wie geht 🙂')).toEqual([row])
    expect(await member.call('get_question', { question_url })).toEqual({ ...row, top_answers: [] })
    await member.call('post_answer', { question_url, body_markdown: 'Gut' })
    expect(await search('wie geht 🙂')).toEqual([{ ...row, answers: 1 }])
    expect((await ask(question))['question_url']).not.toBe(question_url)
    expect((await member.control.effects()).length).toBe(3)
  })

  test.each(['owner', 'admin', 'moderator', 'contributor'])('in a space is live at once as its %s', async (role) => {
    for (const space_id of byRole[role] ?? []) {
      const { status, question_url, submission_id } = await ask(`Is ${space_id} a good number?`, { space_id })
      expect([status, submission_id]).toEqual(['published', null])
      expect(values(await search(`${space_id} a good number`), 'question_url')).toEqual([question_url])
      if (role !== 'contributor')
        expect(values(await top(space_id), 'title')).toContain(`Is ${space_id} a good number?`)
    }
  })

  test.each([byRole['follower']![0], stranger[0]])(
    'in space %s as no contributor waits for review',
    async (space_id) => {
      const { submission_id, created_at, ...made } = await ask('May I come in?', { space_id })
      expect(made).toEqual({ status: 'waiting_for_review', question_url: null })
      expect(submission_id).toMatch(/^\d+$/)
      expect(isNow(created_at)).toBe(true)
      expect(await search('May I come in')).toEqual([])
      expect(await member.refused('review_space_submission', { submission_id, decision: 'approve' })).toBe(
        'PART_MISSING',
      )
      expect((await member.control.effects()).length).toBe(1)
    },
  )

  test.each([
    [byRole['follower']![1], 'ROOM_TAKES_NOTHING'],
    [stranger[1], 'ROOM_TAKES_NOTHING'],
    ['1', 'ROOM_NOT_FOUND'],
  ])('in space %s is refused with %s', async (space_id, code) => {
    expect(await member.refused('ask_question', { question: 'Why?', space_id })).toBe(code)
    expect(await member.control.effects()).toEqual([])
  })

  test.each(['?', '為什麼？', 'لماذا؟', 'Why?  ', `${'🙂'.repeat(249)}?`])(
    'takes a question mark of any script, up to 250 characters (%#)',
    async (question) => {
      const { question_url } = await ask(question)
      expect((await member.call('get_question', { question_url }))['question']).toBe(question)
    },
  )
})

describe('submissions', () => {
  test('are those that wait, first come first, with all their types', async () => {
    const rows = await waiting(desk)
    expect(rows.length).toBe(9)
    expect(new Set(values(rows, 'type'))).toEqual(new Set(['post', 'question', 'answer']))
    const times = values(rows, 'submitted_at').map((time) => Date.parse(String(time)))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(values(rows, 'author')).toContain('Somebody')
    const many = await waiting('101135')
    expect(many.length).toBe(66)
    expect(new Set(values(many, 'submission_id')).size).toBe(66)
    for (const role of ['owner', 'admin', 'moderator']) expect(await waiting(byRole[role]![1])).toEqual([])
    expect(await waiting(fresh)).toEqual([])
  })

  const decisions = { approve: 'approved', queue: 'queued', pass: 'passed' }
  test.each(Object.entries(decisions))('are decided once: %s makes it %s', async (decision, status) => {
    const rows = await waiting(desk)
    for (const type of ['post', 'question', 'answer']) {
      const { submission_id } = rows.find((row) => row['type'] === type) ?? {}
      const made = await review(submission_id, decision)
      expect(made).toMatchObject({ submission_id, status })
      const { publish_at } = made
      if (decision === 'approve') expect(isNow(publish_at)).toBe(true)
      if (decision === 'queue') expect(Date.parse(String(publish_at))).toBeGreaterThan(Date.now())
      if (decision === 'pass') expect(publish_at).toBeNull()
      for (const again of Object.keys(decisions))
        expect(await member.refused('review_space_submission', { submission_id, decision: again })).toBe(
          'ENTRY_SETTLED',
        )
      rows.splice(
        rows.findIndex((row) => row['submission_id'] === submission_id),
        1,
      )
      expect(await waiting(desk)).toEqual(rows)
    }
    expect((await member.control.effects()).length).toBe(3)
  })

  test('that are approved can be read: a question, an answer and a post', async () => {
    const rows = await waiting(desk)
    const one = (type: string) => rows.find((row) => row['type'] === type && row['title'] !== '') ?? {}
    const post = one('post')
    const same = async () => values(await top(desk), 'title').filter((title) => title === post['title']).length
    const shown = await same()
    await review(post['submission_id'], 'approve')
    expect(await same()).toBe(shown + 1)

    const question = one('question')
    const found = (await search(String(question['title']))).length
    await review(question['submission_id'], 'approve')
    expect((await search(String(question['title']))).length).toBe(found + 1)

    const answer = one('answer')
    const answers = async () => (await search(String(answer['title'])))[0]?.['answers']
    const before = await answers()
    await review(answer['submission_id'], 'approve')
    expect(await answers()).toBe(Number(before) + 1)
  })

  test('that are queued or passed on are not seen, and queued ones go on one a day', async () => {
    const before = await top(desk)
    const [first, second, third] = await waiting(desk)
    const moments = [await review(first?.['submission_id'], 'queue'), await review(second?.['submission_id'], 'queue')]
    const [one = 0, two] = values(moments, 'publish_at').map((time) => Date.parse(String(time)))
    expect(two).toBe(one + 86_400_000)
    expect(new Date(one).toISOString().slice(0, 10) > dayFromNow(0)).toBe(true)
    await review(third?.['submission_id'], 'pass')
    expect(await top(desk)).toEqual(before)
  })

  test.each(['1', 'x', '101135'])('%s is none', async (submission_id) => {
    expect(await member.refused('review_space_submission', { submission_id, decision: 'pass' })).toBe('ENTRY_NOT_FOUND')
    expect(await member.control.effects()).toEqual([])
  })
})

test('nothing of one member is seen or touched by another', async () => {
  const theirs = await member.rows('list_my_spaces', 'spaces', {}, 'stranger')
  expect(theirs.length).toBe(28)
  expect(values(theirs, 'space_id').filter((id) => values(spaces, 'space_id').includes(id))).toEqual([])
  const [submission] = await waiting(desk)
  const tries: [string, Row, string][] = [
    ['get_space_stats', { space_id: desk }, 'ROOM_NOT_FOUND'],
    ['list_space_submissions', { space_id: desk }, 'ROOM_NOT_FOUND'],
    ['post_to_space', { space_id: desk, body_markdown: 'x' }, 'ROOM_NOT_FOUND'],
    ['ask_question', { question: 'Why?', space_id: desk }, 'ROOM_NOT_FOUND'],
    [
      'review_space_submission',
      { submission_id: submission?.['submission_id'], decision: 'approve' },
      'ENTRY_NOT_FOUND',
    ],
  ]
  for (const [name, input, code] of tries) expect(await member.refused(name, input, 'stranger'), name).toBe(code)
  expect(await member.control.effects()).toEqual([])
})
