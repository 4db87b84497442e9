import { Type } from 'typebox'
import { fromEpoch } from '../dates.ts'
import { endpoint } from '../define.ts'
import { closed, defaulted, moment, oneOf } from '../inputs.ts'
import { fields, rows, word } from '../wire.ts'
import { SpaceId, addressOf, markdown, refNo } from './words.ts'

const roles = { keeper: 'owner', steward: 'admin', warden: 'moderator', author: 'contributor', reader: 'follower' }
const Role = Type.Enum(['owner', 'admin', 'moderator', 'contributor', 'follower'], { type: 'string' })

export const list_my_spaces = endpoint({
  summary: 'List the spaces that you run, contribute to or follow, with your role in each.',
  access: 'read',
  request: 'GET /api/rooms',
  input: {},
  output: {
    spaces: Type.Array(closed({ space_id: Type.String(), name: Type.String(), role: Role, url: Type.String() })),
  },
  decode: (list, { origin }) => ({
    spaces: rows(list['rows']).map(({ ref, called, mine, path }) => ({
      space_id: refNo(ref, 'room'),
      name: called,
      role: word(roles, mine),
      url: addressOf(path, origin),
    })),
  }),
})

const Counts = closed({
  views: Type.Integer(),
  followers: Type.Integer(),
  upvotes: Type.Integer(),
  comments: Type.Integer(),
  notification_clicks: Type.Integer(),
})

function counts(figures: unknown) {
  const { seen, follows, thumbs, remarks, bell_taps } = fields(figures)
  return { views: seen, followers: follows, upvotes: thumbs, comments: remarks, notification_clicks: bell_taps }
}

export const get_space_stats = endpoint({
  summary: 'Count views, followers, upvotes, comments and notification clicks of a space that you run or moderate.',
  access: 'read',
  request: 'GET /api/rooms/{space_id}/figures',
  input: { space_id: SpaceId },
  output: {
    space_id: Type.String(),
    all_time: Counts,
    last_7_days: Counts,
    top_content: Type.Array(closed({ title: Type.String(), views: Type.Integer(), upvotes: Type.Integer() })),
  },
  decode: ({ room, ever, week, best }) => ({
    space_id: refNo(fields(room)['ref'], 'room'),
    all_time: counts(ever),
    last_7_days: counts(week),
    top_content: rows(best).map(({ headline, seen, thumbs }) => ({ title: headline, views: seen, upvotes: thumbs })),
  }),
})

export const post_to_space = endpoint({
  summary: 'Write a post in a space that you contribute to, published now or at the end of its queue.',
  access: 'write',
  confirm: true,
  request: 'POST /api/rooms/{space_id}/shelf',
  input: {
    space_id: SpaceId,
    title: Type.Optional(Type.String({ maxLength: 250, description: 'The headline; none when left out.' })),
    body_markdown: markdown('The post, as the followers of the space will read it.'),
    publish: defaulted(
      oneOf(['now', 'queued'], 'now for at once, queued for the next free day of the space, which posts one a day.'),
      'now',
    ),
  },
  output: {
    post_id: Type.String(),
    space_id: Type.String(),
    title: Type.String(),
    status: Type.Enum(['published', 'queued'], { type: 'string' }),
    publish_at: moment,
  },
  encode: ({ title, body_markdown, publish }) => ({
    json: { headline: title, text: body_markdown, timing: publish === 'queued' ? 'queue' : 'now' },
  }),
  decode: ({ post }) => {
    const { ref, room, headline, standing, live_at } = fields(post)
    return {
      post_id: refNo(ref, 'post'),
      space_id: refNo(fields(room)['ref'], 'room'),
      title: headline,
      status: word({ live: 'published', queued: 'queued' }, standing),
      publish_at: fromEpoch(live_at),
    }
  },
})
