import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, id, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { fields, nullableText, number, rows, word } from '../kit/wire.ts'
import { Guest, GuestInput, guest } from './guest.ts'
import { shownEvent, taggedGuests } from './previews.ts'
import { EventId, GuestId, SentAt, formKey, fromMs, guestStatuses, ref } from './shared.ts'

export const list_guests = endpoint({
  summary: 'List the guests of an event with their replies and Guest Tags, last added first, 25 a page.',
  aliases: [
    'who is coming to the party',
    'who is coming to the wedding',
    'RSVPs',
    'who has not replied',
    'how many guests said yes',
    'guest list',
    'replies',
    'headcount',
    'who said yes',
    'how many are coming',
    'who has not answered',
    'is anyone vegetarian',
  ],
  label: 'List guests',
  brief: ['event_id', 'status', 'tag', 'search'],
  access: 'read',
  request: 'GET /api/parties/{event_id}/guests',
  input: {
    event_id: EventId,
    status: labelled(
      'Status',
      Type.Optional(
        oneOf(guestStatuses.words, 'Only guests with this status, as on the tracking page; all when left out.'),
      ),
    ),
    tag: labelled(
      'Guest Tag',
      Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 40,
          description: 'Only guests with this Guest Tag, exactly as written.',
        }),
      ),
    ),
    search: labelled(
      'Search',
      Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Only guests with this in their name, email or phone, in any case.',
        }),
      ),
    ),
    cursor,
  },
  output: {
    guests: Type.Array(closed(Guest), { description: 'Last added first; empty when nobody matches.' }),
    next_cursor: nextCursor,
  },
  encode: ({ status, tag, search }, { anchor }) => ({
    query: { track: status && guestStatuses.encode(status), label: tag, find: search, pageSize: 25, moreToken: anchor },
  }),
  decode: ({ guests, moreToken }, { cursor: next }) => ({
    guests: rows(guests).map(guest),
    next_cursor: next(nullableText(moreToken)),
  }),
})

const kinds = { TO_ALL: 'broadcast', PERSONAL: 'private' } as const

export const get_guest = endpoint({
  summary: 'Read one guest: their reply, Guest Tags, and the messages sent to them after the invitation, latest first.',
  aliases: [
    'has she replied',
    'what did a guest answer',
    'reply of one guest',
    'message history of a guest',
    'what did uncle answer',
    'does he bring somebody',
  ],
  label: 'Read a guest',
  brief: ['guest_id', 'event_id'],
  access: 'read',
  request: 'GET /api/parties/{event_id}/guests/{guest_id}',
  input: { event_id: EventId, guest_id: GuestId },
  output: {
    ...Guest,
    messages: Type.Array(
      closed({
        type: oneOf(Object.values(kinds), 'To whom it went; broadcast: by send_message; private: to this guest alone.'),
        subject: Type.String({ description: 'The subject line; that of a broadcast comes from its template.' }),
        sent_at: SentAt,
      }),
      { description: 'Latest first, without the invitation itself; empty when there were none.' },
    ),
  },
  decode: (answer) => {
    const found = fields(answer['guest'])
    const messages = rows(found['letters']).map(({ kind, subject, goneMs }) => ({
      type: word(kinds, kind),
      subject,
      sent_at: fromMs(goneMs),
    }))
    return { ...guest(found), messages }
  },
})

export const export_guest_list = endpoint({
  summary: 'Get a link to the whole guest list of an event as CSV, good for 15 minutes for whoever has it.',
  aliases: ['download the guest list', 'spreadsheet of guests', 'CSV of replies', 'excel of guests'],
  label: 'Export the guest list',
  brief: ['event_id'],
  access: 'read',
  request: 'GET /api/parties/{event_id}/sheet',
  input: { event_id: EventId },
  output: {
    event_id: refTo('event', 'The event whose guests are listed.'),
    rows: Type.Integer({ description: 'How many guests are in it.' }),
    download_url: Type.String({ description: 'Needs no sign-in, so do not pass it on to others.' }),
  },
  decode: ({ partyNo, lines, csvUrl }) => ({ event_id: ref(partyNo), rows: lines, download_url: csvUrl }),
})

