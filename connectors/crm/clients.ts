import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, cursor, described, limit, nextCursor, refTo } from '../kit/inputs.ts'
import { connection, operation, result } from '../kit/graphql.ts'
import { client } from './shapes.ts'

export const list_clients = endpoint({
  summary: 'List or search the clients with their contact details and projects, by name.',
  aliases: [
    'find a client',
    'phone number of a client',
    'email address of a customer',
    'contact details',
    'search clients',
  ],
  label: 'List clients',
  brief: ['query'],
  access: 'read',
  request: 'POST /graphql',
  input: {
    query: Type.Optional(
      labelled(
        'Name or email',
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Part of a name or an email address; case and accents do not matter.',
        }),
      ),
    ),
    limit: limit(25),
    cursor,
  },
  output: {
    clients: Type.Array(
      closed({
        ...client,
        phone: labelled(
          'Phone number',
          described(NullableText, 'A phone number as it was typed in; null when none is known.'),
        ),
        projects: Type.Array(refTo('project'), {
          description: 'project_id of each of their projects that you may see, newest first.',
        }),
      }),
      { description: 'By name, without regard to case and accents; empty when none matches.' },
    ),
    next_cursor: nextCursor,
  },
  encode: ({ query, limit: first }, { anchor }) => operation('PeopleFeed', { search: query, first, after: anchor }),
  decode: (answer, { cursor: next }) => {
    const { items, next: place } = connection(result(answer, 'people'))
    const clients = items.map(({ id, fullName, mail, mobile, engagementIds }) => ({
      client_id: id,
      name: fullName,
      email: mail,
      phone: mobile,
      projects: engagementIds,
    }))
    return { clients, next_cursor: next(place) }
  },
})
