import { accept } from '../../../core/calls/accept.ts'
import { connect } from '../../../core/accounts/sessions.ts'
import { createKey } from '../../../core/keys/rows.ts'
import { createUser } from '../../../core/users/rows.ts'
import type { Gateway } from './gateway.ts'

export const app = 'property-advertising'
export const session = { cookies: [], user_agent: null }
let users = 0

export interface Owner {
  readonly id: string
  readonly keyId: string
  readonly key: string
  readonly account: string
}

/** A user with a key and one connected account. */
export async function newOwner({ ctx }: Gateway): Promise<Owner> {
  const id = await createUser(ctx, { email: `own-${users++}@example.com`, password: 'a long password', plan: 'small' })
  const key = await createKey(ctx, { owner: id, name: 'test', apps: null })
  const account = await connect(ctx, { owner: id, app, externalId: 'a1', label: 'Agency', session })
  return { id, keyId: key.id, key: key.key, account }
}

/** Accepts a call as the API does, while no engine takes it. */
export async function accepted({ ctx }: Gateway, owner: Owner, name = 'get_listing'): Promise<string> {
  const endpoint = ctx.apps.get(app)?.endpoints.get(name)
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`)
  const input = { listing_id: 'l1' }
  const call = { owner: owner.id, keyId: owner.keyId, endpoint, input, account: undefined, idempotencyKey: undefined }
  return (await accept(ctx, call)).callId
}