export const add_guests = endpoint({
  summary: 'Add guests to the unsent list of an event: all of them or, if one is refused, none. Nothing is sent.',
  aliases: [
    'invite more people',
    'put friends on the guest list',
    'add people to the party',
    'more guests',
    'I forgot to invite the neighbors',
    'put two more on the list',
  ],
  label: 'Add guests',
  brief: ['guests', 'event_id'],
  approval: {
    headline: 'Add {guests|guest|guests} to the guest list of {event_id}[: {guests.name}]',
    button: 'Add {guests|guest|guests}',
    consequences: [
      { kind: 'other', text: 'Nothing is sent now: they get the invitation the next time that it is sent' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_guests', from: { event_id: 'event_id' } }],
  preview: [shownEvent],
  access: 'write',
  request: 'POST /api/parties/{event_id}/guests',
  input: {
    event_id: EventId,
    guests: labelled(
      'Guests',
      Type.Array(GuestInput, { minItems: 1, maxItems: 200, description: 'The guests to add, 1 to 200.' }),
    ),
  },
  output: {
    event_id: refTo('event', 'The event that they are guests of now.'),
    added: Type.Integer({ description: 'How many guests were added: all that you gave.' }),
    unsent_list_total: Type.Integer({ description: 'How many are on the unsent list now.' }),
    status: Type.Literal('unsent', {
      description: 'Always unsent: they get the invitation with the next send_invitation.',
    }),
  },
  encode: ({ guests }) => ({
    json: {
      people: guests.map(({ name, email, phone, group_name, total_invited }) => ({
        calledAs: name,
        mail: email,
        mobile: phone,
        household: group_name,
        seats: total_invited,
      })),
    },
  }),
  decode: ({ partyNo, guestNos, heldTotal, track }) => ({
    event_id: ref(partyNo),
    added: Array.isArray(guestNos) ? guestNos.length : null,
    unsent_list_total: heldTotal,
    status: guestStatuses.decode(track),
  }),
})

export const tag_guests = endpoint({
  summary: 'Put a Guest Tag on guests of an event; only hosts and co-hosts see it.',
  aliases: ['label guests', 'mark guests as family', 'tag as vegetarian', 'group guests'],
  label: 'Tag guests',
  brief: ['tag', 'guest_ids', 'event_id'],
  approval: {
    headline: 'Tag {guest_ids} as {tag}[ for {event_id}]',
    button: 'Tag {guest_ids|guest|guests}',
    consequences: [{ kind: 'other', text: 'Only hosts and co-hosts see the tag; guests never do' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_guests', from: { event_id: 'event_id', tag: 'tag' } }],
  preview: [shownEvent, taggedGuests],
  verify: {
    read: 'list_guests',
    from: { event_id: 'event_id', tag: 'tag' },
    at: 'guests',
    same: { guest_id: 'guest_ids', tags: 'tag' },
  },
  access: 'write',
  request: 'POST /parties/{event_id}/labels',
  input: {
    event_id: EventId,
    guest_ids: labelled(
      'Guests',
      Type.Array(id('guest', 'A guest_id from list_guests.'), {
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        description: 'Which guests, 1 to 200: guest_id from list_guests.',
      }),
    ),
    tag: labelled(
      'Guest Tag',
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'The Guest Tag, exactly as it should read; one that is new to the event is created.',
      }),
    ),
  },
  output: {
    event_id: refTo('event', 'The event whose guests were tagged.'),
    tag: Type.String({ description: 'The Guest Tag that all of them have now.' }),
    tagged: Type.Integer({ description: 'How many guests were given.' }),
    newly_tagged: Type.Integer({ description: 'How many of them did not have the tag before.' }),
  },
  csrf: formKey,
  answer: 'redirect',
  encode: ({ guest_ids, tag }) => ({ form: { label: tag, guestNo: guest_ids } }),
  decode: (_answer, { input, location }) => {
    const { query } = ledTo(location, `parties/${input.event_id}`, { done: 'labelled' })
    return {
      event_id: input.event_id,
      tag: query.get('label'),
      tagged: number(query.get('count')),
      newly_tagged: number(query.get('fresh')),
    }
  },
})
