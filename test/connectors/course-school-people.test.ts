import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller, lisbonDay, values } from './app-caller.ts'

let owner: AppCaller
beforeAll(async () => {
  owner = await AppCaller.open('course-school')
})
beforeEach(() => owner.sandbox.reset())
afterAll(() => owner.sandbox.close())

describe('students', () => {
  test('join the school with their first course, and only the course with the next', async () => {
    const email = 'New.One+x@Mail.Example'
    const first = await owner.call('enroll_student', { course_id: '100002', email, name: 'Zoë “N”' })
    const { user_id } = first
    expect(first).toEqual({ user_id: expect.stringMatching(/^\d+$/), course_id: '100002', added_to_school: true })
    const again = await owner.call('enroll_student', { course_id: '100003', email, name: 'Somebody Else' })
    expect(again).toEqual({ user_id, course_id: '100003', added_to_school: false })
    const student = { user_id, name: 'Zoë “N”', email: email.toLowerCase(), joined_at: expect.stringMatching(/Z$/) }
    for (const filter of [{}, { course_id: '100002' }, { course_id: '100003' }])
      expect((await owner.rows('list_students', 'students', { ...filter, limit: 1 }))[0]).toEqual(student)
    expect(values(await owner.every('list_students', 'students', { course_id: '100005' }), 'user_id')).not.toContain(
      user_id,
    )
    expect(await owner.refused('enroll_student', { course_id: '100002', email })).toBe('ALREADY_ENROLLED')
    expect(await owner.refused('enroll_student', { course_id: '100002', email: 'nobody' })).toBe('MAIL_INVALID')
    expect(await owner.refused('enroll_student', { course_id: '1', email })).toBe('COURSE_NOT_FOUND')
    expect((await owner.control.effects()).length).toBe(2)
  })
})

describe('an email', () => {
  const text = { subject: 'Olá & <b>', body: 'First\n\nSecond 😀' }

  test('goes to chosen users, to the students of a course, or to all users', async () => {
    const all = await owner.every('list_students', 'students', { limit: 100 })
    const course = await owner.every('list_students', 'students', { course_id: '100002', limit: 100 })
    const user_ids = values(all.slice(0, 3), 'user_id')
    for (const [to, recipients] of [
      [{ user_ids }, 3],
      [{ course_id: '100002' }, course.length],
      [{ all_users: true }, all.length],
    ] as const)
      expect(await owner.call('send_email', { to, ...text })).toEqual({
        email_id: expect.stringMatching(/^\d+$/),
        recipients,
      })
    expect(course.length).toBeLessThan(all.length)
    expect((await owner.control.effects()).length).toBe(3)
  })

  test.each([
    [{}],
    [{ user_ids: ['140170'], course_id: '100002' }],
    [{ user_ids: ['140170'], all_users: true }],
    [{ course_id: '100002', all_users: true }],
    [{ all_users: false }],
    [{ user_ids: [] }],
    [{ user_ids: ['140170', '140170'] }],
  ])('is not taken when it is not clear who gets it: %j', (to) => {
    expect(owner.takes('send_email', { to, ...text })).toBe(false)
    expect(owner.takes('send_email', { to: { all_users: true }, ...text })).toBe(true)
  })

  test.each([
    [{ user_ids: ['140170', '1'] }, 'STUDENT_NOT_FOUND'],
    [{ course_id: '1' }, 'COURSE_NOT_FOUND'],
    [{ course_id: '100014' }, 'NO_RECIPIENTS'],
  ])('to %j is refused by the app', async (to, code) => {
    expect(await owner.refused('send_email', { to, ...text })).toBe(code)
    expect(await owner.control.effects()).toEqual([])
  })
})

