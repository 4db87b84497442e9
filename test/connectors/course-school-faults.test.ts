import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FaultKind } from '../support/sandbox.ts'
import { AppCaller } from './app-caller.ts'
import { exchanged } from './local-app.ts'

let owner: AppCaller
beforeAll(async () => {
  owner = await AppCaller.open('course-school')
})
beforeEach(() => owner.sandbox.reset())
afterAll(() => owner.sandbox.close())

const read = ['get_lesson', { course_id: '100001', lesson_id: '120001' }] as const
const json = ['create_lesson', { course_id: '100001', section_id: '110001', title: 'New' }] as const
const form = ['reply_to_comment', { comment_id: '150298', body: 'Hello' }] as const

describe('each fault', () => {
  const cases: [FaultKind, object, number][] = [
    ['block', { kind: 'blocked' }, 0],
    ['expire', { kind: 'auth_expired' }, 0],
    ['captcha', { kind: 'captcha' }, 0],
    ['mfa', { kind: 'mfa' }, 0],
    ['rate_limit', { kind: 'rate_limited', retryAfterMs: 7000 }, 0],
    ['error', { kind: 'app_error', status: 500 }, 0],
    ['drop_before', { kind: 'lost' }, 0],
    ['drop_after', { kind: 'lost' }, 1],
    ['garbage', { kind: 'changed' }, 1],
    ['huge', { kind: 'changed' }, 1],
    ['slow', { kind: 'timeout' }, 1],
  ]
  for (const [kind, outcome, effects] of cases)
    test.each([read, json, form])(`${kind} is told by its outcome: %s`, async (name, input) => {
      const options = kind === 'slow' ? { ms: 600 } : kind === 'rate_limit' ? { retry_after: 7 } : {}
      await owner.control.fault(kind, options)
      const timeout = kind === 'slow' ? 300 : 15_000
      const result = await exchanged(owner.sandbox, owner.app, name, input, 'demo', timeout)
      expect(result.outcome).toEqual(outcome)
      const early = ['block', 'expire', 'captcha', 'mfa'].includes(kind)
      // Writes meet these where their CSRF token is: the action was never sent.
      expect(result.sent).toBe(!(early && name !== 'get_lesson'))
      await owner.control.clearFaults()
      await owner.call(...read)
      if (kind === 'slow') await new Promise((resolve) => setTimeout(resolve, 500))
      expect((await owner.control.effects()).length).toBe(name === 'get_lesson' ? 0 : effects)
    })

  const submit = '/schools/mine/comments/150298/replies'
  test.each([
    ['block', submit, 'blocked'],
    ['error', submit, 'app_error'],
  ] as const)('%s that hits only the submit is told the same', async (kind, path, outcome) => {
    await owner.control.fault(kind, { path })
    const result = await exchanged(owner.sandbox, owner.app, ...form)
    expect([result.outcome.kind, result.sent]).toEqual([outcome, true])
    expect(await owner.control.effects()).toEqual([])
  })
})

describe('what is read after a write', () => {
  const update = ['update_lesson', { course_id: '100001', lesson_id: '120001', title: 'Changed' }] as const
  const coupon = ['create_coupon', { code: 'ABC', discount: '5%' }] as const

  test.each(['block', 'expire', 'captcha', 'mfa', 'rate_limit', 'error', 'garbage'] as const)(
    'cannot make a write look undone by %s',
    async (kind) => {
      for (const [name, input] of [update, coupon]) {
        await owner.sandbox.reset()
        await owner.control.fault(kind, { path: '/api/schools/mine' })
        const result = await exchanged(owner.sandbox, owner.app, name, input)
        expect([result.outcome.kind, result.sent]).toEqual(['changed', true])
        expect((await owner.control.effects()).length).toBe(1)
      }
    },
  )
})
