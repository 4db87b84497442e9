import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, defaulted, id, limit, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, number, rows, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { collectedVideos, playlistVideos, replacedPlaylist } from './previews.ts'
import {
  CollectionId,
  CollectionRef,
  VideoRef,
  blurb,
  categoryIds,
  listQuery,
  nextPlace,
  search,
  title,
} from './shared.ts'

const dayMs = 86_400_000
const gates = codec({ gated: 'members', free: 'open' })

const Collection = {
  collection_id: CollectionRef,
  title: Type.String({ description: 'What viewers see as its title.' }),
  status: labelled(
    'Status',
    Type.Enum(['published', 'unpublished'], {
      type: 'string',
      description: 'Only published collections with a category are in the catalog.',
    }),
  ),
  category_ids: Type.Array(refTo('category'), {
    description: 'Ids of the categories it belongs to; empty: it stays out of the catalog.',
  }),
  video_count: labelled(
    'Videos',
    Type.Integer({ description: 'How many videos are in it; dividers are not counted.' }),
  ),
}

const Playlist = {
  access: labelled('Access', oneOf(gates.words, 'gated: for paying members only. free: open to everyone.')),
  items: labelled(
    'Playlist',
    Type.Array(
      Type.Union([
        closed({ divider: Type.String({ description: 'A heading between videos.' }) }),
        closed({
          video_id: VideoRef,
          title: Type.String({ description: 'What viewers see as the title of the video.' }),
          drip_days: labelled(
            'Days until unlocked',
            Type.Integer({ description: 'So many days after a member joined it unlocks; 0 is at once.' }),
          ),
        }),
      ]),
      { description: 'In the order that viewers see.' },
    ),
  ),
}

const CollectionDetail = {
  collection_id: Collection.collection_id,
  title: Collection.title,
  status: Collection.status,
  ...Playlist,
}

function collection(series: Fields) {
  return {
    collection_id: series['series'],
    title: series['heading'],
    status: word({ public: 'published', hidden: 'unpublished' }, series['airing']),
    category_ids: series['shelves'],
    video_count: series['clip-count'],
  }
}

function playlist(series: Fields) {
  return {
    access: gates.decode(series['gate']),
    items: rows(series['running-order']).map(item),
  }
}

function item({ kind, caption, clip, heading, 'unlock-after-ms': wait }: Fields) {
  if (word({ break: 'divider', clip: 'video' }, kind) === 'divider') return { divider: caption }
  const drip_days = number(wait) / dayMs
  if (!Number.isInteger(drip_days)) throw new UnknownShape('not whole days')
  return { video_id: clip, title: heading, drip_days }
}

function collectionDetail(series: Fields) {
  const { collection_id, title: name, status } = collection(series)
  return { collection_id, title: name, status, ...playlist(series) }
}

export const list_collections = endpoint({
  summary: 'List your collections, newest first; only those that are published and categorized are in the catalog.',
  aliases: ['my series', 'playlists', 'which collections are there', 'programs'],
  label: 'List collections',
  brief: ['search'],
  access: 'read',
  request: 'GET /api/series',
  input: { search: search('collections'), limit: limit(), cursor },
  output: {
    collections: Type.Array(closed(Collection), { description: 'This page of collections; empty when none matches.' }),
    next_cursor: nextCursor,
  },
  encode: ({ search: find, limit: size }, { anchor }) => ({ query: listQuery({ find }, { limit: size, anchor }) }),
  decode: (answer, { cursor: next }) => ({
    collections: rows(answer['payload']).map(collection),
    next_cursor: next(nextPlace(answer)),
  }),
})

export const get_collection = endpoint({
  summary: 'Read a collection with its videos and dividers in the order that viewers see, and their drip days.',
  aliases: ['what is in the playlist', 'order of videos in a series', 'drip days', 'open a collection'],
  label: 'Show a collection',
  brief: ['collection_id'],
  access: 'read',
  request: 'GET /api/series/{collection_id}',
  input: { collection_id: CollectionId },
  output: CollectionDetail,
  decode: ({ payload }) => collectionDetail(fields(payload)),
})

