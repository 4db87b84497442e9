import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { Agent } from './agent.ts'

const app = 'property-advertising'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

describe.each(['2025', '2026'] as const)('the official client of the %s era', (era) => {
  it('finds an action, reads its schema, writes, and has the result once the person approved', async () => {
    const user = await stack.user()
    const agent = await Agent.connect(stack.publicUrl, user.key, { era })
    const found = await agent.use('search_actions', { words: 'reply to a contact' })
    const actions = found.body['actions'] as Record<string, unknown>[]
    expect(actions[0]).toMatchObject({ app, action: 'reply_to_contact', access: 'write', confirm: true })
    const { body: schema } = await agent.use('get_action', { app, action: 'reply_to_contact' })
    expect(schema).toMatchObject({ input_schema: { required: ['contact_id', 'message'] } })
    const contacts = await agent.use('read_action', { app, action: 'list_contacts', input: {} })
    const [contact] = contacts.body['contacts'] as Record<string, unknown>[]
    const input = { contact_id: contact?.['contact_id'], message: 'You are welcome on Friday' }
    const written = await agent.use('write_action', { app, action: 'reply_to_contact', input, wait: 1 })
    expect(written).toMatchObject({ isError: false, body: { status: 'awaiting_confirmation' } })
    expect(written.body['message']).toContain('Nothing has been sent yet')
    expect(await stack.sandbox.effects(user.account.seeded.account)).toEqual([])
    const call = String(written.body['call_id'])
    expect(written.body['confirm_url']).toBe(`${stack.publicUrl}/confirm/${call}`)
    const waiting = agent.use('get_call', { call_id: call, wait: 20 })
    expect((await user.approve(call)).status).toBe(303)
    expect((await waiting).body).toMatchObject({ status: 'executed', output: { contact_id: input.contact_id } })
    expect(await stack.sandbox.effects(user.account.seeded.account)).toHaveLength(1)
    await agent.close()
  })
})
