import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, values } from './app-caller.ts'
import type { Row } from './app-caller.ts'
import { exampleOf } from '../../connectors/examples.ts'

let owner: AppCaller
beforeAll(async () => {
  owner = await AppCaller.open('course-school')
})
beforeEach(() => owner.sandbox.reset())
afterAll(() => owner.sandbox.close())

const lessonsOf = (section: Row | undefined): Row[] => (section?.['lessons'] ?? []) as Row[]
const lesson = { course_id: '100001', lesson_id: '120001' }

describe('each paged list', () => {
  const lists = [
    {
      name: 'list_students',
      key: 'students',
      id: 'user_id',
      at: 'joined_at',
      filter: { course_id: '100002' },
      add: () => owner.call('enroll_student', { course_id: '100002', email: 'late@mail.example' }),
    },
    {
      name: 'list_comments',
      key: 'comments',
      id: 'comment_id',
      at: 'created_at',
      filter: { course_id: '100001' },
      add: () => owner.call('reply_to_comment', { comment_id: '150288', body: 'Thanks' }),
    },
  ]

  test.each(lists)('$name is read to its end with the smallest page, also while items are added', async (list) => {
    const { name, key, id, filter, add } = list
    const whole = values(await owner.every(name, key, { ...filter, limit: 100 }), id)
    expect(whole.length).toBeGreaterThanOrEqual(60)
    expect(new Set(whole).size).toBe(whole.length)
    const single = await owner.every(name, key, { ...filter, limit: 1 }, (page) => (page === 2 ? add() : undefined))
    expect(values(single, id)).toEqual(whole)
    const [added, second] = values(await owner.rows(name, key, { ...filter, limit: 2 }), id)
    expect(second).toBe(whole[0])
    expect(whole).not.toContain(added)
  })

  test.each(lists)('$name comes newest first, 50 a page, of the whole school unless said', async (list) => {
    const { name, key, at, filter } = list
    const whole = await owner.every(name, key, {})
    const times = values(whole, at).map((time) => Date.parse(String(time)))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(await owner.rows(name, key, {})).toEqual(whole.slice(0, 50))
    const some = await owner.every(name, key, { ...filter, limit: 100 })
    expect(some).toEqual(whole.filter((row) => some.some((one) => one[list.id] === row[list.id])))
    expect(some.length).toBeLessThan(whole.length)
    for (const [limit, good] of [
      [0, false],
      [1, true],
      [100, true],
      [101, false],
    ] as const)
      expect(owner.takes(name, { limit })).toBe(good)
    expect(await owner.refused(name, { course_id: '1' })).toBe('COURSE_NOT_FOUND')
  })
})

describe('courses', () => {
  test('are all listed, or those that are published, or not', async () => {
    const all = await owner.rows('list_courses', 'courses', {})
    for (const published of [true, false]) {
      const some = await owner.rows('list_courses', 'courses', { published })
      expect(some).toEqual(all.filter((course) => course['published'] === published))
      expect(some.length).toBeGreaterThan(0)
    }
  })

  test('have their sections and lessons in the order that students see', async () => {
    const sections = await owner.rows('get_curriculum', 'sections', { course_id: '100001' })
    const ids = ['110008', '110002', '110005', '110006', '110004', '110007', '110003', '110001']
    expect(values(sections, 'section_id')).toEqual(ids)
    const lessons = values(lessonsOf(sections.at(-1)), 'lesson_id')
    expect(lessons).toEqual(['120007', '120003', '120001', '120004', '120006', '120002', '120005'])
    expect(lessonsOf(sections.at(-1))[2]).toEqual({
      lesson_id: '120001',
      name: 'Häufige Fehler',
      published: true,
      public_preview: true,
    })
    // Of this course one section has no lessons, and is there.
    const ceramics = await owner.rows('get_curriculum', 'sections', { course_id: '100004' })
    expect(ceramics.filter((section) => lessonsOf(section).length === 0).length).toBe(1)
  })
})

