import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, described, limit, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { fields, rows, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { changedVideo } from './previews.ts'
import { NullableMoment, VideoId, VideoRef, blurb, categoryIds, listQuery } from './shared.ts'
import { nextPlace, nullableUtc, search, title } from './shared.ts'

const statuses = codec({ published: 'public', unpublished: 'hidden', scheduled: 'timed' })

const Video = {
  video_id: VideoRef,
  title: Type.String({ description: 'What viewers see as its title.' }),
  status: labelled('Status', oneOf(statuses.words, 'scheduled: it is published by itself at release_at.')),
  release_at: labelled(
    'Release at',
    described(NullableMoment, 'When a scheduled video is published; null for the others.'),
  ),
  category_ids: Type.Array(refTo('category'), {
    description: 'Ids of the categories it is shown in; empty: it stays out of the catalog.',
  }),
  processing: labelled(
    'Still processing',
    Type.Boolean({ description: 'Whether it is still being processed, which takes 10 minutes to 72 hours.' }),
  ),
}

const VideoDetail = {
  ...Video,
  description: Type.String({ description: 'What viewers read about it; empty for none.' }),
  tags: Type.Array(Type.String(), { description: 'All its tags, in the order of update_video; empty for none.' }),
  collection_ids: Type.Array(refTo('collection'), {
    description: 'The collections it is in: pass them to get_collection; empty for none.',
  }),
  coming_soon: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether a scheduled video has a Coming Soon page; null for the others.',
  }),
}

function video(clip: Fields) {
  return {
    video_id: clip['clip'],
    title: clip['heading'],
    status: statuses.decode(clip['airing']),
    release_at: nullableUtc(clip['goes-out']),
    category_ids: clip['shelves'],
    processing: word({ running: 'yes', finished: 'no' }, clip['encoding']) === 'yes',
  }
}

function videoDetail(clip: Fields) {
  return {
    ...video(clip),
    description: clip['blurb'],
    tags: clip['labels'],
    collection_ids: clip['in-series'],
    coming_soon: clip['airing'] === 'timed' ? clip['teaser'] : null,
  }
}

export const list_videos = endpoint({
  summary: 'List your videos, newest first; those without a category stay out of the catalog.',
  aliases: [
    'my videos',
    'all uploads',
    'unpublished videos',
    'catalogue of films',
    'find a video',
    'what have I put up',
    'which ones are not out yet',
  ],
  label: 'List videos',
  brief: ['status', 'search'],
  access: 'read',
  request: 'GET /api/clips',
  input: {
    status: Type.Optional(
      labelled(
        'Status',
        oneOf(
          [...statuses.words, ''],
          'Only videos with this status: published, unpublished or scheduled. All when empty or left out.',
        ),
      ),
    ),
    search: search('videos'),
    limit: limit(),
    cursor,
  },
  output: {
    videos: Type.Array(closed(Video), { description: 'This page of videos; empty when none matches.' }),
    next_cursor: nextCursor,
  },
  encode: ({ status, search: find, limit: size }, { anchor }) => ({
    query: listQuery({ airing: status ? statuses.encode(status) : undefined, find }, { limit: size, anchor }),
  }),
  decode: (answer, { cursor: next }) => ({
    videos: rows(answer['payload']).map(video),
    next_cursor: next(nextPlace(answer)),
  }),
})

export const get_video = endpoint({
  summary: 'Read one video with its description, tags and the collections that it is in.',
  aliases: ['details of a video', 'description and tags of a film', 'which collections is a video in', 'open a video'],
  label: 'Show a video',
  brief: ['video_id'],
  access: 'read',
  request: 'GET /api/clips/{video_id}',
  input: { video_id: VideoId },
  output: VideoDetail,
  decode: ({ payload }) => videoDetail(fields(payload)),
})

