import type { TestUser } from './user.ts'

/** Someone who wrote to the user's agency. Counts as a call. */
export async function firstContact(user: TestUser): Promise<string> {
  const { status, body } = await user.call('list_contacts')
  const [contact] = (body['contacts'] ?? []) as { contact_id: string }[]
  if (contact === undefined) throw new Error(`list_contacts answered ${status} ${JSON.stringify(body)}`)
  return contact.contact_id
}
