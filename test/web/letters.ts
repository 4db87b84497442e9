import { Type } from 'typebox'
import { labelled, money, recipients } from '../../connectors/kit/declared.ts'
import { connector, endpoint } from '../../connectors/kit/define.ts'
import { closed, id, oneOf, refTo } from '../../connectors/kit/inputs.ts'
import type { App, Apps } from '../../connectors/registry.ts'
import { bindAll } from '../../connectors/registry.ts'

const write_letter = endpoint({
  summary: 'Send a letter to some of your members.',
  label: 'Write a letter',
  brief: ['subject', 'recipients', 'send_at'],
  approval: {
    headline: 'Write a letter: {subject}[ to {recipients}]',
    button: 'Write a letter',
    consequences: [{ kind: 'people', text: '{recipients|member gets|members get} it by mail' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_letters', from: { subject: 'subject' }, set: { state: 'sent' } }],
  access: 'write',
  confirm: true,
  request: 'POST /letters',
  input: {
    subject: labelled(
      'Subject',
      Type.String({ minLength: 1, maxLength: 200, description: 'The line they see first.' }),
    ),
    recipients: labelled(
      'Recipients',
      recipients(
        Type.Array(id('member', 'From list_members.'), {
          minItems: 1,
          maxItems: 50,
          description: 'Who gets it: each a member_id.',
        }),
      ),
    ),
    body: labelled('Text', Type.String({ maxLength: 5000, description: 'The text they will read, as you.' })),
    send_at: labelled(
      'Goes out',
      Type.Optional(Type.String({ format: 'date-time', description: 'When it goes out; now when left out.' })),
    ),
    options: labelled(
      'Options',
      Type.Optional(
        Type.Object(
          {
            urgent: labelled('Urgent', Type.Optional(Type.Boolean({ description: 'Rings the bell on their phones.' }))),
            price: labelled(
              'Postage',
              money({ unit: 'minor', currency: 'EUR' }, Type.Optional(Type.Union([Type.Number(), Type.Null()]))),
            ),
            copies: labelled('Copies', Type.Optional(Type.Number())),
            attachments: labelled(
              'Attachments',
              Type.Optional(
                Type.Array(
                  Type.Object({
                    name: labelled('File name', Type.String({ description: 'As they will see it.' })),
                    pages: labelled('Pages', Type.Integer()),
                  }),
                ),
              ),
            ),
          },
          { description: 'How it is sent.' },
        ),
      ),
    ),
  },
  output: {
    letter_id: refTo('letter', 'The letter.'),
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
    subject: labelled('Subject', Type.Optional(Type.String())),
    state: labelled(
      'State',
      Type.Optional(Type.Union([Type.Literal('draft'), Type.Literal('sent')], { default: 'sent' })),
    ),
    limit: labelled(
      'At most',
      Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'How many at most.' })),
    ),
  },
  output: { letters: Type.Array(closed({ letter_id: refTo('letter'), title: Type.String() })) },
})

const member = {
  member_id: refTo('member', 'write_letter takes it.'),
  name: Type.Union([Type.String(), Type.Null()]),
  email: labelled('Email address', Type.Union([Type.String(), Type.Null()])),
  dues: labelled('Dues', money({ unit: 'minor', currency: { field: 'currency' } }, Type.Integer())),
  currency: Type.String(),
}

const list_members = endpoint({
  summary: 'List the members of the club.',
  label: 'Members',
  brief: [],
  access: 'read',
  request: 'GET /members',
  input: {},
  output: { members: Type.Array(closed(member)) },
})

const get_member = endpoint({
  summary: 'One member of the club.',
  label: 'A member',
  brief: ['member_id'],
  access: 'read',
  request: 'GET /members/{member_id}',
  input: { member_id: labelled('Member', id('member', 'member_id from list_members.')) },
  output: { member: Type.Union([closed(member), Type.Null()]), seen: oneOf(['lately', 'long ago'], 'When they came.') },
})

const spec = connector({
  name: 'Letters',
  description: 'Letters to the members of a club, from the first draft to the last stamp.',
  role: 'club secretary',
  origin: 'http://localhost:9/letters/',
  signIn: { page: 'sign-in', who: { page: 'me', account: () => null } },
  things: {
    member: {
      label: 'member',
      toldBy: [
        { read: 'get_member', by: 'member_id', at: 'member', id: 'member_id' },
        { read: 'list_members', at: 'members', id: 'member_id' },
      ],
      title: ['name'],
      facts: ['email', 'dues'],
    },
    letter: {
      label: 'letter',
      toldBy: [{ read: 'list_letters', at: 'letters', id: 'letter_id' }],
      title: ['title'],
      facts: [],
    },
  },
  failure: () => undefined,
  endpoints: [{ write_letter, list_letters, list_members, get_member }],
})

export const letters: App = {
  slug: 'letters',
  name: spec.name,
  description: spec.description,
  role: spec.role,
  topics: '',
  connection: { kind: 'browser_session' },
  signIn: spec.signIn,
  origin: spec.origin,
  hosts: [],
  authorize: [],
  renew: null,
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

/** The same in another release. */
export function lettersAs(changes: Partial<App>): Apps {
  const other = { ...letters, ...changes }
  return { all: [other], broken: new Map(), get: (slug) => (slug === 'letters' ? other : undefined) }
}
