import { Type } from 'typebox'
import { endpoint } from '../../../connectors/kit/define.ts'

/** Compiled by a test on its own: each of the five wrong ones must be refused, and nothing else. */
const shared = { summary: 'A fixture.', output: { done: Type.Boolean() } } as const
const listing_id = Type.String({ description: 'Which.' })

export const good = endpoint({
  ...shared,
  access: 'write',
  request: 'POST /a/{listing_id}/{listing_id}',
  after: 'GET /b/{listing_id}',
  input: { listing_id, other: Type.Optional(Type.Number({ description: 'Other.' })) },
})
export const noInput = endpoint({ ...shared, access: 'read', request: 'GET /a/{contact_id}', input: { listing_id } })
export const optional = endpoint({
  ...shared,
  access: 'read',
  request: 'GET /a/{listing_id}',
  input: { listing_id: Type.Optional(listing_id) },
})
export const getWrite = endpoint({ ...shared, access: 'write', request: 'GET /a', input: {} })
export const noPath = endpoint({ ...shared, access: 'read', request: 'GET a', input: {} })
export const afterPage = endpoint({
  ...shared,
  access: 'write',
  request: 'POST /a',
  after: 'GET /b/{thread_id}',
  input: { listing_id },
})
