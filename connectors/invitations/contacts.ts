import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, cursor, described, nextCursor, refTo } from '../kit/inputs.ts'
import { nullableText, rows, textOrNull } from '../kit/wire.ts'
import { ref } from './shared.ts'

export const list_contacts = endpoint({
  summary: 'List the people in your address book by name, with email and phone numbers, 25 a page.',
  aliases: ['address book', "find a friend's phone number", 'email of a contact', 'my contacts'],
  label: 'List contacts',
  brief: ['search'],
  access: 'read',
  request: 'GET /api/addressBook',
  input: {
    search: labelled(
      'Search',
      Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Only contacts with this in their name, email or phone numbers, in any case.',
        }),
      ),
    ),
    cursor,
  },
  output: {
    contacts: Type.Array(
      closed({
        contact_id: refTo('contact', 'Identifies the contact in the address book; no endpoint takes it.'),
        name: Type.String({ description: "The contact's full name; add_guests takes it as name." }),
        email: described(NullableText, 'Their email address; null when none is saved.'),
        phone_numbers: Type.Array(Type.String(), { description: 'As they were saved; empty when there are none.' }),
      }),
      { description: 'In the order of their names; empty when nobody matches.' },
    ),
    next_cursor: nextCursor,
  },
  encode: ({ search }, { anchor }) => ({ query: { find: search, pageSize: 25, moreToken: anchor } }),
  decode: ({ cards, moreToken }, { cursor: next }) => ({
    contacts: rows(cards).map(({ cardNo, fullName, mail, phones }) => ({
      contact_id: ref(cardNo),
      name: fullName,
      email: textOrNull(mail),
      phone_numbers: phones,
    })),
    next_cursor: next(nullableText(moreToken)),
  }),
})
