import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled, recipients } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, defaulted, described, moment, oneOf, refTo } from '../kit/inputs.ts'
import { fields, rows } from '../kit/wire.ts'
import { BookingId, Which, fromMoment } from './shared.ts'

const parties = codec({ customer: 'CLIENT', booking_department: 'OFFICE' })
const Party = Type.Enum(parties.words, {
  type: 'string',
  description: 'The other side: the traveller who booked, or the booking department of the app.',
})

export const list_messages = endpoint({
  summary: 'List the conversations about bookings, with customers and with the booking department, newest first.',
  aliases: [
    'messages from customers',
    'inbox',
    'what did travellers write',
    'conversations about bookings',
    'has anybody written',
    'what did the customers ask',
  ],
  label: 'List conversations',
  brief: ['unread_only', 'booking_id'],
  access: 'read',
  request: 'GET /panel/inbox',
  input: {
    unread_only: defaulted(
      labelled(
        'Unread only',
        Type.Boolean({ description: 'true: only conversations with something unread. false: all.' }),
      ),
      false,
    ),
    booking_id: Type.Optional(BookingId),
  },
  output: {
    threads: Type.Array(
      closed({
        booking_id: Which.booking_id,
        with: Party,
        unread: Type.Boolean({
          description: 'true: something they wrote is unread; send_message to them makes it read.',
        }),
        last_message: Type.String({ description: 'The latest message, of either side.' }),
        received_at: described(moment, 'When that message was written, by you or by them, in UTC.'),
      }),
      { description: 'One for each booking and other side, the latest message first.' },
    ),
  },
  encode: ({ unread_only, booking_id }) => ({ query: { fresh: unread_only ? '1' : '0', bk: booking_id } }),
  decode: ({ rows: threads }) => ({
    threads: rows(threads).map(({ bk, side, fresh, last }) => ({
      booking_id: bk,
      with: parties.decode(side),
      unread: fresh,
      last_message: fields(last)['words'],
      received_at: fromMoment(fields(last)),
    })),
  }),
})

export const send_message = endpoint({
  summary: 'Write about a booking to its customer, or to the booking department; it is mailed to them.',
  aliases: [
    'write to a traveller',
    'tell a customer the meeting point',
    'reply to a booking',
    'contact the booking department',
    'answer a guest',
    'tell them to bring sunscreen',
    'let her know where we meet',
  ],
  label: 'Send a message',
  brief: ['booking_id', 'with', 'message'],
  approval: {
    headline: 'Write to the {with} about the booking[ of {booking_id}][: {message}]',
    button: 'Send message',
    consequences: [
      { kind: 'people', text: 'The traveller gets it by e-mail', when: { with: ['customer'] } },
      {
        kind: 'people',
        text: 'The app’s booking department gets it by e-mail',
        when: { with: ['booking_department'] },
      },
      { kind: 'other', text: '[The booking is for {booking_id.activity} on {booking_id.date}]' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_messages', from: { booking_id: 'booking_id' } }],
  preview: [
    {
      of: 'booking_id',
      read: 'get_booking',
      by: 'booking_id',
      shows: ['lead_traveler.name', 'lead_traveler.email', 'activity', 'date', 'time', 'people', 'status'],
      matters: ['lead_traveler.name', 'lead_traveler.email', 'activity', 'date', 'time', 'status'],
      conclusive: true,
    },
  ],
  verify: {
    read: 'list_messages',
    from: { booking_id: 'booking_id' },
    at: 'threads',
    same: { booking_id: 'booking_id', with: 'with', last_message: 'message' },
  },
  access: 'write',
  confirm: true,
  request: 'POST /panel/inbox/{booking_id}',
  input: {
    booking_id: BookingId,
    with: labelled(
      'Recipient',
      recipients(oneOf(parties.words, 'Who gets it. A customer can be written to until 30 days after departure.')),
    ),
    message: labelled(
      'Message',
      Type.String({ minLength: 1, maxLength: 2000, description: 'The text they will read, as you.' }),
    ),
  },
  output: {
    message_id: refTo('message', 'Names the message in the app; no endpoint takes it.'),
    booking_id: Which.booking_id,
    with: Party,
    sent_at: described(moment, 'When it was sent, to the minute, in UTC.'),
  },
  encode: ({ with: whom, message }) => ({ json: { side: parties.encode(whom), words: message } }),
  decode: (note) => ({
    message_id: note['msg'],
    booking_id: note['bk'],
    with: parties.decode(note['side']),
    sent_at: fromMoment(note),
  }),
})
