import { Type } from 'typebox'
import { formToken } from '../kit/csrf.ts'
import { fromEpoch, startOfDay } from '../kit/dates.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, day, defaulted, described, id, moment, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, nullableText, number, rows, text, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { ContactId, ContactState, boxes, contactState } from './words.ts'

const ThisContact = refTo('contact', 'The contact that the call named.')
const AskedAbout = refTo('listing', 'The listing that they asked about; pass it to get_listing.')
const MessageId = refTo('message', 'The number of the message just sent; no endpoint takes it.')
const threadPage = formToken({ page: '/inbox/{contact_id}', field: 'authenticity' })

export const list_contacts = endpoint({
  summary: 'List the people who asked about your listings, most recent first, up to 50 a page.',
  access: 'read',
  request: 'GET /api/threads',
  input: {
    listing_id: Type.Optional(id('listing', 'Only who asked about this listing; from list_listings.')),
    state: defaulted(oneOf(['active', 'unread', 'handled', 'archived'], 'Only contacts in this state.'), 'active'),
    since: Type.Optional(day('Only contacts with a message on this day (UTC) or later.')),
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
        last_message: Type.String({
          description: 'The latest message, theirs or yours; listings shared with it follow, one listing_id a line.',
        }),
        updated_at: described(moment, 'When the latest message was sent, in UTC.'),
      }),
      { description: 'Contacts that match, most recent first; empty when none does.' },
    ),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) => ({
    query: {
      ad: input.listing_id,
      box: boxes[input.state],
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
        state: contactState(thread['box']),
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

export const reply_to_contact = endpoint({
  summary: 'Send a chat message to someone who asked about a listing.',
  access: 'write',
  confirm: true,
  request: 'POST /inbox/{contact_id}/reply',
  input: {
    contact_id: ContactId,
    message: Type.String({ minLength: 1, maxLength: 2000, description: 'The text they will read, as you.' }),
  },
  output: { contact_id: ThisContact, message_id: MessageId },
  encode: ({ message }) => ({ form: { text: message } }),
  csrf: threadPage,
  answer: 'redirect',
  decode: (_answer, { input, location }) => ({
    contact_id: input.contact_id,
    message_id: ledTo(location, input.contact_id, 'sent', /^\d+$/),
  }),
})

export const send_listings_to_contact = endpoint({
  summary: 'Share other listings of yours with a contact, in the conversation with them.',
  access: 'write',
  confirm: true,
  request: 'POST /api/threads/{contact_id}/share',
  input: {
    contact_id: ContactId,
    listing_ids: Type.Array(id('listing', 'An active listing of yours, from list_listings.'), {
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      description: 'One to ten active listings of yours, from list_listings; not the one that they asked about.',
    }),
    message: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2000, description: 'A text to go with them, as you.' }),
    ),
  },
  output: {
    contact_id: ThisContact,
    message_id: MessageId,
    listing_ids: Type.Array(refTo('listing'), {
      description: 'The listings that the message shares, as the app tells.',
    }),
    sent_at: described(moment, 'When the message was sent, in UTC.'),
  },
  encode: ({ listing_ids, message }) => ({ json: { refs: listing_ids, text: message } }),
  decode: ({ thread, line, ads, ts }) => ({
    contact_id: String(number(thread)),
    message_id: String(number(line)),
    listing_ids: ads,
    sent_at: fromEpoch(ts),
  }),
})

export const mark_contact_handled = endpoint({
  summary: 'Mark a contact as handled.',
  access: 'write',
  request: 'POST /inbox/{contact_id}/done',
  input: { contact_id: ContactId },
  output: {
    contact_id: ThisContact,
    state: Type.Literal('handled', { description: 'Always handled, with nothing left unread.' }),
  },
  csrf: threadPage,
  answer: 'redirect',
  encode: () => ({ form: {} }),
  decode: (_answer, { input, location }) => {
    ledTo(location, input.contact_id, 'box', /^done$/)
    return { contact_id: input.contact_id, state: 'handled' }
  },
})

export const add_contact_note = endpoint({
  summary: 'Add a private note about a contact, for you and your team only.',
  access: 'write',
  request: 'POST /api/threads/{contact_id}/memos',
  input: {
    contact_id: ContactId,
    note: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'The text of the note. The contact never sees it.',
    }),
  },
  output: {
    contact_id: ThisContact,
    note_id: refTo('note', 'The number of the new note; no endpoint takes it.'),
    note: Type.String({ description: 'The text of the note, as the app keeps it.' }),
    created_at: described(moment, 'When the note was written, in UTC.'),
  },
  encode: ({ note }) => ({ json: { text: note } }),
  decode: ({ thread, memo, text: note, ts }) => ({
    contact_id: String(number(thread)),
    note_id: String(number(memo)),
    note,
    created_at: fromEpoch(ts),
  }),
})

export const archive_conversation = endpoint({
  summary: 'Archive the conversation with a contact: it leaves the active list.',
  access: 'write',
  request: 'POST /inbox/{contact_id}/shelve',
  input: { contact_id: ContactId },
  output: {
    contact_id: ThisContact,
    state: Type.Literal('archived', { description: 'Always archived, with nothing left unread.' }),
  },
  csrf: threadPage,
  answer: 'redirect',
  encode: () => ({ form: {} }),
  decode: (_answer, { input, location }) => {
    ledTo(location, input.contact_id, 'box', /^shelved$/)
    return { contact_id: input.contact_id, state: 'archived' }
  },
})

/** What a message says: its words, and below them the listings shared with it, which may come without words. */
function said({ text: words, ads }: Fields): string {
  if (!Array.isArray(ads)) throw new UnknownShape('not a list')
  return [text(words), ...ads.map(text)].filter((line) => line !== '').join('\n')
}

/** The app leads back to the conversation, and says there what it did. */
function ledTo(location: string, contact_id: string, name: string, form: RegExp): string {
  const start = `inbox/${encodeURIComponent(contact_id)}?${name}=`
  const said = location.slice(start.length)
  if (!location.startsWith(start) || !form.test(said)) throw new UnknownShape('led elsewhere')
  return said
}