export const create_collection = endpoint({
  summary: 'Make an unpublished collection out of uploaded videos.',
  aliases: ['new series', 'new playlist', 'group videos', 'make a program out of videos'],
  label: 'Create a collection',
  brief: ['title', 'video_ids', 'access'],
  approval: {
    headline: 'Create the collection {title} of {video_ids|video|videos}[: {video_ids}]',
    button: 'Create collection',
    consequences: [
      { kind: 'other', text: 'It stays unpublished: viewers do not see it yet' },
      { kind: 'other', text: 'Once published, it is for paying members only', when: { access: ['gated'] } },
      { kind: 'other', text: 'Once published, it is open to everyone', when: { access: ['free'] } },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_collections' }],
  preview: [collectedVideos],
  verify: {
    read: 'list_collections',
    from: { search: 'title' },
    at: 'collections',
    id: 'collection_id',
    same: { title: 'title' },
  },
  access: 'write',
  request: 'POST /api/series',
  input: {
    title: title('What viewers will see as its title, on one line.'),
    video_ids: labelled(
      'Videos',
      Type.Array(id('video', 'A video: video_id from list_videos or upload_video.'), {
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        description: '1 to 200 different videos, in the order that viewers will see.',
      }),
    ),
    access: defaulted(Playlist.access, 'gated'),
    description: Type.Optional(blurb('What viewers will read about it.')),
    category_ids: Type.Optional(
      categoryIds('The categories it is shown in once it is published. Without one it stays out of the catalog.'),
    ),
  },
  output: { ...Collection, ...Playlist },
  encode: ({ title: heading, video_ids, access, description, category_ids }) => ({
    json: { heading, clips: video_ids, gate: gates.encode(access), blurb: description, shelves: category_ids },
  }),
  decode: ({ payload }) => ({ ...collection(fields(payload)), ...playlist(fields(payload)) }),
})

const PlaylistInput = Type.Union([
  closed({
    divider: labelled(
      'Divider',
      Type.String({ minLength: 1, maxLength: 200, description: 'A heading between videos, on one line.' }),
    ),
  }),
  closed({
    video_id: labelled('Video', id('video', 'A video: video_id from list_videos. Once in a collection at most.')),
    drip_days: Type.Optional(
      labelled(
        'Days until unlocked',
        Type.Integer({
          minimum: 0,
          maximum: 3650,
          description: 'So many days after a member joined it unlocks; above 0 in gated collections only. Default 0.',
        }),
      ),
    ),
  }),
])

export const set_collection_playlist = endpoint({
  summary: 'Replace the whole playlist of a collection: order, dividers and drip days. What is not in it is out.',
  aliases: [
    'reorder the videos of a series',
    'add a video to a playlist',
    'remove a video from a collection',
    'change drip days',
    'arrange episodes',
    'put the new episode first',
    'swap two episodes',
  ],
  label: 'Replace a playlist',
  brief: ['collection_id', 'items'],
  approval: {
    headline: 'Replace the whole playlist of {collection_id}[ with {items.video_id|video|videos}][: {items.video_id}]',
    button: 'Replace playlist',
    consequences: [
      { kind: 'public', text: 'Viewers see the new playlist at once if the collection is published' },
      { kind: 'other', text: 'Videos that are not in the new playlist leave the collection' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_collection', from: { collection_id: 'collection_id' } }],
  preview: [replacedPlaylist, playlistVideos],
  access: 'write',
  confirm: true,
  request: 'PATCH /api/series/{collection_id}/running-order',
  input: {
    collection_id: CollectionId,
    items: labelled(
      'Playlist',
      Type.Array(PlaylistInput, {
        maxItems: 500,
        description:
          'Everything that is to be in the collection, in order: { divider } or { video_id, drip_days }. Read the present items with get_collection first.',
      }),
    ),
  },
  output: CollectionDetail,
  encode: ({ items }) => ({
    json: {
      'running-order': items.map((entry) =>
        'divider' in entry
          ? { kind: 'break', caption: entry.divider }
          : { kind: 'clip', clip: entry.video_id, 'unlock-after-ms': (entry.drip_days ?? 0) * dayMs },
      ),
    },
  }),
  decode: ({ payload }) => collectionDetail(fields(payload)),
})