describe('comments', () => {
  test('are filtered by status, by course, and by what is unread', async () => {
    const all = await owner.every('list_comments', 'comments', { limit: 100 })
    expect(new Set(values(all, 'status'))).toEqual(new Set(['pending', 'approved', 'denied']))
    for (const status of ['pending', 'denied', 'all'])
      for (const unread_only of [true, false])
        for (const filter of [{}, { course_id: '100001' }]) {
          const some = await owner.every('list_comments', 'comments', { status, unread_only, ...filter, limit: 100 })
          const wanted = all.filter(
            (one) =>
              (status === 'all' || one['status'] === status) &&
              (!unread_only || one['unread'] === true) &&
              (filter.course_id === undefined || one['course_id'] === filter.course_id),
          )
          expect(some).toEqual(wanted)
          expect(some.length).toBeGreaterThan(0)
        }
  })

  test('that are pending are approved or denied once, count as read then, and stay in the admin', async () => {
    const pending = await owner.rows('list_comments', 'comments', { status: 'pending', limit: 2 })
    for (const [index, status] of (['approved', 'denied'] as const).entries()) {
      const comment_id = pending[index]?.['comment_id']
      expect(await owner.call('moderate_comment', { comment_id, status })).toEqual({ comment_id, status })
      const all = await owner.every('list_comments', 'comments', { limit: 100 })
      expect(all.find((one) => one['comment_id'] === comment_id)).toEqual({ ...pending[index], status, unread: false })
      for (const next of ['approved', 'denied'])
        expect(await owner.refused('moderate_comment', { comment_id, status: next })).toBe('COMMENT_NOT_HELD')
      const now = await owner.every('list_comments', 'comments', { status: 'pending', limit: 100 })
      expect(values(now, 'comment_id')).not.toContain(comment_id)
    }
    expect((await owner.control.effects()).length).toBe(2)
  })

  test('get replies that everybody sees, and count as read then', async () => {
    const body = 'Obrigada!\n<i>Até já</i> & 😀'
    const answer = await owner.call('reply_to_comment', { comment_id: '150298', body })
    expect(answer).toEqual({ comment_id: '150298', reply_id: expect.stringMatching(/^\d+$/) })
    const comments = await owner.rows('list_comments', 'comments', { limit: 5 })
    const answered = comments.find(({ comment_id }) => comment_id === '150298')
    expect(answered).toMatchObject({ unread: false, status: 'approved' })
    expect(comments[0]).toMatchObject({
      comment_id: answer['reply_id'],
      course_id: answered?.['course_id'],
      lesson: answered?.['lesson'],
      body,
      status: 'approved',
      unread: false,
    })
    expect((await owner.control.effects()).length).toBe(1)
  })

  test('that nobody sees get no reply', async () => {
    for (const status of ['pending', 'denied']) {
      const [comment] = await owner.rows('list_comments', 'comments', { status, limit: 1 })
      const input = { comment_id: comment?.['comment_id'], body: 'x' }
      expect(await owner.refused('reply_to_comment', input)).toBe('COMMENT_NOT_LIVE')
    }
    expect(await owner.refused('reply_to_comment', { comment_id: '150298', body: ' ' })).toBe('TEXT_REQUIRED')
    expect(await owner.refused('reply_to_comment', { comment_id: '1', body: 'x' })).toBe('COMMENT_NOT_FOUND')
    expect(await owner.refused('moderate_comment', { comment_id: '1', status: 'denied' })).toBe('COMMENT_NOT_FOUND')
    expect(await owner.control.effects()).toEqual([])
  })

  test('have no pending queue in a school that does not moderate', async () => {
    const accounts = await owner.sandbox.accounts('course-school')
    const open = accounts.find(({ kind }) => kind === 'open_owner')!
    const list = async (status: string) => {
      const endpoint = owner.app.endpoints.get('list_comments')!
      return (await owner.sandbox.call(owner.app, endpoint, { status }, open.session)).outcome
    }
    expect(await list('pending')).toMatchObject({ kind: 'rejected', appCode: 'MODERATION_OFF' })
    expect(await list('all')).toMatchObject({ kind: 'ok' })
  })
})

