import type { Preview } from '../kit/declared.ts'

export const changedVideo: Preview = {
  of: 'video_id',
  read: 'get_video',
  by: 'video_id',
  shows: ['title', 'status', 'release_at', 'processing', 'description', 'tags'],
  matters: ['title', 'status', 'description', 'tags'],
  conclusive: true,
}

export const unpublishedVideo: Preview = { ...changedVideo, needs: { status: ['unpublished'] } }

/** A playlist can have hundreds of videos; one page covers most. */
function videosIn(of: string): Preview {
  return {
    of,
    read: 'list_videos',
    set: { limit: 100 },
    at: 'videos',
    id: 'video_id',
    shows: ['title', 'status'],
    matters: ['title', 'status'],
  }
}

export const collectedVideos = videosIn('video_ids')
export const playlistVideos = videosIn('items.video_id')

export const collection: Preview = {
  of: 'collection_id',
  read: 'get_collection',
  by: 'collection_id',
  shows: ['title', 'status', 'access'],
  matters: ['title', 'status', 'access'],
  conclusive: true,
}

export const replacedPlaylist: Preview = {
  ...collection,
  shows: [...collection.shows, 'items'],
  matters: [...collection.matters, 'items'],
  // Drip works only in gated collections.
  rules: [{ field: 'access', in: ['gated'], where: 'items.drip_days' }],
}

export const channel: Preview = {
  of: 'channel_id',
  read: 'list_community_channels',
  at: 'channels',
  id: 'channel_id',
  shows: ['name', 'visibility'],
  matters: ['name', 'visibility'],
  conclusive: true,
}
