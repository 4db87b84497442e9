import { Type } from 'typebox'
import { fromEpoch, startOfDay } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, day, defaulted, described, id, moment, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, nullableText, number, rows, text, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { ContactId, ContactState, ThisContact, contactStates } from './shared.ts'

const AskedAbout = refTo('listing', 'The listing that they asked about; pass it to get_listing.')

export const list_contacts = endpoint({
  summary: 'List the people who asked about your listings, most recent first, up to 50 a page.',
  aliases: [
    'who asked about my flat',
    'new inquiries',
    'leads from the portal',
    'interested people',
    'prospective buyers or tenants',
    'who is interested in the flat',
    'did anyone ask about the house',
    'new people who wrote',
  ],
  label: 'List who asked about listings',
  brief: ['state', 'listing_id', 'since'],
  access: 'read',
  request: 'GET /api/threads',
  input: {
    listing_id: Type.Optional(
      labelled('Listing', id('listing', 'Only who asked about this listing; from list_listings.')),
    ),
    state: defaulted(labelled('State', oneOf(contactStates.words, 'Only contacts in this state.')), 'active'),
    since: Type.Optional(labelled('Since', day('Only contacts with a message on this day (UTC) or later.'))),
    cursor,
  },
  output: {
    contacts: Type.Array(
      closed({
        contact_id: refTo(
          'contact',
          'Pass it to get_conversation, reply_to_contact and whatever else takes a contact.',
        ),
        name: Type.String({ description: 'Their full name, as they gave it.' }),
        listing_id: AskedAbout,
        state: ContactState,
        unread: Type.Integer({ description: 'How many of their messages nobody on your side has read.' }),
        last_message: labelled(
          'Last message',
          Type.String({
            description: 'The latest message, theirs or yours; listings shared with it follow, one listing_id a line.',
          }),
        ),
        updated_at: labelled('Last message at', described(moment, 'When the latest message was sent, in UTC.')),
      }),
      { description: 'Contacts that match, most recent first; empty when none does.' },
    ),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) => ({
    query: {
      ad: input.listing_id,
      box: contactStates.encode(input.state),
      since: input.since === undefined ? null : startOfDay(input.since),
      per_page: 50,
      before: anchor,
    },
  }),
  decode: ({ threads, next_before }, { cursor: next }) => ({
    contacts: rows(threads).map((thread) => {
      const last = fields(thread['last'])
      return {
        contact_id: String(number(thread['thread'])),
        name: fields(thread['who'])['full_name'],
        listing_id: thread['ad'],
        state: contactStates.decode(thread['box']),
        unread: thread['fresh_lines'],
        last_message: said(last),
        updated_at: fromEpoch(last['ts']),
      }
    }),
    next_cursor: next(nullableText(next_before)),
  }),
})

export const get_conversation = endpoint({
  summary: 'Show the whole conversation with a contact, oldest message first, and the private notes about them.',
  aliases: [
    'chat with a buyer',
    'what did the interested person write',
    'conversation history with a contact',
    'read the thread',
    'what have we been writing to each other',
    'what did I tell him',
  ],
  label: 'Show a conversation',
  brief: ['contact_id'],
  access: 'read',
  request: 'GET /api/threads/{contact_id}',
  input: { contact_id: ContactId },
  output: {
    contact_id: ThisContact,
    listing_id: AskedAbout,
    messages: Type.Array(
      closed({
        from: Type.Enum(['contact', 'me'], {
          type: 'string',
          description: 'Who wrote it: contact for them, me for you or your team.',
        }),
        body: Type.String({ description: 'The text; listings shared with it follow, one listing_id a line.' }),
        sent_at: described(moment, 'When it was sent, in UTC.'),
      }),
      { description: 'All messages of the conversation, oldest first.' },
    ),
    notes: Type.Array(
      closed({
        text: Type.String({ description: 'The text of the note, as it was written.' }),
        created_at: described(moment, 'When the note was written, in UTC.'),
      }),
      { description: 'Private notes of you and your team, oldest first; the contact never sees them.' },
    ),
  },
  decode: ({ thread, ad, lines, memos }) => ({
    contact_id: String(number(thread)),
    listing_id: ad,
    messages: rows(lines).map((line) => ({
      from: word({ in: 'contact', out: 'me' }, line['dir']),
      body: said(line),
      sent_at: fromEpoch(line['ts']),
    })),
    notes: rows(memos).map(({ text: note, ts }) => ({ text: note, created_at: fromEpoch(ts) })),
  }),
})

/** The text of a message and the listings shared below it; the text may be empty. */
function said({ text: words, ads }: Fields): string {
  if (!Array.isArray(ads)) throw new UnknownShape('not a list')
  return [text(words), ...ads.map(text)].filter((line) => line !== '').join('\n')
}
