import { randomBytes } from 'node:crypto'
import type { Context } from '../../core/context.ts'
import { connect } from '../../core/accounts/sessions.ts'
import { createKey } from '../../core/keys/rows.ts'
import { createUser } from '../../core/users/rows.ts'
import { setConfirm } from '../../core/accounts/settings.ts'
import type { SeededAccount } from '../demo-accounts.ts'
import type { Witness } from './witness.ts'

export const app = 'property-advertising'

/** A user with an API key, a password and an account in the sandbox. */
export interface User {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly key: string
  readonly seeded: SeededAccount
  readonly contact: string
}

type Ctx = Pick<Context, 'db' | 'secrets'>

/** `expirySeconds`: when approval requests for replies to a contact expire. */
export async function makeUser(
  ctx: Ctx,
  witness: Witness,
  expirySeconds: number,
  contactOf: (key: string) => Promise<string>,
): Promise<User> {
  const email = `${randomBytes(6).toString('hex')}@example.test`
  const password = randomBytes(9).toString('base64url')
  const seeded = await witness.newAccount()
  const id = await createUser(ctx, { email, password, plan: 'large' })
  const { key } = await createKey(ctx, { owner: id, name: 'Agent', apps: null })
  await connectAgain(ctx, id, seeded)
  await setConfirm(ctx, id, app, 'reply_to_contact', { expirySeconds })
  return { id, email, password, key, seeded, contact: await contactOf(key) }
}

/** Simulates the user's new sign-in to the app. */
export async function connectAgain(ctx: Ctx, owner: string, seeded: SeededAccount): Promise<void> {
  const { account: externalId, label, session } = seeded
  await connect(ctx, { owner, app, externalId, label, session })
}

/** A contact whom the user may write to, read through the gateway. */
export async function firstContact(apis: readonly string[], key: string): Promise<string> {
  const response = await fetch(`${apis[0]}/api/v1/${app}/list_contacts`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  const { contacts } = (await response.json()) as { readonly contacts?: readonly { readonly contact_id: string }[] }
  const [first] = contacts ?? []
  if (first === undefined) throw new Error(`the contacts could not be read: ${response.status}`)
  return first.contact_id
}
