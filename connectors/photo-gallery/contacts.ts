import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, cursor, defaulted, described, limit, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { fields, rows, textOrNull, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { attributes, listQuery, nextToken } from './documents.ts'
import { email } from './shared.ts'

const Contact = {
  contact_id: refTo('contact', 'Pass it to create_invoice.'),
  name: Type.String({ description: "The contact's full name." }),
  email: labelled('Email', described(NullableText, 'Their email address; null when it is not known.')),
  phone: labelled(
    'Phone number',
    described(NullableText, 'Their phone number as written down; null when it is not known.'),
  ),
  type: labelled(
    'Type',
    oneOf(
      ['lead', 'client', 'visitor'],
      'What they are to the studio; lead: may book; client: has booked; visitor: left an address at a gallery.',
    ),
  ),
}

function contact(person: Fields) {
  const { full_name, mail, tel, standing } = attributes(person)
  const type = word({ lead: 'lead', client: 'client', visitor: 'visitor' }, standing)
  return { contact_id: person['id'], name: full_name, email: textOrNull(mail), phone: textOrNull(tel), type }
}

export const list_contacts = endpoint({
  summary: "List the studio's contacts: leads, clients and gallery visitors, newest first.",
  aliases: ['clients of the studio', 'leads', 'email of a client', 'gallery visitors', 'contact list'],
  label: 'List contacts',
  brief: ['query'],
  access: 'read',
  request: 'GET /api/people',
  input: {
    query: labelled(
      'Search',
      Type.Optional(Type.String({ description: 'Only contacts with this in their name or email, in any case.' })),
    ),
    limit: limit(50),
    cursor,
  },
  output: {
    contacts: Type.Array(closed(Contact), { description: 'Newest first; empty when nobody matches.' }),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) => ({ query: listQuery({ q: input.query }, { limit: input.limit, anchor }) }),
  decode: ({ data, meta }, { cursor: next }) => ({
    contacts: rows(data).map(contact),
    next_cursor: next(nextToken(meta)),
  }),
})

export const create_contact = endpoint({
  summary: 'Add a lead or a client to the contacts. Nobody is written to.',
  aliases: ['add a lead', 'new client', 'save a contact', 'add a customer', 'somebody asked about portraits, save her'],
  label: 'Add a contact',
  brief: ['name', 'email', 'phone', 'type'],
  approval: {
    headline: 'Add {name} ({email}) to your contacts[ as a {type}]',
    button: 'Add contact',
    consequences: [{ kind: 'other', text: 'Nobody is written to' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_contacts', from: { query: 'email' } }],
  preview: [],
  verify: {
    read: 'list_contacts',
    from: { query: 'email' },
    at: 'contacts',
    id: 'contact_id',
    same: { name: 'name', email: 'email', type: 'type' },
  },
  access: 'write',
  request: 'POST /api/people',
  input: {
    name: labelled('Name', Type.String({ minLength: 1, maxLength: 120, description: 'Their full name.' })),
    email: labelled('Email', email('Their email address; no other contact may have it.')),
    phone: labelled(
      'Phone number',
      Type.Optional(Type.String({ maxLength: 40, description: 'Their phone number, as people write it.' })),
    ),
    type: labelled(
      'Type',
      defaulted(oneOf(['lead', 'client'], 'lead for somebody who may book, client for somebody who has.'), 'lead'),
    ),
  },
  output: Contact,
  encode: ({ name, email: mail, phone, type }) => ({
    json: { data: { type: 'people', attributes: { full_name: name, mail, tel: phone, standing: type } } },
  }),
  decode: ({ data }) => contact(fields(data)),
})
