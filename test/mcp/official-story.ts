import { expect } from 'vitest'
import { Agent } from './agent.ts'
import type { Era } from './agent.ts'

const app = 'property-advertising'

/**
 * The official client gets a message sent: it searches, reads the schema, writes, waits for the person, and reads the result. Returns
 * the contact that was written to.
 */
export async function officialSends(gateway: {
  readonly publicUrl: string
  readonly apiKey: string
  readonly era: Era
  /** The person approves; what must hold until then is looked at first. */
  readonly approve: (callId: string) => Promise<unknown>
}): Promise<string> {
  const { publicUrl, apiKey, era, approve } = gateway
  const agent = await Agent.connect(publicUrl, apiKey, { era })
  const found = await agent.use('search_actions', { words: 'reply to a contact' })
  const actions = found.body['actions'] as Record<string, unknown>[]
  expect(actions[0]).toMatchObject({ app, action: 'reply_to_contact', access: 'write', confirm: true })
  const { body: schema } = await agent.use('get_action', { app, action: 'reply_to_contact' })
  expect(schema).toMatchObject({ input_schema: { required: ['contact_id', 'message'] } })
  const contacts = await agent.use('read_action', { app, action: 'list_contacts', input: {} })
  const contactId = (contacts.body['contacts'] as { contact_id: string }[])[0]?.contact_id ?? ''
  const input = { contact_id: contactId, message: `You are welcome on Friday (${era})` }
  const written = await agent.use('write_action', { app, action: 'reply_to_contact', input, wait: 1 })
  expect(written).toMatchObject({ isError: false, body: { status: 'awaiting_confirmation' } })
  expect(written.body['message']).toContain('Nothing has been sent yet')
  const callId = String(written.body['call_id'])
  expect(written.body['confirm_url']).toBe(`${publicUrl}/confirm/${callId}`)
  const waiting = agent.use('get_call', { call_id: callId, wait: 20 })
  await approve(callId)
  expect((await waiting).body).toMatchObject({ status: 'executed', output: { contact_id: contactId } })
  await agent.close()
  return contactId
}
