import { Type } from 'typebox'
import { formToken } from '../kit/csrf.ts'
import { fromEpoch } from '../kit/dates.ts'
import { labelled, recipients } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { described, id, moment, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { UnknownShape, number } from '../kit/wire.ts'
import { contact, sharedListings } from './previews.ts'
import { ContactId, ThisContact } from './shared.ts'

const MessageId = refTo('message', 'The number of the message just sent; no endpoint takes it.')
const threadPage = formToken({ page: '/inbox/{contact_id}', field: 'authenticity' })

export const reply_to_contact = endpoint({
  summary: 'Send a chat message to someone who asked about a listing.',
  aliases: [
    'answer an inquiry',
    'write to a prospective buyer',
    'message a tenant',
    'reply to a lead',
    'propose a viewing',
    'tell him the viewing is at six',
    'ask her when she can come',
    'she may view on Friday',
  ],
  label: 'Send a message to a contact',
  brief: ['contact_id', 'message'],
  approval: {
    headline: 'Send {contact_id} the message {message}',
    button: 'Send message',
    consequences: [{ kind: 'people', text: '{contact_id} gets it as a chat message from you' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_conversation', from: { contact_id: 'contact_id' } }],
  preview: contact,
  verify: {
    read: 'get_conversation',
    from: { contact_id: 'contact_id' },
    at: 'messages',
    same: { body: 'message' },
    is: { from: ['me'] },
    since: 'sent_at',
  },
  access: 'write',
  confirm: true,
  request: 'POST /inbox/{contact_id}/reply',
  input: {
    contact_id: recipients(ContactId),
    message: labelled(
      'Message',
      Type.String({ minLength: 1, maxLength: 2000, description: 'The text they will read, as you.' }),
    ),
  },
  output: { contact_id: ThisContact, message_id: MessageId },
  encode: ({ message }) => ({ form: { text: message } }),
  csrf: threadPage,
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const message_id = ledTo(location, threadOf(input.contact_id), { sent: true }).query.get('sent') ?? ''
    if (!/^\d+$/.test(message_id)) throw new UnknownShape('led elsewhere')
    return { contact_id: input.contact_id, message_id }
  },
})

export const send_listings_to_contact = endpoint({
  summary: 'Share other listings of yours with a contact, in the conversation with them.',
  aliases: [
    'send similar homes to a lead',
    'suggest other flats',
    'share properties with a buyer',
    'recommend homes',
    'show him the other flats',
    'she may like our other homes',
  ],
  label: 'Share listings with a contact',
  brief: ['contact_id', 'listing_ids', 'message'],
  approval: {
    headline: 'Share {listing_ids|listing|listings} with {contact_id}[: {listing_ids}][, saying {message}]',
    button: 'Share {listing_ids|listing|listings}',
    consequences: [{ kind: 'people', text: '{contact_id} gets a message with the listings in your conversation' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_conversation', from: { contact_id: 'contact_id' } }],
  preview: [...contact, sharedListings],
  access: 'write',
  confirm: true,
  request: 'POST /api/threads/{contact_id}/share',
  input: {
    contact_id: recipients(ContactId),
    listing_ids: labelled(
      'Listings',
      Type.Array(id('listing', 'An active listing of yours, from list_listings.'), {
        minItems: 1,
        maxItems: 10,
        uniqueItems: true,
        description: 'One to ten active listings of yours, from list_listings; not the one that they asked about.',
      }),
    ),
    message: Type.Optional(
      labelled(
        'Message',
        Type.String({ minLength: 1, maxLength: 2000, description: 'A text to go with them, as you.' }),
      ),
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
  aliases: [
    'mark a lead as done',
    'this inquiry is dealt with',
    'tick off a contact',
    'inquiry taken care of',
    'I have called him, done',
    'she is taken care of',
  ],
  label: 'Mark a contact as handled',
  brief: ['contact_id'],
  approval: {
    headline: 'Mark {contact_id} as handled',
    button: 'Mark as handled',
    consequences: [{ kind: 'other', text: 'Their messages count as read; nobody is told' }],
  },
  effect: 'changes',
  shownBy: [{ read: 'list_contacts', set: { state: 'handled' } }],
  preview: contact,
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
    ledTo(location, threadOf(input.contact_id), { box: 'done' })
    return { contact_id: input.contact_id, state: 'handled' }
  },
})

export const add_contact_note = endpoint({
  summary: 'Add a private note about a contact, for you and your team only.',
  aliases: [
    'note about a lead',
    'remember that a buyer has financing',
    'private remark about a contact',
    'memo about a prospect',
    'keep in mind that he can only come late',
    'write down that she has the money',
  ],
  label: 'Add a note about a contact',
  brief: ['contact_id', 'note'],
  approval: {
    headline: 'Add a private note about {contact_id}: {note}',
    button: 'Add note',
    consequences: [{ kind: 'other', text: 'Only you and your team see it' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_conversation', from: { contact_id: 'contact_id' } }],
  preview: contact,
  verify: {
    read: 'get_conversation',
    from: { contact_id: 'contact_id' },
    at: 'notes',
    same: { text: 'note' },
    since: 'created_at',
  },
  access: 'write',
  request: 'POST /api/threads/{contact_id}/memos',
  input: {
    contact_id: ContactId,
    note: labelled(
      'Note',
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'The text of the note. The contact never sees it.',
      }),
    ),
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
  aliases: [
    'file away a chat',
    'clear out an old conversation',
    'move a chat to the archive',
    'hide a thread',
    'we are through with him, put it away',
  ],
  label: 'Archive a conversation',
  brief: ['contact_id'],
  approval: {
    headline: 'Archive the conversation with {contact_id}',
    button: 'Archive',
    consequences: [{ kind: 'other', text: 'It leaves the active list, its messages count as read; nobody is told' }],
  },
  effect: 'changes',
  shownBy: [{ read: 'list_contacts', set: { state: 'archived' } }],
  preview: contact,
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
    ledTo(location, threadOf(input.contact_id), { box: 'shelved' })
    return { contact_id: input.contact_id, state: 'archived' }
  },
})

/** The conversation's page: forms redirect to it with their outcome. */
function threadOf(contact_id: string): string {
  return `inbox/${encodeURIComponent(contact_id)}`
}
