import { Authenticator } from './authenticator.ts'
import { makeOwner } from './site.ts'
import type { Owner, Site } from './site.ts'
import { visitorOf } from './visitor.ts'
import type { Visitor } from './visitor.ts'

/** Somebody with a passkey, signed in with their password. */
export interface PasskeyOwner {
  readonly owner: Owner
  readonly visitor: Visitor
  readonly phone: Authenticator
}

export async function passkeyOwner(gate: Site, origin: string): Promise<PasskeyOwner> {
  const owner = await makeOwner(gate.ctx)
  const visitor = await visitorOf(gate, owner)
  const phone = new Authenticator(origin)
  await addPasskey(visitor, phone, { password: owner.password })
  return { owner, visitor, phone }
}

export async function addPasskey(
  visitor: Visitor,
  device: Authenticator,
  proof: Readonly<Record<string, string>>,
): Promise<void> {
  const csrf = await visitor.csrf('/account')
  const asked = await visitor.post('/account/passkey/options', { csrf, name: 'My phone', ...proof })
  const made = device.make(JSON.parse(asked.text) as { challenge: string; user: { id: string } })
  const added = await visitor.post('/account/passkey', { csrf, name: 'My phone', credential: made })
  if (added.status !== 303) throw new Error(`a passkey was not added: ${added.status}`)
}
