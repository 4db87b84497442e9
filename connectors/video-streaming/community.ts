import { Type } from 'typebox'
import { endpoint } from '../define.ts'
import { closed, id, moment } from '../inputs.ts'
import { fields, rows, word } from '../wire.ts'
import { toOffset, utc } from './words.ts'

export const list_community_channels = endpoint({
  summary: 'List all community channels that you see, private ones included, by name.',
  access: 'read',
  request: 'GET /api/community/rooms',
  input: {},
  output: {
    channels: Type.Array(
      closed({
        channel_id: Type.String(),
        name: Type.String(),
        visibility: Type.Enum(['public', 'private'], { type: 'string' }),
      }),
    ),
  },
  decode: ({ payload }) => ({
    channels: rows(payload).map(({ room, handle, 'open-to': open }) => ({
      channel_id: room,
      name: handle,
      visibility: word({ everyone: 'public', invited: 'private' }, open),
    })),
  }),
})

export const create_community_post = endpoint({
  summary: 'Post in a community channel as you, now or at a set time.',
  access: 'write',
  confirm: true,
  request: 'POST /api/community/rooms/{channel_id}/posts',
  input: {
    channel_id: id('Where to post: channel_id from list_community_channels.'),
    text: Type.String({ minLength: 1, maxLength: 5000, description: 'What members will read, as you.' }),
    publish_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When it is to appear, in the future: ISO 8601 with an offset or Z. Now when left out.',
      }),
    ),
  },
  output: {
    post_id: Type.String(),
    channel_id: Type.String(),
    author: Type.String(),
    text: Type.String(),
    status: Type.Enum(['published', 'scheduled'], { type: 'string' }),
    publish_at: moment,
  },
  encode: ({ text: words, publish_at }) => ({ json: { words, 'goes-out': toOffset(publish_at) } }),
  decode: ({ payload }) => {
    const { post, room, by, words, state, 'goes-out': goesOut } = fields(payload)
    return {
      post_id: post,
      channel_id: room,
      author: by,
      text: words,
      status: word({ out: 'published', waiting: 'scheduled' }, state),
      publish_at: utc(goesOut),
    }
  },
})
