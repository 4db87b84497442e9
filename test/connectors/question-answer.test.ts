import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { ownOrigin } from '../../connectors/runtime/site.ts'

let member: AppCaller
let root: string
beforeAll(async () => {
  member = await AppCaller.open('question-answer')
  root = ownOrigin(member.app)
})
beforeEach(() => member.sandbox.reset())
afterAll(() => member.sandbox.close())

const search = (query: string, limit = 50, user?: string) =>
  member.rows('search_questions', 'questions', { query, limit }, user)
const detail = (question_url: unknown, more: Row = {}) => member.call('get_question', { question_url, ...more })
const fold = (text: unknown) => String(text).normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const times = (rows: readonly Row[], key: string) => values(rows, key).map((time) => Date.parse(String(time)))
const descending = (numbers: readonly number[]) => numbers.toSorted((a, b) => b - a)

describe('questions', () => {
  test('are found by their words, in any case, order and accents, the phrase first', async () => {
    const found = await search('BREAD sourdough')
    expect(found.length).toBeGreaterThan(2)
    for (const { question, question_url, answers } of found) {
      expect(fold(question)).toContain('sourdough bread')
      expect(String(question_url)).toMatch(new RegExp(`^${root}q/[a-z0-9-]+$`))
      expect(Number.isInteger(answers)).toBe(true)
    }
    expect(await search('sourdough bread')).toEqual(found)
    expect(await search('creme brulee')).toEqual(await search('Crème Brûlée'))
    expect((await search('creme brulee')).length).toBeGreaterThan(2)
    expect(await search('no such words anywhere')).toEqual([])
    await member.call('ask_question', { question: 'Is bread better than sourdough?' })
    expect(values(await search('sourdough bread'), 'question').at(-1)).toBe('Is bread better than sourdough?')
  })

  test('come newest first, 20 by default and up to 50', async () => {
    const newest = await search('volunteer')
    await member.call('ask_question', { question: 'Who volunteers here?' })
    expect(values(await search('volunteer', 2), 'question')).toEqual(['Who volunteers here?', newest[0]?.['question']])
    const all = await search('what')
    expect(all.length).toBe(50)
    expect(await member.rows('search_questions', 'questions', { query: 'what' })).toEqual(all.slice(0, 20))
    expect(await search('what', 1)).toEqual(all.slice(0, 1))
    expect(new Set(values(all, 'question_url')).size).toBe(50)
  })

  test.each(['🙂'.repeat(500), 'ما هي', 'איך', '天空', '<b>bold</b> & "quoted"', "' OR 1=1 --", '%', 'a&b=c#d?e'])(
    'are searched for odd words as they are (%#)',
    async (query) => {
      for (const { question } of await search(query))
        for (const word of query.split(' ')) expect(fold(question)).toContain(fold(word))
    },
  )

  test('in all scripts are found and read', async () => {
    for (const query of ['ما هي', 'איך', '天空', '<b>bold</b>', 'Y?']) {
      const [first] = await search(query)
      expect(String(first?.['question'])).toContain(query)
      const { top_answers, ...row } = await detail(first?.['question_url'], { answers_limit: 0 })
      expect(row).toEqual(first)
      expect(top_answers).toEqual([])
    }
  })

  test('show their most upvoted answers, 5 by default, none to 20', async () => {
    const popular = (await search('get started with volunteer work'))[0]
    expect(popular?.['answers']).toBe(33)
    const top = async (more: Row) => (await detail(popular?.['question_url'], more))['top_answers'] as Row[]
    const all = await top({ answers_limit: 20 })
    expect(all.length).toBe(20)
    const upvotes = values(all, 'upvotes').map(Number)
    expect(upvotes).toEqual(descending(upvotes))
    expect(new Set(upvotes).size).toBeGreaterThan(1)
    expect(await top({})).toEqual(all.slice(0, 5))
    expect(await top({ answers_limit: 1 })).toEqual(all.slice(0, 1))
    expect(await top({ answers_limit: 0 })).toEqual([])
    for (const { author, preview } of all) {
      expect(author).not.toBe('')
      expect(String(preview)).not.toMatch(/<p>|&(amp|lt|gt|quot|#39);/)
    }
    expect(values(all, 'preview')).toContain('Nobody knows; whoever says so is selling something. 5 < 6 & 7 > 6.')
    expect((await search('recommend a book about volunteer work'))[0]).toMatchObject({ answers: 0 })
  })

  test('are read by their address with whatever stands behind it, and by no other', async () => {
    const url = String((await search('old bicycles'))[0]?.['question_url'])
    const whole = await detail(url)
    expect(whole['question_url']).toBe(url)
    expect(await detail(`${url}?done=asked#reply-1`)).toEqual(whole)
    expect(await detail(url.replace(/:\d+\//, '/'))).toEqual(whole)
    for (const other of [
      `${url}/replies/1`,
      `${url}/`,
      `${url}-`,
      `${url}%2F..`,
      root,
      `${root}q/`,
      `${root}rooms/101135`,
      url.replace('localhost', 'elsewhere.example'),
      url.replace('/question-answer/', '/'),
      url.replace('/question-answer/', '/crm/question-answer/'),
      'mailto:somebody@mail.example',
      url.replace(/:\d+\//, ':80900/'),
      url.replace('localhost', '999.999.999.999'),
    ]) {
      expect(await member.refused('get_question', { question_url: other }), other).toBe('ASK_NOT_FOUND')
      const answer = { question_url: other, body_markdown: 'Hello' }
      expect(await member.refused('post_answer', answer), other).toBe('ASK_NOT_FOUND')
    }
    expect(await member.control.effects()).toEqual([])
  })
})

describe('answers', () => {
  test('are public at once, count, and settle the requests for them', async () => {
    const [request] = await member.rows('list_answer_requests', 'requests', { limit: 1 })
    const { question, question_url } = request ?? {}
    const before = await detail(question_url, { answers_limit: 0 })
    const body_markdown =
      'Über **all**, & <b>more</b>:\n\n![p](https://pictures.example/a.png?b=1&c=2)\n\n"Ende" 🙂 שלום'
    const made = await member.call('post_answer', { question_url, body_markdown })
    const { answer_id, url, created_at } = made
    expect(made).toEqual({ answer_id, status: 'published', url, created_at })
    expect(url).toBe(`${String(question_url)}/replies/${String(answer_id)}`)
    expect(Math.abs(Date.now() - Date.parse(String(created_at)))).toBeLessThan(60_000)
    expect(await fetch(String(url)).then(({ status }) => status)).toBe(200)

    const mine = await member.rows('list_my_answers', 'answers', { limit: 2 })
    expect(mine[0]).toEqual({ answer_id, question, url, created_at })
    const after = await detail(question_url, { answers_limit: 20 })
    expect(after['answers']).toBe(Number(before['answers']) + 1)
    expect(after['top_answers']).toContainEqual({
      author: 'Élodie Marchand',
      upvotes: 0,
      preview: 'Über all, & <b>more</b>: "Ende" 🙂 שלום',
    })
    const waiting = await member.rows('list_answer_requests', 'requests', { limit: 50 })
    expect(waiting.length).toBe(50)
    expect(values(waiting, 'question_url')).not.toContain(question_url)
    const effects = await member.control.effects()
    expect(effects.length).toBe(1)
    expect(effects[0]?.body).toMatchObject({ text: body_markdown })
  })

  test.each([
    ['of blanks', ' \n\t', 'TEXT_REQUIRED'],
    ['with a picture that has no address', '![x](data:image/png;base64,AAAA)', 'IMAGE_NOT_BY_ADDRESS'],
    ['with a picture of this machine', 'a ![x](photo.png) b', 'IMAGE_NOT_BY_ADDRESS'],
  ])('%s are refused', async (_what, body_markdown, code) => {
    const question_url = (await search('old bicycles'))[0]?.['question_url']
    expect(await member.refused('post_answer', { question_url, body_markdown })).toBe(code)
    expect(await member.control.effects()).toEqual([])
  })

  test('of 20000 characters are taken, and several to one question', async () => {
    const question_url = (await search('old bicycles'))[0]?.['question_url']
    const { answers } = await detail(question_url)
    await member.call('post_answer', { question_url, body_markdown: '🙂é'.repeat(10_000) })
    await member.call('post_answer', { question_url, body_markdown: 'x' })
    expect((await detail(question_url))['answers']).toBe(Number(answers) + 2)
  })

  test.each([
    ['demo', 1],
    ['poor', 7],
    ['stranger', 50],
  ])('of %s are listed newest first to their end in pages of %d, while some are written', async (user, limit) => {
    const whole = await member.every('list_my_answers', 'answers', { limit: 50 }, undefined, user)
    expect(whole.length).toBe(80)
    expect(times(whole, 'created_at')).toEqual(descending(times(whole, 'created_at')))
    const question_url = (await search('old bicycles', 1, user))[0]?.['question_url']
    const write = () => member.call('post_answer', { question_url, body_markdown: 'Meanwhile' }, user)
    const paged = await member.every(
      'list_my_answers',
      'answers',
      { limit },
      (page) => (page === 1 ? write() : undefined),
      user,
    )
    expect(paged).toEqual(whole)
    expect(new Set(values(whole, 'answer_id')).size).toBe(80)
    const now = await member.rows('list_my_answers', 'answers', {}, user)
    expect(now.length).toBe(20)
    expect(now.slice(1)).toEqual(whole.slice(0, 19))
  })
})

describe('requests', () => {
  test('are listed newest first, 20 by default, and can be answered', async () => {
    const all = await member.rows('list_answer_requests', 'requests', { limit: 50 })
    expect(times(all, 'requested_at')).toEqual(descending(times(all, 'requested_at')))
    expect(await member.rows('list_answer_requests', 'requests', {})).toEqual(all.slice(0, 20))
    expect(await member.rows('list_answer_requests', 'requests', { limit: 1 })).toEqual(all.slice(0, 1))
    expect(values(all, 'requested_by')).toContain('Somebody')
    for (const { question, question_url } of all.slice(0, 3))
      expect(await detail(question_url)).toMatchObject({ question, question_url })
  })
})

test('nothing of one member is seen or touched by another', async () => {
  const seen = async (user: string) => [
    ...values(await search('what', 50, user), 'question_url'),
    ...values(await member.rows('list_my_answers', 'answers', { limit: 50 }, user), 'answer_id'),
    ...values(await member.rows('list_answer_requests', 'requests', { limit: 50 }, user), 'question_url'),
  ]
  const mine = await seen('demo')
  const theirs = await seen('stranger')
  expect(theirs.length).toBe(150)
  expect(theirs.filter((one) => mine.includes(one))).toEqual([])
  const question_url = mine[0]
  expect(await member.refused('get_question', { question_url }, 'stranger')).toBe('ASK_NOT_FOUND')
  const answer = { question_url, body_markdown: 'Hello' }
  expect(await member.refused('post_answer', answer, 'stranger')).toBe('ASK_NOT_FOUND')
  expect(await member.control.effects()).toEqual([])
})

describe('inputs', () => {
  const limits: [Row[], Row[]] = [
    [{}, { limit: 1 }, { limit: 50 }],
    [{ limit: 0 }, { limit: 51 }, { limit: 1.5 }, { limit: '5' }, { other: 1 }],
  ]
  const url = 'http://localhost:8090/question-answer/q/why-2s0b'
  const about = (more: Row) => ({ question_url: url, ...more })
  const cases: [string, Row[], Row[]][] = [
    [
      'search_questions',
      [...limits[0].map((one) => ({ query: 'a', ...one })), { query: 'x'.repeat(500) }],
      [...limits[1].map((one) => ({ query: 'a', ...one })), {}, { query: '' }, { query: 'x'.repeat(501) }],
    ],
    [
      'get_question',
      [about({}), about({ answers_limit: 0 }), about({ answers_limit: 20 })],
      [{}, { question_url: 'why-2s0b' }, about({ answers_limit: -1 }), about({ answers_limit: 21 })],
    ],
    ['list_my_answers', limits[0], [...limits[1], { cursor: 'made-up' }]],
    ['list_answer_requests', limits[0], [...limits[1], { cursor: 'made-up' }]],
    ['list_my_spaces', [{}], [{ limit: 1 }]],
    ['get_space_stats', [{ space_id: '1' }], [{}, { space_id: '' }, { space_id: 1 }, { space_id: '../1' }]],
    ['list_space_submissions', [{ space_id: '1' }], [{}, { space_id: 'a/b' }]],
    [
      'post_answer',
      [about({ body_markdown: 'x' }), about({ body_markdown: '🙂'.repeat(20_000) })],
      [about({}), { body_markdown: 'x' }, about({ body_markdown: '' }), about({ body_markdown: 'x'.repeat(20_001) })],
    ],
    [
      'ask_question',
      [
        { question: '?' },
        { question: 'Why?  ' },
        { question: '為什麼？' },
        { question: 'لماذا؟', space_id: '1' },
        { question: `${'🙂'.repeat(249)}?` },
      ],
      [{}, { question: 'Why' }, { question: 'Why? Because.' }, { question: '' }, { question: `${'x'.repeat(250)}?` }],
    ],
    [
      'post_to_space',
      [
        { space_id: '1', body_markdown: 'x' },
        { space_id: '1', body_markdown: 'x'.repeat(20_000), title: 'x'.repeat(250), publish: 'now' },
        { space_id: '1', body_markdown: 'x', title: '', publish: 'queued' },
      ],
      [
        { space_id: '1' },
        { body_markdown: 'x' },
        { space_id: '1', body_markdown: '' },
        { space_id: '1', body_markdown: 'x'.repeat(20_001) },
        { space_id: '1', body_markdown: 'x', title: 'x'.repeat(251) },
        { space_id: '1', body_markdown: 'x', publish: 'queue' },
      ],
    ],
    [
      'review_space_submission',
      ['approve', 'queue', 'pass'].map((decision) => ({ submission_id: '1', decision })),
      [{ submission_id: '1' }, { decision: 'pass' }, { submission_id: '1', decision: 'skip' }],
    ],
  ]

  test.each(cases)('of %s are accepted up to their bounds and not beyond', (name, good, bad) => {
    for (const input of good) expect(member.takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(true)
    for (const input of bad) expect(member.takes(name, input), JSON.stringify(input).slice(0, 200)).toBe(false)
  })
})
