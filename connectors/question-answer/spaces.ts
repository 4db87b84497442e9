import { Type } from 'typebox'
import { fromEpoch } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, defaulted, described, moment, oneOf, refTo } from '../kit/inputs.ts'
import { fields, rows, word } from '../kit/wire.ts'
import { spaceToPostIn } from './previews.ts'
import { SpaceId, addressOf, markdown, refNo } from './shared.ts'

const roles = { keeper: 'owner', steward: 'admin', warden: 'moderator', author: 'contributor', reader: 'follower' }
const Role = labelled(
  'Your role',
  oneOf(
    ['owner', 'admin', 'moderator', 'contributor', 'follower'],
    'Your role: only a follower cannot post; owner, admin and moderator see stats and submissions.',
  ),
)

export const list_my_spaces = endpoint({
  summary: 'List the spaces that you run, contribute to or follow, with your role in each.',
  aliases: ['which spaces do I run', 'my communities', 'groups that I follow', 'spaces that I moderate'],
  label: 'List your spaces',
  brief: [],
  access: 'read',
  request: 'GET /api/rooms',
  input: {},
  output: {
    spaces: Type.Array(
      closed({
        space_id: refTo('space', 'Pass it to get_space_stats, post_to_space, list_space_submissions or ask_question.'),
        name: labelled('Space', Type.String({ description: 'What the space is called in the app.' })),
        role: Role,
        url: labelled('Page', Type.String({ description: 'The page of the space in the app.' })),
      }),
      { description: 'Spaces in which you have a role, oldest first; empty when there are none.' },
    ),
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

const ThisSpace = refTo('space', 'The space that the call named.')

const Counts = closed({
  views: Type.Integer({ description: 'How often it was viewed in that time.' }),
  followers: Type.Integer({ description: 'How many began to follow it in that time.' }),
  upvotes: Type.Integer({ description: 'Upvotes given in that time, less those taken back.' }),
  comments: Type.Integer({ description: 'Comments written in that time.' }),
  notification_clicks: Type.Integer({ description: 'How often its notifications were clicked in that time.' }),
})

function counts(figures: unknown) {
  const { seen, follows, thumbs, remarks, bell_taps } = fields(figures)
  return { views: seen, followers: follows, upvotes: thumbs, comments: remarks, notification_clicks: bell_taps }
}

export const get_space_stats = endpoint({
  summary: 'Count views, followers, upvotes, comments and notification clicks of a space that you run or moderate.',
  aliases: [
    'how does my space do',
    'followers of my space',
    'views and upvotes',
    'community growth',
    'statistics of a space',
    'is my group growing',
    'how many read us',
  ],
  label: 'Show figures of a space',
  brief: ['space_id'],
  access: 'read',
  request: 'GET /api/rooms/{space_id}/figures',
  input: { space_id: SpaceId },
  output: {
    space_id: ThisSpace,
    all_time: described(Counts, 'All that was ever counted for the space.'),
    last_7_days: described(Counts, 'Counted today (UTC) and on the six days before.'),
    top_content: Type.Array(
      closed({
        title: Type.String({ description: 'The headline of the post; empty when it has none.' }),
        views: Type.Integer({ description: 'How often the post was viewed in all.' }),
        upvotes: Type.Integer({ description: 'How many upvotes the post has now.' }),
      }),
      { description: 'Its ten most viewed posts at most, the most viewed first; empty without posts.' },
    ),
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
  aliases: [
    'write a post in my space',
    'share something with followers of a space',
    'publish a post',
    'queue a post',
    'tell the group about the new book',
  ],
  label: 'Post in a space',
  brief: ['space_id', 'title', 'body_markdown', 'publish'],
  approval: {
    headline: 'Post[ {title}] in {space_id}[: {body_markdown}]',
    button: 'Post in space',
    consequences: [
      { kind: 'public', text: 'Followers of the space can read it at once', when: { publish: ['now'] } },
      {
        kind: 'public',
        text: 'Published on the next free day of the space; nobody sees it before',
        when: { publish: ['queued'] },
      },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [spaceToPostIn],
  access: 'write',
  confirm: true,
  request: 'POST /api/rooms/{space_id}/shelf',
  input: {
    space_id: SpaceId,
    title: Type.Optional(
      labelled('Headline', Type.String({ maxLength: 250, description: 'The headline; none when left out.' })),
    ),
    body_markdown: markdown('Text', 'The post, as the followers of the space will read it.'),
    publish: defaulted(
      labelled(
        'Published',
        oneOf(['now', 'queued'], 'now for at once, queued for the next free day of the space, which posts one a day.'),
      ),
      'now',
    ),
  },
  output: {
    post_id: refTo('post', 'The number of the new post; no endpoint takes it.'),
    space_id: ThisSpace,
    title: Type.String({ description: 'The headline as the app keeps it; empty when none was given.' }),
    status: Type.Enum(['published', 'queued'], {
      type: 'string',
      description: 'Published already, or queued: nobody sees it before publish_at.',
    }),
    publish_at: described(moment, 'When it was published, or will be if it is queued, in UTC.'),
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
