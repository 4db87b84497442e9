import { Type } from 'typebox'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, described, limit, nextCursor } from '../kit/inputs.ts'
import { connection, operation, result } from '../kit/operations.ts'
import { client } from './shapes.ts'
import { nullable } from './words.ts'

export const list_clients = endpoint({
  summary: 'List or search the clients with their contact details and projects, by name.',
  access: 'read',
  request: 'POST /graphql',
  input: {
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Part of a name or an email address; case and accents do not matter.',
      }),
    ),
    limit: limit(25),
    cursor,
  },
  output: {
    clients: Type.Array(
      closed({
        ...client,
        phone: described(nullable, 'A phone number as it was typed in; null when none is known.'),
        projects: Type.Array(Type.String(), {
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
