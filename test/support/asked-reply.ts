import { expect } from 'vitest'
import { firstContact } from './contacts.ts'
import type { TestUser } from './user.ts'

/** A reply to a contact that waits for its approval; its call id. */
export async function askedReply(user: TestUser, message: string): Promise<string> {
  const answer = await user.call('reply_to_contact', { contact_id: await firstContact(user), message })
  expect(answer.status).toBe(202)
  return String(answer.body['call_id'])
}

/** Returns once the call waits for this reason. */
export async function waitsFor(user: TestUser, callId: string, reason: string): Promise<void> {
  const reasonNow = async () => (await user.record(callId))['waiting_for']
  await expect.poll(reasonNow, { interval: 500 }).toBe(reason)
}