export const upload_video = endpoint({
  summary: 'Add a video from a public address; it stays unpublished and is processed for 10 minutes to 72 hours.',
  aliases: [
    'add a new video',
    'put a film online',
    'import a video from a link',
    'new upload',
    'here is the new episode',
  ],
  label: 'Upload a video',
  brief: ['title', 'file_url'],
  approval: {
    headline: 'Upload the video {title}[ from {file_url}]',
    button: 'Upload video',
    consequences: [
      { kind: 'other', text: 'It stays unpublished: viewers do not see it yet' },
      { kind: 'other', text: 'Processing takes 10 minutes to 72 hours' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_videos' }],
  preview: [],
  verify: { read: 'list_videos', from: { search: 'title' }, at: 'videos', id: 'video_id', same: { title: 'title' } },
  access: 'write',
  request: 'POST /api/clips',
  input: {
    file_url: labelled(
      'File address',
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description:
          'Public or signed http(s) URL of an MP4 (H.264, 16:9 recommended). Above 8 Mbps or in another format it can play badly or process slowly.',
      }),
    ),
    title: title('What viewers see as its title, on one line.'),
    description: Type.Optional(blurb('What viewers read about it.')),
    category_ids: Type.Optional(
      categoryIds('The categories it is shown in. Without one it stays out of the catalog, also when it is published.'),
    ),
  },
  output: {
    video_id: Video.video_id,
    title: Video.title,
    status: Type.Literal('unpublished', { description: 'Always unpublished: publish_video makes it public.' }),
    processing: Type.Literal(true, { description: 'Always true at first: get_video tells when it is done.' }),
    category_ids: Video.category_ids,
  },
  encode: ({ file_url, title: heading, description, category_ids }) => ({
    json: { source: file_url, heading, blurb: description, shelves: category_ids },
  }),
  decode: ({ payload }) => {
    const { release_at: _never, ...made } = video(fields(payload))
    return made
  },
})

export const update_video = endpoint({
  summary: 'Change the title, description, tags or categories of a video; viewers of a published one see it at once.',
  aliases: [
    'rename a video',
    'change the description',
    'edit tags or categories of a film',
    'fix the title of a video',
    'call it something else',
    'the title is wrong',
  ],
  label: 'Change a video',
  brief: ['video_id', 'title', 'description'],
  approval: {
    headline:
      'Change the video[ {video_id}][, with the new title {title}][, with the tags {tags}][, in {category_ids|category|categories}][, with the new description {description}]',
    button: 'Change video',
    consequences: [
      { kind: 'public', text: 'Viewers see it at once if the video is published' },
      { kind: 'other', text: '[{tags|tag replaces|tags replace} the old tags]' },
      { kind: 'other', text: '[{category_ids|category replaces|categories replace} the old categories]' },
      { kind: 'other', text: 'Empties the description', when: { description: [''] } },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_video', from: { video_id: 'video_id' } }],
  preview: [changedVideo],
  verify: {
    read: 'get_video',
    from: { video_id: 'video_id' },
    same: {
      video_id: 'video_id',
      title: 'title',
      description: 'description',
      tags: 'tags',
      category_ids: 'category_ids',
    },
  },
  access: 'write',
  confirm: true,
  request: 'PATCH /api/clips/{video_id}',
  input: {
    video_id: VideoId,
    title: Type.Optional(title('The new title, on one line. What is left out stays as it is, here and below.')),
    description: Type.Optional(blurb('The new description; empty for none.')),
    tags: Type.Optional(
      labelled(
        'Tags',
        Type.Array(Type.String({ minLength: 1, maxLength: 60, description: 'One tag.' }), {
          maxItems: 30,
          uniqueItems: true,
          description: 'All tags that it is to have: they replace the old ones.',
        }),
      ),
    ),
    category_ids: Type.Optional(categoryIds('All categories that it is to be in: they replace the old ones.')),
  },
  atLeastOne: ['title', 'description', 'tags', 'category_ids'],
  output: VideoDetail,
  encode: ({ title: heading, description, tags, category_ids }) => ({
    json: { heading, blurb: description, labels: tags, shelves: category_ids },
  }),
  decode: ({ payload }) => videoDetail(fields(payload)),
})
