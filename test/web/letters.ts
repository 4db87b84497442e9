import { Type } from 'typebox'
import { connector, endpoint } from '../../connectors/kit/define.ts'
import type { App, Apps } from '../../connectors/registry.ts'
import { bindAll } from '../../connectors/registry.ts'

const write_letter = endpoint({
  summary: 'Send a letter to some of your members.',
  label: 'Write a letter',
  brief: ['subject', 'recipients', 'send_at'],
  effect: 'adds',
  shownBy: [{ read: 'list_letters', set: { state: 'sent' } }],
  access: 'write',
  confirm: true,
  request: 'POST /letters',
  input: {
    subject: Type.String({ minLength: 1, maxLength: 200, description: 'The line they see first.' }),
    recipients: Type.Array(Type.String(), { minItems: 1, maxItems: 50, description: 'Who gets it: each a member_id.' }),
    body: Type.String({ maxLength: 5000, description: 'The text they will read, as you.' }),
    send_at: Type.Optional(Type.String({ format: 'date-time', description: 'When it goes out; now when left out.' })),
    options: Type.Optional(
      Type.Object(
        {
          urgent: Type.Optional(Type.Boolean({ description: 'Rings the bell on their phones.' })),
          price: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
          attachments: Type.Optional(
            Type.Array(
              Type.Object({ name: Type.String({ description: 'As they will see it.' }), pages: Type.Integer() }),
            ),
          ),
        },
        { description: 'How it is sent.' },
      ),
    ),
  },
  output: {
    letter_id: Type.String({ description: 'The letter.' }),
    sent: Type.Integer({ description: 'How many members got it.' }),
  },
})

const list_letters = endpoint({
  summary: 'List the letters that went out.',
  label: 'Letters',
  brief: [],
  access: 'read',
  request: 'GET /letters',
  input: {
    state: Type.Optional(Type.Union([Type.Literal('draft'), Type.Literal('sent')], { default: 'sent' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'How many at most.' })),
  },
  output: { letters: Type.Array(Type.String()) },
})

const spec = connector({
  name: 'Letters',
  description: 'Letters to the members of a club, from the first draft to the last stamp.',
  role: 'club secretary',
  origin: 'http://localhost:9/letters/',
  signIn: { page: 'sign-in', who: { page: 'me', account: () => null } },
  things: {},
  failure: () => undefined,
  endpoints: [{ write_letter, list_letters }],
})

const letters: App = {
  slug: 'letters',
  name: spec.name,
  description: spec.description,
  role: spec.role,
  connection: { kind: 'browser_session' },
  signIn: spec.signIn,
  origin: spec.origin,
  definitionVersion: 'v1',
  endpoints: bindAll('letters', spec),
  things: spec.things,
  pacing: { perApp: 20, perAccount: 2 },
}

/** One made-up app whose endpoint has inputs of every shape. */
export const letterApps: Apps = {
  all: [letters],
  broken: new Map(),
  get: (slug) => (slug === 'letters' ? letters : undefined),
}
