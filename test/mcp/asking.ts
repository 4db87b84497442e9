import { firstContact } from '../support/contacts.ts'
import type { TestUser } from '../support/user.ts'

export const app = 'property-advertising'

/** What a client declares. */
export const opensUrls = { elicitation: { url: {} } }
export const hasForms = { elicitation: {} }
export const followsTasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

/** The arguments of write_action for a write that waits for the person. */
export async function replyOf(user: TestUser, message = 'Good evening'): Promise<Record<string, unknown>> {
  const input = { contact_id: await firstContact(user), message }
  return { app, action: 'reply_to_contact', input }
}
