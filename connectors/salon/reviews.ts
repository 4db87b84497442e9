import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { entityPage } from '../kit/before.ts'
import { closed, day, described, id, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { nullableText } from '../kit/wire.ts'
import { attributes, formSlip, whole, wholeData } from './documents.ts'
import { fromNamed, toNamed } from './times.ts'
import { review } from './previews.ts'
import { ClientName, Day, LocationId } from './shared.ts'

export const list_reviews = endpoint({
  summary: 'List what clients wrote about one location, newest first, and whether the business has replied.',
  aliases: [
    'what do clients say about us',
    'star ratings of a location',
    'feedback',
    'reviews without a reply',
    'bad reviews',
    'are people happy with us',
    'how many stars do we have',
  ],
  label: 'List reviews',
  brief: ['location_id', 'since', 'unanswered_only'],
  access: 'read',
  request: 'GET /business/api/reviews',
  input: {
    location_id: LocationId('Which location; the main one when left out.'),
    since: Type.Optional(labelled('Since', day('Only reviews of this day or later; all when left out.'))),
    unanswered_only: Type.Optional(
      labelled(
        'Unanswered only',
        Type.Boolean({ description: 'true: only reviews without a reply. Left out or false: all.' }),
      ),
    ),
  },
  output: {
    reviews: Type.Array(
      closed({
        review_id: refTo('review', 'Pass it to reply_to_review while replied is false.'),
        client: ClientName,
        rating: labelled(
          'Stars',
          Type.Integer({ minimum: 1, maximum: 5, description: 'The stars they gave, 1 to 5; 5 is the best.' }),
        ),
        text: labelled('Review', Type.String({ description: 'Empty when they gave only a rating.' })),
        posted_at: labelled('Posted on', described(Day, 'The day when they posted it; the app keeps no time.')),
        replied: labelled(
          'Replied',
          Type.Boolean({ description: 'Whether the business has replied publicly; it can only once.' }),
        ),
      }),
      { description: 'Reviews of this location that match, newest first; empty when none does.' },
    ),
  },
  encode: ({ location_id, since, unanswered_only }) =>
    whole({ branch: location_id, since: toNamed(since), unanswered: unanswered_only === true ? 'yes' : undefined }),
  decode: (answer) => ({
    reviews: wholeData(answer).map((review) => {
      const { guest, stars, words, day: posted, answer } = attributes(review)
      return {
        review_id: review['id'],
        client: guest,
        rating: stars,
        text: words,
        posted_at: fromNamed(posted),
        replied: nullableText(answer) !== null,
      }
    }),
  }),
})

export const reply_to_review = endpoint({
  summary: "Publish the business's reply to a review: for everybody to read, and only once a review.",
  aliases: [
    'answer a review',
    'respond to a bad review',
    'thank a client for the review',
    'public reply',
    'thank her publicly for five stars',
    'say sorry under the rating',
  ],
  label: 'Reply to a review',
  brief: ['review_id', 'reply'],
  approval: {
    headline: 'Reply publicly to the review[ of {review_id}][ with {review_id.rating|star|stars}][: {reply}]',
    button: 'Publish reply',
    consequences: [
      { kind: 'public', text: 'Everybody can read the reply' },
      { kind: 'irreversible', text: 'A review can be replied to only once' },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [review],
  access: 'write',
  confirm: true,
  request: 'POST /business/reviews/{review_id}/answer',
  before: { review: entityPage('GET /business/reviews/{review_id}') },
  input: {
    review_id: labelled('Review', id('review', 'Which review: review_id from list_reviews, where replied is false.')),
    reply: labelled(
      'Reply',
      Type.String({ minLength: 1, maxLength: 1000, description: 'The public text of the reply.' }),
    ),
  },
  output: {
    review_id: refTo('review', 'The review that was replied to.'),
    replied: Type.Boolean({ description: 'Always true: the reply is public now.' }),
  },
  encode: ({ reply }) => ({ form: { words: reply } }),
  csrf: formSlip,
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    ledTo(location, `business/reviews/${encodeURIComponent(input.review_id)}`, { done: 'answered' })
    return { review_id: input.review_id, replied: true }
  },
})