describe('coupons', () => {
  const fresh = { used: 0, status: 'active' }
  const end = lisbonDay(400)
  test.each([
    [
      { code: 'abc', discount: '0.1%' },
      { code: 'ABC', name: 'ABC', discount: '0.1%', applies_to: 'all_products', expires_at: null, quantity: null },
    ],
    [
      { code: `-_${'Z'.repeat(30)}`, discount: '100%', quantity: 1, expires_at: lisbonDay(0), name: 'Zażółć & "x"' },
      { name: 'Zażółć & "x"', discount: '100%', quantity: 1, expires_at: lisbonDay(0) },
    ],
    [
      { code: 'ONE', discount: '0.01', quantity: 1_000_000, applies_to: 'courses', expires_at: end },
      { discount: '0.01 EUR', quantity: 1_000_000, applies_to: 'courses', expires_at: end },
    ],
    [
      { code: 'TWO', discount: '100000', applies_to: 'bundles' },
      { discount: '100000.00 EUR', applies_to: 'bundles' },
    ],
    [
      { code: 'SIX', discount: '12.5', applies_to: 'coaching' },
      { discount: '12.50 EUR', applies_to: 'coaching' },
    ],
    [
      { code: 'TEN', discount: '12.5%', applies_to: 'downloads' },
      { discount: '12.5%', applies_to: 'downloads' },
    ],
    [
      { code: 'PLAN', discount: '50.0%', applies_to: 'plan:160002' },
      { discount: '50%', applies_to: 'plan:160002' },
    ],
  ])('%j is created and listed', async (input, wanted) => {
    const made = await owner.call('create_coupon', input)
    expect(made).toMatchObject({ code: input.code.toUpperCase(), ...fresh, ...wanted })
    expect((await owner.rows('list_coupons', 'coupons', {}))[0]).toEqual(made)
    expect(await owner.refused('create_coupon', input)).toBe('CODE_TAKEN')
    expect((await owner.control.effects()).length).toBe(1)
  })

  test.each([
    [{ discount: '0%' }, 'PERCENT_INVALID'],
    [{ discount: '100.1%' }, 'PERCENT_INVALID'],
    [{ discount: '0.00' }, 'AMOUNT_INVALID'],
    [{ discount: '100000.01' }, 'AMOUNT_INVALID'],
    [{ discount: '5%', expires_at: lisbonDay(-1) }, 'ENDS_IN_PAST'],
    [{ discount: '5%', applies_to: 'plan:1' }, 'PLAN_NOT_FOUND'],
  ])('%j is refused by the app', async (input, code) => {
    expect(await owner.refused('create_coupon', { code: 'ABC', ...input })).toBe(code)
    expect(await owner.control.effects()).toEqual([])
  })

  test('are archived once from any other status, and their code is free again', async () => {
    const active = await owner.rows('list_coupons', 'coupons', {})
    for (const status of ['active', 'expired', 'sold_out']) {
      const coupon = active.find((one) => one['status'] === status)
      const { coupon_id, code } = { coupon_id: coupon?.['coupon_id'], code: coupon?.['code'] }
      expect(await owner.refused('create_coupon', { code, discount: '1%' })).toBe('CODE_TAKEN')
      expect(await owner.call('archive_coupon', { coupon_id })).toEqual({ coupon_id, status: 'archived' })
      expect(await owner.refused('archive_coupon', { coupon_id })).toBe('COUPON_ALREADY_FILED')
      expect(await owner.call('create_coupon', { code, discount: '1%' })).toMatchObject({ code, discount: '1%' })
    }
    expect(await owner.refused('archive_coupon', { coupon_id: '1' })).toBe('COUPON_NOT_FOUND')
    expect((await owner.control.effects()).length).toBe(6)
  })

  test('are listed newest first, the archived ones only when asked for', async () => {
    const all = await owner.rows('list_coupons', 'coupons', { include_archived: true })
    expect(new Set(values(all, 'status'))).toEqual(new Set(['active', 'expired', 'sold_out', 'archived']))
    const ids = values(all, 'coupon_id').map(Number)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect(await owner.rows('list_coupons', 'coupons', {})).toEqual(all.filter(({ status }) => status !== 'archived'))
  })
})

test('each bound of a text, a number or a list is kept, from both sides', () => {
  const section = { course_id: '1', section_id: '1' }
  const mail = { to: { all_users: true }, subject: 'x', body: 'x' }
  const coupon = { code: 'ABC', discount: '5%' }
  const text = (length: number): string => 'x'.repeat(length)
  const people = (count: number) => ({ user_ids: Array.from({ length: count }, (_, index) => String(index)) })
  const bounds: [string, (n: number) => object, number, number][] = [
    ['create_lesson', (n) => ({ ...section, title: text(n) }), 1, 200],
    ['create_lesson', (n) => ({ ...section, title: 'x', body_markdown: text(n) }), 0, 50_000],
    ['update_lesson', (n) => ({ course_id: '1', lesson_id: '1', title: text(n) }), 1, 200],
    ['update_lesson', (n) => ({ course_id: '1', lesson_id: '1', body_markdown: text(n) }), 0, 50_000],
    ['enroll_student', (n) => ({ course_id: '1', email: text(n) }), 3, 254],
    ['enroll_student', (n) => ({ course_id: '1', email: 'a@b.example', name: text(n) }), 0, 120],
    ['send_email', (n) => ({ ...mail, subject: text(n) }), 1, 150],
    ['send_email', (n) => ({ ...mail, body: text(n) }), 1, 20_000],
    ['send_email', (n) => ({ ...mail, to: people(n) }), 1, 200],
    ['reply_to_comment', (n) => ({ comment_id: '1', body: text(n) }), 1, 2000],
    ['create_coupon', (n) => ({ ...coupon, code: text(n) }), 3, 32],
    ['create_coupon', (n) => ({ ...coupon, name: text(n) }), 0, 120],
    ['create_coupon', (n) => ({ ...coupon, quantity: n }), 1, 1_000_000],
  ]
  for (const [name, input, least, most] of bounds) {
    const taken = [least, most, most + 1].map((n) => owner.takes(name, input(n)))
    expect(taken, `${name} ${most}`).toEqual([true, true, false])
    if (least > 0) expect(owner.takes(name, input(least - 1)), `${name} ${least}`).toBe(false)
  }
  for (const discount of ['', '5 %', '-5%', '5,5%', '10.25%', '1.234', '5 EUR', '1000%', '1000000'])
    expect(owner.takes('create_coupon', { ...coupon, discount }), discount).toBe(false)
  for (const applies_to of ['', 'everything', 'plan:', 'plan:x', 'plan:1&x', 'Courses'])
    expect(owner.takes('create_coupon', { ...coupon, applies_to }), applies_to).toBe(false)
  for (const [name, input] of [
    ['list_comments', { status: 'approved' }],
    ['moderate_comment', { comment_id: '1', status: 'pending' }],
  ] as const)
    expect(owner.takes(name, input), name).toBe(false)
})
