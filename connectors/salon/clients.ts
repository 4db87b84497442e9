import { Type } from 'typebox'
import { labelled, recipients } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { entityPage } from '../kit/before.ts'
import { NullableText, closed, defaulted, described, id, limit, moment, refTo } from '../kit/inputs.ts'
import { fields, rows } from '../kit/wire.ts'
import { attributes, document, linked } from './documents.ts'
import { fromLocalToUtc } from './times.ts'
import { conversation } from './previews.ts'
import { ClientName } from './shared.ts'

export const find_client = endpoint({
  summary: 'Find clients of the business by name, email or phone number, from A to Z.',
  aliases: [
    'look up a client',
    "client's phone number",
    'search customer by email',
    'find a customer',
    'is she a client of ours',
    'have we got her number',
    'do we know him',
  ],
  label: 'Find clients',
  brief: ['query'],
  access: 'read',
  request: 'GET /business/api/guests',
  input: {
    query: labelled(
      'Search words',
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
        description: 'A part of the name, in any capitals and accents, of the email, or digits of the phone number.',
      }),
    ),
    limit: limit(10, 50),
  },
  output: {
    clients: Type.Array(
      closed({
        client_id: refTo('client', 'Pass it to book_appointment or add_to_waitlist.'),
        name: ClientName,
        email: labelled('Email', described(NullableText, "The client's email address; null when the app has none.")),
        phone: labelled(
          'Phone number',
          described(NullableText, "The client's telephone number; null when the app has none."),
        ),
        tags: labelled(
          'Tags',
          Type.Array(Type.String(), { description: 'Labels that the client has in the app; empty without any.' }),
        ),
      }),
      { description: 'Clients that match, A to Z, at most limit; empty when none does.' },
    ),
  },
  encode: (input) => ({ query: { find: input.query, rows: input.limit } }),
  decode: ({ data }) => ({
    clients: rows(data).map((guest) => {
      const { full, mail, cell, labels } = attributes(guest)
      return { client_id: guest['id'], name: full, email: mail, phone: cell, tags: labels }
    }),
  }),
})

export const list_conversations = endpoint({
  summary: 'List the chats with clients, most recent first; replies to appointment notifications do not appear.',
  aliases: [
    'chats with clients',
    'inbox',
    'unread messages from clients',
    'who wrote to the salon',
    'recent chats',
    'did anybody write to us',
  ],
  label: 'List chats',
  brief: ['unread_only'],
  access: 'read',
  request: 'GET /business/api/talks',
  input: {
    unread_only: Type.Optional(
      labelled(
        'Unread only',
        Type.Boolean({ description: 'true: only chats with an unread message. Left out or false: all.' }),
      ),
    ),
    limit: limit(20, 50),
  },
  output: {
    conversations: Type.Array(
      closed({
        conversation_id: refTo('conversation', 'Pass it to reply_to_client to answer.'),
        client: ClientName,
        unread: Type.Boolean({ description: "True when the latest message is the client's and nobody has seen it." }),
        last_message: labelled(
          'Last message',
          Type.String({ description: 'The text of the latest message, from either side.' }),
        ),
        updated_at: labelled(
          'Last message at',
          described(moment, 'When the latest message was written, to the minute, in UTC.'),
        ),
      }),
      { description: 'Chats of all locations, most recent first; empty when there are none.' },
    ),
  },
  encode: (input) => ({ query: { fresh: input.unread_only === true ? 'yes' : null, rows: input.limit } }),
  decode: ({ data }) => ({
    conversations: rows(data).map((talk) => {
      const { guest, fresh, latest, touched, zone } = attributes(talk)
      return {
        conversation_id: talk['id'],
        client: guest,
        unread: fresh,
        last_message: latest,
        updated_at: fromLocalToUtc(touched, zone),
      }
    }),
  }),
})

export const reply_to_client = endpoint({
  summary: 'Send a message to a client in the chat, optionally with the booking link.',
  aliases: [
    'message a client',
    'text a client',
    'answer a chat',
    'send the booking link',
    'write back',
    'tell her we are open until six',
    'send him the link to book',
  ],
  label: 'Send a chat message',
  brief: ['conversation_id', 'message'],
  approval: {
    headline: 'Send a chat message[ to {conversation_id}][: {message}]',
    button: 'Send message',
    consequences: [
      { kind: 'people', text: 'The client gets it in the chat' },
      { kind: 'other', text: 'The link to book goes with it', when: { include_booking_link: [true] } },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_conversations' }],
  preview: [conversation],
  verify: {
    read: 'list_conversations',
    set: { limit: 50 },
    at: 'conversations',
    same: { conversation_id: 'conversation_id', last_message: 'message' },
    since: 'updated_at',
  },
  access: 'write',
  confirm: true,
  request: 'POST /business/api/talks/{conversation_id}/lines',
  before: { talk: entityPage('GET /business/talks/{conversation_id}') },
  input: {
    conversation_id: labelled(
      'Chat',
      recipients(id('conversation', 'Which chat: conversation_id from list_conversations.')),
    ),
    message: labelled(
      'Message',
      Type.String({ minLength: 1, maxLength: 2000, description: 'The text the client will read.' }),
    ),
    include_booking_link: defaulted(
      labelled(
        'With booking link',
        Type.Boolean({ description: "true: the business's booking address comes with the message." }),
      ),
      false,
    ),
  },
  output: {
    conversation_id: refTo('conversation', 'The chat that the message was sent in.'),
    last_message: Type.String({ description: 'The text of your message, as the app keeps it.' }),
    booking_link: described(NullableText, 'The booking address that went with it; null when it was not included.'),
    updated_at: described(moment, 'When the message was sent, to the minute, in UTC.'),
  },
  encode: ({ message, include_booking_link }) =>
    document('lines', { words: message, with_booking: include_booking_link }),
  decode: ({ data }) => {
    const { words, book_at, at, zone } = attributes(fields(data))
    return {
      conversation_id: linked(data, 'talk'),
      last_message: words,
      booking_link: book_at,
      updated_at: fromLocalToUtc(at, zone),
    }
  },
})
