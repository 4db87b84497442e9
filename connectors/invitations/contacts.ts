import { Type } from 'typebox'
import { endpoint } from '../define.ts'
import { closed, cursor, nextCursor } from '../inputs.ts'
import { nullableText, rows } from '../wire.ts'
import { NullableText, orNull, ref } from './words.ts'

export const list_contacts = endpoint({
  summary: 'List the people in your address book by name, with email and phone numbers, 25 a page.',
  access: 'read',
  request: 'GET /api/addressBook',
  input: {
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Only contacts with this in their name, email or phone numbers, in any case.',
      }),
    ),
    cursor,
  },
  output: {
    contacts: Type.Array(
      closed({
        contact_id: Type.String(),
        name: Type.String(),
        email: NullableText,
        phone_numbers: Type.Array(Type.String()),
      }),
    ),
    next_cursor: nextCursor,
  },
  encode: ({ search }, { anchor }) => ({ query: { find: search, pageSize: 25, moreToken: anchor } }),
  decode: ({ cards, moreToken }, { cursor: next }) => ({
    contacts: rows(cards).map(({ cardNo, fullName, mail, phones }) => ({
      contact_id: ref(cardNo),
      name: fullName,
      email: orNull(mail),
      phone_numbers: phones,
    })),
    next_cursor: next(nullableText(moreToken)),
  }),
})
