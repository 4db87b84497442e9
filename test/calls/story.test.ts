import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { idForm } from '../../schemas/ids.ts'

describe('the story of a call', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())

  it('answers a read at once, and charges it', async () => {
    const user = await stack.user()
    const answer = await user.call('list_listings', { limit: 5 })
    expect(answer.body).toMatchObject({ listings: expect.any(Array), next_cursor: expect.any(String) })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('X-Credits-Used')).toBe('1')
    expect(answer.headers.get('X-Request-Id')).toMatch(new RegExp(idForm('call')))
  })

  it('asks the person first, sends what they approved, once, and shows the result', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'See you at 5.' })
    expect(asked.status).toBe(202)
    expect(asked.body).toMatchObject({
      status: 'awaiting_confirmation',
      message: expect.stringContaining('Nothing has been sent'),
    })
    const { account } = user.account.seeded
    expect(await stack.sandbox.effects(account)).toEqual([])

    const callId = asked.body['call_id']
    expect((await user.approve(callId)).status).toBe(303)
    const record = await user.record(callId, 20)
    expect(record).toMatchObject({ status: 'executed', credits_used: 3, output: { contact_id: contact } })
    const effects = await stack.sandbox.effects(account)
    expect(effects).toHaveLength(1)
    expect(JSON.stringify(effects[0]?.body)).toContain('See you at 5.')
  })
})
