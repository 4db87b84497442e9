import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { SandboxControl } from '../support/sandbox.ts'
import type { FaultKind } from '../support/sandbox.ts'
import { makeUser } from '../support/user.ts'
import type { TestUser } from '../support/user.ts'

const words = 'Thank you, we were glad to have you with us.'

/** Replies to reviews, whose answers are lost: a review takes one reply, and shows it. */
describe('a write whose answer was lost, and which the app shows', () => {
  let stack: Stack
  let app: SandboxControl
  beforeAll(async () => {
    stack = await startStack()
    app = new SandboxControl(stack.sandbox.url, 'tour-supplier')
  })
  afterAll(() => stack.stop())
  afterEach(() => app.clearFaults())

  const supplier = (seeded: string): Promise<TestUser> =>
    makeUser({ ctx: stack.ctx, publicUrl: stack.publicUrl, sandbox: app }, { seeded })
  const call = (user: TestUser, endpoint: string, input: object) =>
    user.send('POST', `/tour-supplier/${endpoint}`, input)

  async function reviews(user: TestUser): Promise<readonly Record<string, unknown>[]> {
    const { body } = await call(user, 'list_reviews', { unanswered_only: true })
    return body['reviews'] as Record<string, unknown>[]
  }

  async function asked(user: TestUser, review: unknown, reply = words): Promise<string> {
    const answer = await call(user, 'reply_to_review', { review_id: review, reply })
    expect([answer.status, answer.body['status']]).toEqual([202, 'awaiting_confirmation'])
    return String(answer.body['call_id'])
  }

  /** How it ended, and how many findings are kept beside it. */
  async function ended(user: TestUser, callId: string) {
    expect((await user.approve(callId)).status).toBe(303)
    const record = await user.record(callId, 40)
    const { rowCount } = await stack.ctx.db.query('SELECT FROM findings WHERE call_id = $1', [callId])
    return { record, kept: rowCount }
  }

  it('ends as executed where its own words stand where none stood before, and has the output that the app tells', async () => {
    const user = await supplier('demo')
    const [review] = await reviews(user)
    const callId = await asked(user, review?.['review_id'])
    await app.fault('drop_after', { path: '/extranet/rest/feedback' })
    const { record, kept } = await ended(user, callId)
    expect(record).toMatchObject({ status: 'executed', credits_used: 3, output: { ...review, reply: words } })
    expect(kept).toBe(0)
  })

  it.each<[string, FaultKind, string, string]>([
    ['nothing is there', 'drop_before', words, 'stranger'],
    ['its words may be anybody’s', 'drop_after', 'Thank you!', 'narrow'],
  ])('stays unknown where %s', async (_why, fault, reply, seeded) => {
    const user = await supplier(seeded)
    const [review] = await reviews(user)
    const callId = await asked(user, review?.['review_id'], reply)
    await app.fault(fault, { path: '/extranet/rest/feedback' })
    const { record, kept } = await ended(user, callId)
    expect(record).toMatchObject({ status: 'unknown', credits_used: 0 })
    expect(kept).toBe(1)
  })

  it('stays unknown where another call did the like to the same account of the app, whoever’s that was', async () => {
    const [user, other] = [await supplier('poor'), await supplier('poor')]
    const [first, second] = await reviews(user)
    const callId = await asked(user, second?.['review_id'])
    expect((await ended(other, await asked(other, first?.['review_id']))).record).toMatchObject({ status: 'executed' })
    await app.fault('drop_after', { path: '/extranet/rest/feedback' })
    const { record, kept } = await ended(user, callId)
    expect(record).toMatchObject({ status: 'unknown', credits_used: 0 })
    expect(kept).toBe(1)
  })
})
