import { Type } from 'typebox'
import { toCompact } from '../kit/dates.ts'
import { labelled, recipients } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, cursor, day, described, limit, moment, nextCursor, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { fields, number, rows } from '../kit/wire.ts'
import { Collection, collection } from './collection.ts'
import { attributes, listQuery, nextToken } from './documents.ts'
import { filledCollection, guestCollection } from './previews.ts'
import { formProof } from './proof.ts'
import { CollectionId, email, fromMs } from './shared.ts'

export const list_collections = endpoint({
  summary: "List the studio's photo collections, newest first.",
  aliases: ['my galleries', 'albums of clients', 'photo collections', 'which galleries exist'],
  label: 'List collections',
  brief: ['query'],
  access: 'read',
  request: 'GET /api/galleries',
  input: {
    query: labelled(
      'Search',
      Type.Optional(Type.String({ description: 'Only collections with this in their name, in any case.' })),
    ),
    limit: limit(25),
    cursor,
  },
  output: {
    collections: Type.Array(closed(Collection), { description: 'Newest first; empty when no name matches.' }),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) => ({ query: listQuery({ q: input.query }, { limit: input.limit, anchor }) }),
  decode: ({ data, meta }, { cursor: next }) => ({
    collections: rows(data).map(collection),
    next_cursor: next(nextToken(meta)),
  }),
})

export const get_collection = endpoint({
  summary: 'Read one collection, and whether it asks guests for a password or a download PIN.',
  aliases: [
    'details of a gallery',
    'is the gallery password protected',
    'download pin of a gallery',
    'open a collection',
  ],
  label: 'Read a collection',
  brief: ['collection_id'],
  access: 'read',
  request: 'GET /api/galleries/{collection_id}',
  input: { collection_id: CollectionId },
  output: {
    ...Collection,
    password_protected: labelled(
      'Password needed',
      Type.Boolean({
        description: 'Whether guests need a password, which itself is never shown here.',
      }),
    ),
    download_pin: labelled(
      'PIN needed to download',
      Type.Boolean({
        description: 'Whether guests need a PIN to download, which itself is never shown here.',
      }),
    ),
  },
  decode: ({ data }) => ({
    ...collection(fields(data)),
    password_protected: attributes(data)['locked'],
    download_pin: attributes(data)['pin_needed'],
  }),
})

export const list_favorites = endpoint({
  summary: 'List the photos of a collection that guests marked as favorites, with their comments, latest first.',
  aliases: [
    'which photos did the client choose',
    'favorite pictures',
    "client's selection",
    'liked photos',
    'picks of the couple',
    'which pictures do they like best',
    'what did they pick for the album',
  ],
  label: 'List favorites',
  brief: ['collection_id', 'with_comments_only'],
  access: 'read',
  request: 'GET /api/galleries/{collection_id}/hearts',
  input: {
    collection_id: CollectionId,
    with_comments_only: labelled(
      'Only with comments',
      Type.Optional(
        Type.Boolean({ description: 'true: only favorites that came with a comment. Left out or false: all.' }),
      ),
    ),
  },
  output: {
    collection_id: refTo('collection', 'The collection that was asked about.'),
    favorites: Type.Array(
      closed({
        file_name: Type.String({
          description: 'The file name of the photo, which no other photo of the collection has.',
        }),
        comment: described(NullableText, 'What the guest wrote about it; null when they wrote nothing.'),
      }),
      { description: 'Latest first; empty when guests marked none.' },
    ),
  },
  encode: ({ with_comments_only }) => ({ query: { 'filter[noted]': with_comments_only === true ? 'yes' : null } }),
  decode: ({ data, meta }) => ({
    collection_id: fields(meta)['gallery'],
    favorites: rows(data)
      .map(attributes)
      .map(({ file, remark }) => ({ file_name: file, comment: remark })),
  }),
})

export const get_download_activity = endpoint({
  summary: 'Show who downloaded from a collection and when, latest first; empty when nobody did.',
  aliases: [
    'who downloaded photos',
    'has the client downloaded the pictures',
    'download history',
    'have they saved their pictures',
    'did the couple get their photos',
  ],
  label: 'Show downloads',
  brief: ['collection_id'],
  access: 'read',
  request: 'GET /api/galleries/{collection_id}/grabs',
  input: { collection_id: CollectionId },
  output: {
    collection_id: refTo('collection', 'The collection that was asked about.'),
    downloads: Type.Array(
      closed({
        email: Type.String({ description: 'The address that the guest gave in order to download.' }),
        downloaded_at: described(moment, 'When they downloaded, in UTC.'),
      }),
      { description: 'Latest first; empty when nobody downloaded.' },
    ),
  },
  decode: ({ data, meta }) => ({
    collection_id: fields(meta)['gallery'],
    downloads: rows(data)
      .map(attributes)
      .map(({ who, made_ms }) => ({ email: who, downloaded_at: fromMs(made_ms) })),
  }),
})

