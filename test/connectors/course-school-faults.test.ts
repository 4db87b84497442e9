import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppCaller } from './app-caller.ts'
import { exchanged } from './local-app.ts'

let owner: AppCaller
beforeAll(async () => {
  owner = await AppCaller.open('course-school')
})
beforeEach(() => owner.sandbox.reset())
afterAll(() => owner.sandbox.close())

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
        // One that breaks down is asked once more.
        expect([result.outcome.kind, result.sent]).toEqual([kind === 'error' ? 'ok' : 'changed', true])
        expect((await owner.control.effects()).length).toBe(1)
      }
    },
  )
})
