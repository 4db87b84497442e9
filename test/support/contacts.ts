import { setTimeout as sleep } from 'node:timers/promises'
import type { TestUser } from './user.ts'

/** Those who wrote to the user's agency. Counts as a call. */
export async function contactsOf(
  user: TestUser,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  let { status, body } = await user.call('list_contacts', {}, headers)
  // Where the engine is late on a busy machine, as clients do.
  for (const until = Date.now() + 120_000; status === 503 && Date.now() < until;) {
    await sleep(1_000)
    ;({ status, body } = await user.call('list_contacts', {}, headers))
  }
  if (status !== 200) throw new Error(`list_contacts answered ${status} ${JSON.stringify(body)}`)
  return (body['contacts'] as { contact_id: string }[]).map(({ contact_id }) => contact_id)
}

/** One of them. */
export async function firstContact(user: TestUser, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const [contact] = await contactsOf(user, headers)
  if (contact === undefined) throw new Error('nobody wrote to this account')
  return contact
}
