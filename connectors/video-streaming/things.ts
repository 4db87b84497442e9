import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  video: {
    label: 'video',
    toldBy: [
      { read: 'get_video', by: 'video_id', id: 'video_id' },
      { read: 'list_videos', at: 'videos', id: 'video_id' },
    ],
    title: ['title'],
    facts: ['status', 'release_at'],
  },
  collection: {
    label: 'collection',
    toldBy: [
      { read: 'get_collection', by: 'collection_id', id: 'collection_id' },
      { read: 'list_collections', at: 'collections', id: 'collection_id' },
    ],
    title: ['title'],
    facts: ['status', 'access', 'video_count'],
  },
  category: { label: 'category', toldBy: [], title: [], facts: [] },
  channel: {
    label: 'channel',
    toldBy: [{ read: 'list_community_channels', at: 'channels', id: 'channel_id' }],
    title: ['name'],
    facts: ['visibility'],
  },
}
