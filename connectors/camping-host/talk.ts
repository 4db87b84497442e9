import { Type } from 'typebox'
import { fromEpoch } from '../kit/dates.ts'
import { labelled, recipients } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { entityPage } from '../kit/before.ts'
import { NullableText, closed, day, defaulted, described, id, moment, oneOf, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { UnknownShape, nullableText, rows } from '../kit/wire.ts'
import { conversation, review } from './previews.ts'
import { Camper, ListingOf, OneListing, camper, formFern, toDay } from './shared.ts'

const shelves = {
  unread: 'UNREAD',
  pending: 'ASKED',
  future: 'AHEAD',
  past: 'BEHIND',
  questions: 'QUESTIONS',
} as const

export const list_messages = endpoint({
  summary: 'List conversations with campers, those with the most recent message first.',
  aliases: [
    'inbox',
    'what did campers write to me',
    'unread messages from guests',
    'conversations with guests',
    'did somebody write to me',
    'anything new from the campers',
  ],
  label: 'List conversations',
  brief: ['filter', 'booking_id'],
  access: 'read',
  request: 'GET /host/data/chats',
  input: {
    filter: defaulted(
      labelled(
        'Which conversations',
        oneOf(
          ['unread', 'pending', 'future', 'past', 'questions'],
          'unread: with a message that you have not read. By what they are about: pending: an open request. future: a booking that is upcoming or current. past: any other booking or request. questions: none.',
        ),
      ),
      'unread',
    ),
    booking_id: Type.Optional(
      labelled(
        'Booking',
        id('booking', 'Only about this one, and in filter: booking_id from list_bookings or list_booking_requests.'),
      ),
    ),
  },
  output: {
    conversations: Type.Array(
      closed({
        conversation_id: refTo('conversation', 'Pass it to send_message to write to this camper.'),
        camper: Camper,
        booking_id: Type.Union([refTo('booking'), Type.Null()], { description: 'null: about no booking.' }),
        last_message: labelled('Last message', Type.String({ description: 'Of either side.' })),
        last_message_at: labelled('Last message at', described(moment, 'When the last message was written, in UTC.')),
        unread: Type.Boolean({ description: 'Whether there is a message of the camper that you have not read.' }),
      }),
      { description: 'The one with the most recent message first; empty when none fits.' },
    ),
  },
  encode: ({ filter, booking_id }) => ({ query: { show: shelves[filter], stay: booking_id } }),
  decode: ({ rows: chats }) => ({
    conversations: rows(chats).map(({ chat, who, stay, said, at, fresh }) => ({
      conversation_id: chat,
      camper: camper(who),
      booking_id: stay,
      last_message: said,
      last_message_at: fromEpoch(at),
      unread: fresh,
    })),
  }),
})

export const send_message = endpoint({
  summary: 'Send a message to the camper of an existing conversation; what stood there counts as read.',
  aliases: ['write to a camper', 'reply to a guest', "answer a guest's message", 'tell the camper when to arrive'],
  label: 'Send a message',
  brief: ['conversation_id', 'message'],
  approval: {
    headline: 'Send a message[ to {conversation_id}][: {message}]',
    button: 'Send message',
    consequences: [
      { kind: 'people', text: 'The camper gets it in the conversation' },
      { kind: 'other', text: 'What the camper wrote before counts as read' },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [conversation],
  access: 'write',
  confirm: true,
  request: 'POST /host/chats/{conversation_id}/reply',
  before: { chat: entityPage('GET /host/chats/{conversation_id}') },
  input: {
    conversation_id: labelled(
      'Conversation',
      recipients(id('conversation', 'Which conversation: conversation_id from list_messages.')),
    ),
    message: labelled(
      'Message',
      Type.String({ minLength: 1, maxLength: 2000, description: 'The text they will read, as you.' }),
    ),
  },
  output: {
    conversation_id: refTo('conversation', 'The conversation that the message stands in now.'),
    message_id: refTo('message', "The app's own id of the new message; no endpoint takes it."),
    sent_at: described(moment, 'When the message was sent, in UTC.'),
  },
  csrf: formFern,
  encode: ({ message }) => ({ form: { words: message } }),
  answer: 'redirect',
  decode: (_answer, { location }) => {
    const { part, query } = ledTo(location, /^host\/chats\/(?<chat>[A-Z]\d+)$/)
    return { conversation_id: part['chat'], message_id: query.get('sent'), sent_at: fromEpoch(query.get('at')) }
  },
})

export const list_reviews = endpoint({
  summary: 'List what campers wrote about their stays, with any public response of yours, newest first.',
  aliases: [
    'what guests thought of their stay',
    'star ratings of my campsite',
    'feedback of campers',
    'bad reviews',
    'how do people rate us',
    'did anybody complain about their stay',
  ],
  label: 'List reviews',
  brief: ['listing_id', 'since', 'responded'],
  access: 'read',
  request: 'GET /host/data/reviews',
  input: {
    listing_id: OneListing,
    since: Type.Optional(labelled('Since', day('Only reviews of this day and later, in your own time zone.'))),
    responded: Type.Optional(
      labelled(
        'With your response',
        Type.Boolean({
          description: 'false: only reviews without your public response. true: only those with one. Left out: all.',
        }),
      ),
    ),
  },
  output: {
    reviews: Type.Array(
      closed({
        review_id: refTo('review', 'Pass it to respond_to_review to answer the camper.'),
        listing_id: ListingOf,
        camper: Camper,
        recommended: labelled(
          'Recommended',
          Type.Boolean({ description: 'Whether the camper recommends staying there.' }),
        ),
        text: labelled(
          'Review',
          Type.String({ description: 'Empty when the camper only said whether they recommend it.' }),
        ),
        created_at: labelled('Written at', described(moment, 'When the camper wrote the review, in UTC.')),
        response: labelled('Your response', described(NullableText, 'Yours, which everybody can read.')),
      }),
      { description: 'Newest first; empty when none fits what you asked for.' },
    ),
  },
  encode: ({ listing_id, since, responded }) => ({
    query: {
      land: listing_id,
      since: toDay(since),
      replied: responded === undefined ? undefined : responded ? 'YES' : 'NO',
    },
  }),
  decode: ({ rows: reviews }) => ({
    reviews: rows(reviews).map(({ review, land, who, up, words, at, reply }) => ({
      review_id: review,
      listing_id: land,
      camper: camper(who),
      recommended: up,
      text: words,
      created_at: fromEpoch(at),
      response: nullableText(reply),
    })),
  }),
})

export const respond_to_review = endpoint({
  summary: 'Answer a review, publicly and once, or as a private message in the conversation with the camper.',
  aliases: [
    'reply to a review',
    'answer a bad review',
    'thank a camper for the review',
    'thank them publicly for their kind words',
    'apologize for the noise in a reply to the rating',
  ],
  label: 'Answer a review',
  brief: ['review_id', 'response', 'visibility'],
  approval: {
    headline: 'Answer the review[ of {review_id}] in {visibility}[: {response}]',
    button: 'Answer in {visibility}',
    consequences: [
      { kind: 'people', text: 'Only the camper reads it, as a message', when: { visibility: ['private'] } },
      { kind: 'public', text: 'Everybody can read it below the review', when: { visibility: ['public'] } },
      {
        kind: 'irreversible',
        text: 'A review has one public answer, which cannot be taken back',
        when: { visibility: ['public'] },
      },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_reviews' }],
  preview: [review],
  verify: { read: 'list_reviews', at: 'reviews', same: { review_id: 'review_id', response: 'response' } },
  access: 'write',
  confirm: true,
  request: 'POST /host/reviews/{review_id}/reply',
  input: {
    review_id: labelled('Review', id('review', 'Which review: review_id from list_reviews.')),
    response: labelled(
      'Answer',
      Type.String({ minLength: 1, maxLength: 2000, description: 'The text they will read, as you.' }),
    ),
    visibility: labelled(
      'Who can read it',
      oneOf(
        ['public', 'private'],
        'public: everybody can read it; only for a review without a response. private: only the camper.',
      ),
    ),
  },
  output: {
    review_id: refTo('review', 'The review that you answered, as in list_reviews.'),
    visibility: Type.Enum(['public', 'private'], {
      type: 'string',
      description: 'public: it stands below the review; private: only the camper reads it.',
    }),
    responded_at: described(moment, 'When your answer was sent, in UTC.'),
    conversation_id: Type.Union([refTo('conversation'), Type.Null()], { description: 'Where a private message went.' }),
  },
  csrf: formFern,
  encode: ({ response, visibility }) => ({ form: { words: response, way: visibility } }),
  answer: 'redirect',
  decode: (_answer, { input: { visibility }, location }) => {
    const { part, query } = ledTo(location, /^host\/reviews\/(?<review>[A-Z]\d+)$/)
    if (query.get('way') !== visibility) throw new UnknownShape('something else was done')
    return {
      review_id: part['review'],
      visibility,
      responded_at: fromEpoch(query.get('at')),
      conversation_id: query.get('chat'),
    }
  },
})
