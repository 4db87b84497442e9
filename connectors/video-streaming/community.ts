import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, described, id, moment, refTo } from '../kit/inputs.ts'
import { fields, rows, word } from '../kit/wire.ts'
import { channel } from './previews.ts'
import { ahead, toOffset, utc } from './shared.ts'

export const list_community_channels = endpoint({
  summary: 'List all community channels that you see, private ones included, by name.',
  aliases: ['which channels does the community have', 'community groups', 'forum channels'],
  label: 'List channels',
  brief: [],
  access: 'read',
  request: 'GET /api/community/rooms',
  input: {},
  output: {
    channels: Type.Array(
      closed({
        channel_id: refTo('channel', 'Pass it to create_community_post.'),
        name: Type.String({ description: 'Its name in lowercase, with hyphens or underscores between words.' }),
        visibility: labelled(
          'Visibility',
          Type.Enum(['public', 'private'], {
            type: 'string',
            description: 'public: open to everyone. private: for those who are invited.',
          }),
        ),
      }),
      { description: 'All of them at once, by name.' },
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
  aliases: [
    'post in the community',
    'write to members',
    'announce something in a channel',
    'share an update with the community',
    "say hello in the members' chat",
    'tell the community',
  ],
  label: 'Post in a channel',
  brief: ['channel_id', 'text', 'publish_at'],
  approval: {
    headline: 'Post in {channel_id}[ on {publish_at}]: {text}',
    button: 'Post',
    consequences: [
      {
        kind: 'public',
        text: 'Members can read it as yours[ from {publish_at} on][; the channel is {channel_id.visibility}]',
      },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [channel],
  access: 'write',
  confirm: true,
  request: 'POST /api/community/rooms/{channel_id}/posts',
  input: {
    channel_id: labelled('Channel', id('channel', 'Where to post: channel_id from list_community_channels.')),
    text: labelled(
      'Text',
      Type.String({ minLength: 1, maxLength: 5000, description: 'What members will read, as you.' }),
    ),
    publish_at: Type.Optional(
      ahead('Publish at', 'When it is to appear, in the future: ISO 8601 with an offset or Z. Now when left out.'),
    ),
  },
  output: {
    post_id: refTo('post', 'The id of the post; no endpoint takes it.'),
    channel_id: refTo('channel', 'The channel that it is in, as you gave it.'),
    author: Type.String({ description: 'The name of the person whose account posts.' }),
    text: Type.String({ description: 'What members read, as the app keeps it.' }),
    status: Type.Enum(['published', 'scheduled'], {
      type: 'string',
      description: 'published: it is out now. scheduled: it appears at publish_at.',
    }),
    publish_at: described(moment, 'When it appears or appeared, in UTC.'),
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
