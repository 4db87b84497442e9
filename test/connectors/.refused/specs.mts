import { Type } from 'typebox'
import { connector, endpoint } from '../../../connectors/kit/define.ts'

/** Compiled by a test on its own: each of the wrong ones must be refused, and nothing else. */
const said = { summary: 'A fixture.', label: 'Try it', brief: [], output: { done: Type.Boolean() } } as const
const read = { ...said, access: 'read' } as const
const write = { ...said, access: 'write', effect: 'changes', shownBy: [] } as const
const listing_id = Type.String({ description: 'Which.' })

export const good = endpoint({
  ...write,
  brief: ['listing_id', 'other'],
  request: 'POST /a/{listing_id}/{listing_id}',
  after: 'GET /b/{listing_id}',
  input: { listing_id, other: Type.Optional(Type.Number({ description: 'Other.' })) },
})
export const noInput = endpoint({ ...read, request: 'GET /a/{contact_id}', input: { listing_id } })
export const optional = endpoint({
  ...read,
  request: 'GET /a/{listing_id}',
  input: { listing_id: Type.Optional(listing_id) },
})
export const getWrite = endpoint({ ...write, request: 'GET /a', input: {} })
export const noPath = endpoint({ ...read, request: 'GET a', input: {} })
export const afterPage = endpoint({ ...write, request: 'POST /a', after: 'GET /b/{thread_id}', input: { listing_id } })

const { label: _label, ...unlabelled } = read
export const noLabel = endpoint({ ...unlabelled, request: 'GET /a', input: {} })
const { brief: _brief, ...unlisted } = read
export const noBrief = endpoint({ ...unlisted, request: 'GET /a', input: {} })
export const briefOfNothing = endpoint({ ...read, brief: ['contact_id'], request: 'GET /a', input: { listing_id } })
const { effect: _effect, ...effectless } = write
export const noEffect = endpoint({ ...effectless, request: 'POST /a', input: {} })
const { shownBy: _shownBy, ...unshown } = write
export const notShown = endpoint({ ...unshown, request: 'POST /a', input: {} })
export const readWithEffect = endpoint({ ...read, effect: 'adds', request: 'GET /a', input: {} })
export const readThatIsShown = endpoint({ ...read, shownBy: [], request: 'GET /a', input: {} })
export const readThatWaits = endpoint({ ...read, confirm: true, request: 'GET /a', input: {} })

export const noThings = connector({
  name: 'Fixture',
  description: 'A fixture.',
  role: 'owner',
  origin: 'http://localhost:9/',
  signIn: { page: 'sign-in', who: { page: 'me', account: () => null } },
  failure: () => undefined,
  endpoints: [],
})
