import { Type } from 'typebox'
import { fromEpoch } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { id, refTo } from '../kit/inputs.ts'
import { fields, flag, isFields, number, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export const VideoId = labelled('Video', id('video', 'Which video: video_id from list_videos or upload_video.'))
export const CollectionId = labelled(
  'Collection',
  id('collection', 'Which collection: collection_id from list_collections or create_collection.'),
)
export const VideoRef = refTo(
  'video',
  'The video: pass it to get_video, update_video, publish_video, create_collection or set_collection_playlist.',
)
export const CollectionRef = refTo(
  'collection',
  'The collection: pass it to get_collection, set_collection_playlist or create_coupon.',
)

export const title = (description: string) =>
  labelled('Title', Type.String({ minLength: 1, maxLength: 200, description }))
export const blurb = (description: string) => labelled('Description', Type.String({ maxLength: 5000, description }))
export const categoryIds = (description: string) =>
  labelled(
    'Categories',
    Type.Array(id('category', 'A category, as category_ids of list_videos and list_collections show it.'), {
      maxItems: 20,
      uniqueItems: true,
      description,
    }),
  )
export const search = (things: string) =>
  Type.Optional(
    labelled(
      'Title contains',
      Type.String({ description: `Only ${things} with this in their title, in any case; 200 characters at most.` }),
    ),
  )
/** A time at which the app acts on its own. */
export const ahead = (label: string, description: string) =>
  labelled(label, Type.String({ format: 'date-time', description }))

export const NullableMoment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

/** Cursor: the offset, and the app's token for a snapshot of the list. */
export function listQuery(filters: Fields, paging: { readonly limit: number; readonly anchor: string | null }): Fields {
  const place: unknown = paging.anchor === null ? {} : JSON.parse(paging.anchor)
  const { offset, snapshot } = isFields(place) ? place : {}
  return { ...filters, limit: paging.limit, offset, snapshot }
}

export function nextPlace({ payload, 'page-info': info }: Fields): string | null {
  const { offset, more, snapshot } = fields(info)
  const count = rows(payload).length
  return flag(more) && count > 0 ? JSON.stringify({ offset: number(offset) + count, snapshot: text(snapshot) }) : null
}

/** The app writes timestamps with the studio's or event's UTC offset; they are returned in UTC. */
export function utc(value: unknown): string {
  return fromEpoch(Date.parse(text(value)) / 1000)
}

export function nullableUtc(value: unknown): string | null {
  return value === null ? null : utc(value)
}

/** The app takes neither `Z` nor fractions, which are cut off. It refuses an invalid timestamp. */
export function toOffset(moment: string | undefined): string | undefined {
  if (moment === undefined) return undefined
  const date = new Date(moment)
  if (Number.isNaN(date.getTime())) return moment
  return date.toISOString().replace(/\.\d{3}Z$/, '+00:00')
}