describe('lessons', () => {
  test('have blocks of every kind, with a text or a title', async () => {
    const types = new Set<unknown>()
    for (const lesson_id of ['120001', '120003', '120005'])
      for (const block of await owner.rows('get_lesson', 'blocks', { course_id: '100001', lesson_id })) {
        types.add(block['type'])
        expect(Object.keys(block)[2]).toBe(block['type'] === 'text_and_image' ? 'body_markdown' : 'title')
      }
    expect(types).toEqual(new Set(['text_and_image', 'video', 'pdf_viewer', 'audio', 'resource', 'quiz']))
    expect(values(await owner.rows('get_lesson', 'blocks', lesson), 'block_id')).toEqual(
      ['130004', '130003', '130002', '130001'], // not the order in which they were made
    )
  })

  test('are created unpublished at the end of their section, and published and unpublished once each', async () => {
    const where = { course_id: '100001', section_id: '110001' }
    const text = 'À vous!\n\n![x](https://images.example/x.jpg) & <b>"1"</b> 😀 = 100% +1'
    const made = await owner.call('create_lesson', { ...where, title: 'Últimos passos', body_markdown: text })
    expect(made).toEqual({
      lesson_id: expect.stringMatching(/^\d+$/),
      name: 'Últimos passos',
      section_id: '110001',
      published: false,
    })
    const { lesson_id } = made
    const shown = { course_id: '100001', lesson_id }
    expect(await owner.call('get_lesson', shown)).toEqual({
      lesson_id,
      name: 'Últimos passos',
      published: false,
      blocks: [{ block_id: expect.stringMatching(/^\d+$/), type: 'text_and_image', body_markdown: text }],
    })
    const sections = await owner.rows('get_curriculum', 'sections', { course_id: '100001' })
    const section = sections.find(({ section_id }) => section_id === '110001')
    expect(lessonsOf(section).at(-1)).toMatchObject({ lesson_id, published: false })

    expect(await owner.refused('publish_lesson', { ...shown, published: false })).toBe('LECTURE_ALREADY_HIDDEN')
    expect(await owner.call('publish_lesson', shown)).toEqual({ lesson_id, published: true })
    expect(await owner.call('get_lesson', shown)).toMatchObject({ published: true })
    expect(await owner.refused('publish_lesson', { ...shown, published: true })).toBe('LECTURE_ALREADY_LIVE')
    expect(await owner.call('publish_lesson', { ...shown, published: false })).toEqual({ lesson_id, published: false })
    expect(await owner.call('get_lesson', shown)).toMatchObject({ published: false })
    const bare = await owner.call('create_lesson', { ...where, title: 'Bare' })
    expect(await owner.rows('get_lesson', 'blocks', { course_id: '100001', lesson_id: bare['lesson_id'] })).toEqual([])
    expect((await owner.control.effects()).length).toBe(4)
  })

  const texts = { '130002': 'second', '130004': 'first' }
  test.each([
    ['the name alone', { title: 'Só o nome' }, null, {}],
    ['the first text', { body_markdown: 'é\n"x"' }, '130004', { '130004': 'é\n"x"' }],
    ['a text that is named', { body_markdown: 'y', block_id: '130002' }, '130002', { '130002': 'y' }],
    ['both', { title: 'B', body_markdown: 'z' }, '130004', { '130004': 'z' }],
    ['a text to nothing', { body_markdown: '' }, '130004', { '130004': '' }],
  ])('change in %s, and other blocks stay', async (_what, change, block, changed: Readonly<Record<string, string>>) => {
    for (const [block_id, body_markdown] of Object.entries(texts))
      await owner.call('update_lesson', { ...lesson, block_id, body_markdown })
    const before = await owner.call('get_lesson', lesson)
    const answer = await owner.call('update_lesson', { ...lesson, ...change })
    const name = 'title' in change ? change.title : before['name']
    const known = { lesson_id: '120001', name, updated_block_id: block, published: true }
    expect(answer).toEqual({ ...known, updated_at: expect.stringMatching(/Z$/) })
    expect(Math.abs(Date.parse(String(answer['updated_at'])) - Date.now())).toBeLessThan(60_000)
    const blocks = (before['blocks'] as Row[]).map((one) => {
      const body_markdown = changed[String(one['block_id'])]
      return body_markdown === undefined ? one : { ...one, body_markdown }
    })
    expect(await owner.call('get_lesson', lesson)).toEqual({ ...before, name, blocks })
  })

  test.each([
    ['update_lesson', { ...lesson, title: 'x', block_id: '130002' }, 'MD_REQUIRED'],
    ['update_lesson', { ...lesson, body_markdown: 'x', block_id: '130001' }, 'PIECE_NOT_TEXT'],
    ['update_lesson', { ...lesson, body_markdown: 'x', block_id: '130009' }, 'PIECE_NOT_FOUND'],
    ['update_lesson', { ...lesson, lesson_id: '120003', body_markdown: 'x' }, 'NO_TEXT_PIECE'],
    ['update_lesson', { ...lesson, title: ' ' }, 'HEADING_REQUIRED'],
    ['update_lesson', { course_id: '100002', lesson_id: '120001', title: 'x' }, 'LECTURE_NOT_FOUND'],
    ['publish_lesson', { course_id: '100001', lesson_id: '1' }, 'LECTURE_NOT_FOUND'],
    ['create_lesson', { course_id: '100001', section_id: '110009', title: 'x' }, 'SECTION_NOT_FOUND'],
    ['create_lesson', { course_id: '1', section_id: '110009', title: 'x' }, 'COURSE_NOT_FOUND'],
    ['get_curriculum', { course_id: '1' }, 'COURSE_NOT_FOUND'],
    ['get_lesson', { course_id: '100001', lesson_id: '1' }, 'LECTURE_NOT_FOUND'],
  ])('%s %j is refused by the app', async (name, input, code) => {
    expect(await owner.refused(name, input)).toBe(code)
    expect(await owner.control.effects()).toEqual([])
  })
})

describe('two schools', () => {
  test('never see each other', async () => {
    for (const [name, key, id] of [
      ['list_courses', 'courses', 'course_id'],
      ['list_students', 'students', 'user_id'],
      ['list_comments', 'comments', 'comment_id'],
      ['list_coupons', 'coupons', 'coupon_id'],
    ] as const) {
      const mine = values(await owner.rows(name, key, {}), id)
      const theirs = values(await owner.rows(name, key, {}, 'stranger'), id)
      expect(theirs.length).toBeGreaterThan(0)
      expect(theirs.filter((one) => mine.includes(one))).toEqual([])
    }
  })

  test('cannot read or change what belongs to the other', async () => {
    const own = ['list_courses', 'list_students', 'list_comments', 'list_coupons', 'create_coupon']
    const names = [...owner.app.endpoints.keys()].filter((name) => !own.includes(name))
    expect(names.length).toBe(10)
    for (const name of names) {
      const input = exampleOf('course-school', name, new Date())?.input
      expect(await owner.refused(name, input, 'stranger'), name).toMatch(/_NOT_FOUND$/)
    }
    expect(await owner.control.effects()).toEqual([])
  })
})