export const create_collection = endpoint({
  summary: 'Create an empty collection. Nothing reaches the client.',
  aliases: [
    'new gallery',
    'make an album for a wedding',
    'create a gallery for a client',
    'empty album',
    'the wedding needs a gallery',
  ],
  label: 'Create a collection',
  brief: ['name', 'event_date'],
  approval: {
    headline: 'Create an empty collection {name}[ for the event on {event_date}]',
    button: 'Create collection',
    consequences: [{ kind: 'other', text: 'Nothing reaches the client' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_collections', from: { query: 'name' } }],
  preview: [],
  verify: {
    read: 'list_collections',
    from: { query: 'name' },
    at: 'collections',
    id: 'collection_id',
    same: { name: 'name', event_date: 'event_date' },
  },
  access: 'write',
  request: 'POST /api/galleries',
  input: {
    name: labelled(
      'Name',
      Type.String({ minLength: 1, maxLength: 200, description: 'What guests will see as the title.' }),
    ),
    event_date: labelled('Event date', Type.Optional(day('The day of the shoot or event.'))),
  },
  output: Collection,
  encode: ({ name, event_date }) => ({
    json: { data: { type: 'galleries', attributes: { title: name, shoot_day: toCompact(event_date) } } },
  }),
  decode: ({ data }) => collection(fields(data)),
})

export const upload_photos = endpoint({
  summary: "Add photos to a collection from public image addresses; they count against the plan's storage.",
  aliases: [
    'add pictures to a gallery',
    'put images into the album',
    'upload images',
    'import photos',
    'put these shots into the gallery',
  ],
  label: 'Add photos',
  brief: ['photo_urls', 'collection_id'],
  approval: {
    headline: 'Add {photo_urls|photo|photos} to {collection_id}',
    button: 'Add {photo_urls|photo|photos}',
    consequences: [
      { kind: 'public', text: 'Guests of the gallery can see them' },
      { kind: 'other', text: 'Nobody is told; they count against your plan’s storage' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_collection', from: { collection_id: 'collection_id' } }],
  preview: [filledCollection],
  access: 'write',
  request: 'POST /api/galleries/{collection_id}/frames',
  input: {
    collection_id: CollectionId,
    photo_urls: labelled(
      'Photos',
      Type.Array(Type.String({ description: 'The http or https address of an image, reachable without signing in.' }), {
        minItems: 1,
        maxItems: 200,
        description: '1 to 200 publicly reachable image URLs. Those that cannot be fetched come back in failed.',
      }),
    ),
  },
  output: {
    collection_id: refTo('collection', 'The collection that the photos went into.'),
    added: Type.Integer({ description: 'How many photos were stored.' }),
    failed: Type.Array(Type.String(), {
      description: 'Those of photo_urls that gave no image; empty when all were stored.',
    }),
    photos_total: Type.Integer({ description: 'How many photos the collection has now.' }),
  },
  encode: ({ photo_urls }) => ({
    json: { data: photo_urls.map((source) => ({ type: 'frames', attributes: { source } })) },
  }),
  decode: ({ meta }) => {
    const { gallery, stored, rejects, frames_now } = fields(meta)
    return {
      collection_id: gallery,
      added: stored,
      failed: rows(rejects).map(({ source }) => source),
      photos_total: frames_now,
    }
  },
})

export const share_collection = endpoint({
  summary: 'Email a branded invite with the gallery link to these addresses, each on its own.',
  aliases: [
    'send the gallery to the client',
    'email the photos',
    'invite to the gallery',
    'share pictures',
    'deliver the album',
    'let the couple see their pictures',
    'mail them their gallery',
  ],
  label: 'Share a collection',
  brief: ['emails', 'collection_id', 'note'],
  approval: {
    headline:
      'E-mail {emails} the link to {collection_id}[ ({collection_id.photos|photo|photos})][ with the note {note}]',
    button: 'Invite {emails|guest|guests}',
    consequences: [
      { kind: 'people', text: '{emails|address gets|addresses get} an e-mail with the link to the gallery' },
      {
        kind: 'public',
        text: 'Guests with the link can see the photos[ (password needed: {collection_id.password_protected})]',
      },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [guestCollection],
  access: 'write',
  confirm: true,
  request: 'POST /studio/galleries/{collection_id}/share',
  input: {
    collection_id: CollectionId,
    emails: labelled(
      'Recipients',
      recipients(
        Type.Array(email('An address to invite, such as email from list_contacts.'), {
          minItems: 1,
          maxItems: 50,
          uniqueItems: true,
          description: '1 to 50 different email addresses. Who was invited before is invited again.',
        }),
      ),
    ),
    note: labelled(
      'Note',
      Type.Optional(
        Type.String({ maxLength: 2000, description: 'A personal note that goes into the invite, from the studio.' }),
      ),
    ),
  },
  output: {
    collection_id: refTo('collection', 'The collection that was shared.'),
    invited: Type.Integer({ description: 'How many addresses the invite was emailed to.' }),
  },
  encode: ({ emails, note }) => ({ form: { to: emails, note } }),
  csrf: formProof,
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const page = `studio/galleries/${encodeURIComponent(input.collection_id)}`
    const { query } = ledTo(location, page, { batch: true })
    return { collection_id: input.collection_id, invited: number(query.get('invited')) }
  },
})
