import { Type } from 'typebox'
import { fromEpoch, fromCompact, toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import {
  closed,
  cursor,
  day,
  defaulted,
  described,
  id,
  limit,
  moment,
  nextCursor,
  NullableText,
  refTo,
} from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { nullableText, rows } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { conversation, unansweredReview } from './previews.ts'
import { Day, Which, formToken, productId } from './shared.ts'

const Review = {
  review_id: refTo('review', 'Which review; reply_to_review takes it while reply is null.'),
  product_id: Which.product_id,
  rating: labelled('Stars', Type.Integer({ description: 'The stars that the traveler gave, 1 to 5; 5 is best.' })),
  text: Type.String({ description: "The traveler's own words; empty when only stars were given." }),
  date: labelled('Written on', described(Day, 'The day on which it was written, in UTC.')),
  reply: labelled(
    'Reply',
    described(NullableText, 'Your reply, which everybody can read under the review; null while there is none.'),
  ),
}

const ConversationId = refTo('conversation', 'Which conversation; pass it to reply_to_message.')

function review({ feedbackId, activityId, stars, words, day: date, answer }: Fields) {
  return {
    review_id: feedbackId,
    product_id: activityId,
    rating: stars,
    text: words,
    date: fromCompact(date),
    reply: nullableText(answer),
  }
}

export const list_messages = endpoint({
  summary: 'List the conversations with travelers, the one with the latest message first.',
  aliases: [
    'inbox',
    'what did travelers write',
    'unread messages',
    'conversations with travelers',
    'has anybody written to us',
  ],
  label: 'List conversations',
  brief: ['unread_only'],
  access: 'read',
  request: 'GET /extranet/rest/threads',
  input: {
    unread_only: defaulted(
      labelled(
        'Unread only',
        Type.Boolean({ description: 'true: only conversations with messages that nobody has answered.' }),
      ),
      false,
    ),
    limit: limit(20, 50),
    cursor,
  },
  output: {
    conversations: Type.Array(
      closed({
        conversation_id: ConversationId,
        booking_reference: Which.booking_reference,
        traveler: Type.String({ description: 'Full name of who booked and writes here.' }),
        unread: Type.Integer({ description: "How many of the traveler's messages came after your last answer." }),
        last_message: labelled(
          'Last message',
          Type.String({ description: 'The latest message, of either side. Empty when it is a photo.' }),
        ),
        updated_at: labelled('Last message at', described(moment, 'When that message was sent, in UTC.')),
      }),
      { description: 'One page, the conversation with the latest message first.' },
    ),
    next_cursor: nextCursor,
  },
  encode: ({ unread_only, limit: size }, { anchor }) => ({
    query: { show: unread_only ? 'unseen' : 'all', size, after: anchor },
  }),
  decode: ({ items, after }, { cursor: next }) => ({
    conversations: rows(items).map(({ threadId, orderNo, guest, unseen, lastWords, lastEpoch }) => ({
      conversation_id: threadId,
      booking_reference: orderNo,
      traveler: guest,
      unread: unseen,
      last_message: lastWords,
      updated_at: fromEpoch(lastEpoch),
    })),
    next_cursor: next(nullableText(after)),
  }),
})

export const list_reviews = endpoint({
  summary: "List the travelers' reviews with the replies to them, newest first, 25 a page.",
  aliases: ['what did travelers say', 'ratings of my tours', 'feedback', 'reviews without a reply'],
  label: 'List reviews',
  brief: ['product_id', 'since', 'unanswered_only'],
  access: 'read',
  request: 'GET /extranet/rest/feedback',
  input: {
    product_id: productId('Only reviews of this product; of all when left out.'),
    since: Type.Optional(labelled('Since', day('Only reviews of this day, in UTC, or later.'))),
    unanswered_only: Type.Optional(
      labelled(
        'Unanswered only',
        Type.Boolean({ description: 'true: only reviews without a reply. Left out or false: all.' }),
      ),
    ),
    cursor,
  },
  output: {
    reviews: Type.Array(closed(Review), { description: 'One page of the reviews, newest first.' }),
    next_cursor: nextCursor,
  },
  encode: ({ product_id, since, unanswered_only }, { anchor }) => ({
    query: {
      activity: product_id,
      first: toCompact(since),
      show: unanswered_only === true ? 'open' : 'all',
      after: anchor,
    },
  }),
  decode: ({ items, after }, { cursor: next }) => ({
    reviews: rows(items).map(review),
    next_cursor: next(nullableText(after)),
  }),
})

export const reply_to_message = endpoint({
  summary: 'Write to a traveler in a conversation; it reaches them there and by email.',
  aliases: [
    'answer a traveler',
    'write back',
    'send the meeting point',
    'message a traveler',
    'respond to a message',
    'tell her where we meet',
    'let them know it is fine',
  ],
  label: 'Reply to a message',
  brief: ['conversation_id', 'message'],
  approval: {
    headline: 'Reply to {conversation_id}: {message}',
    button: 'Send reply',
    consequences: [{ kind: 'people', text: 'The traveler gets it in the conversation and by e-mail' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_messages' }],
  preview: [conversation],
  verify: {
    read: 'list_messages',
    set: { limit: 50 },
    at: 'conversations',
    same: { conversation_id: 'conversation_id', last_message: 'message' },
    since: 'updated_at',
  },
  access: 'write',
  confirm: true,
  request: 'POST /extranet/threads/{conversation_id}/answer',
  input: {
    conversation_id: labelled(
      'Conversation',
      id('conversation', 'Which conversation: conversation_id from list_messages.'),
    ),
    message: labelled(
      'Message',
      Type.String({ minLength: 1, maxLength: 2000, description: 'The text they will read, as you.' }),
    ),
  },
  output: {
    conversation_id: ConversationId,
    message_id: refTo('message', 'Names the message in the app; no endpoint takes it.'),
    sent_at: described(moment, 'When it was sent, in UTC.'),
  },
  encode: ({ message }) => ({ form: { words: message } }),
  csrf: formToken,
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const { query } = ledTo(location, `extranet/threads/${encodeURIComponent(input.conversation_id)}`, { sent: true })
    return {
      conversation_id: input.conversation_id,
      message_id: query.get('sent'),
      sent_at: fromEpoch(query.get('epoch')),
    }
  },
})

export const reply_to_review = endpoint({
  summary: 'Reply to a review under your name, for everybody to read; a review takes one reply, for good.',
  aliases: [
    'respond to a review',
    'answer a bad review',
    'thank a traveler for the review',
    'public reply',
    'thank them publicly',
    'say sorry for the rain',
  ],
  label: 'Reply to a review',
  brief: ['review_id', 'reply'],
  approval: {
    headline: 'Reply in public to the review[ with {review_id.rating|star|stars}][, {review_id.text}]: {reply}',
    button: 'Publish reply',
    consequences: [
      { kind: 'public', text: 'Everybody can read it under the review, under your name' },
      { kind: 'irreversible', text: 'A review takes one reply, for good' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_reviews' }],
  preview: [unansweredReview],
  verify: {
    read: 'list_reviews',
    at: 'reviews',
    same: { review_id: 'review_id', reply: 'reply' },
    proof: {
      words: 'reply',
      before: { reply: [null] },
      output: {
        review_id: 'review_id',
        product_id: 'product_id',
        rating: 'rating',
        text: 'text',
        date: 'date',
        reply: 'reply',
      },
    },
  },
  access: 'write',
  confirm: true,
  request: 'POST /extranet/rest/feedback/{review_id}/answer',
  input: {
    review_id: labelled('Review', id('review', 'Which review, one without a reply: review_id from list_reviews.')),
    reply: labelled(
      'Reply',
      Type.String({ minLength: 1, maxLength: 1000, description: 'The text that will stand under the review.' }),
    ),
  },
  output: Review,
  encode: ({ reply }) => ({ json: { words: reply } }),
  decode: review,
})
