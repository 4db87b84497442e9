import { Type } from 'typebox'
import { fromCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { NullableDay, described, refTo } from '../kit/inputs.ts'
import { nullableText } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { attributes } from './documents.ts'

export const Collection = {
  collection_id: refTo(
    'collection',
    'Pass it to get_collection, upload_photos, share_collection, list_favorites or get_download_activity.',
  ),
  name: Type.String({ description: 'The title that guests see.' }),
  event_date: labelled('Event date', described(NullableDay, 'The day of the shoot or event; null when none is set.')),
  photos: labelled('Photos', Type.Integer({ description: 'How many photos are in it now.' })),
  url: labelled(
    'Address',
    Type.String({ description: "The gallery's public address, for guests; share_collection emails it." }),
  ),
}

export function collection(gallery: Fields) {
  const { title, shoot_day, frames, public_link } = attributes(gallery)
  const event_date = nullableText(shoot_day)
  return {
    collection_id: gallery['id'],
    name: title,
    event_date: event_date === null ? null : fromCompact(event_date),
    photos: frames,
    url: public_link,
  }
}
