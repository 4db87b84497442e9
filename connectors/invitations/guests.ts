import { Type } from 'typebox'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, id, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { fields, nullableText, number, rows, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { EventId, GuestId, SentAt, formKey, fromMs, guestStatuses, ledBack, ref, trackOf, tracks } from './words.ts'

const Guest = {
  guest_id: refTo('guest', 'Pass it to get_guest, tag_guests or send_private_message.'),
  name: Type.String({ description: 'How the invitation addresses them.' }),
  status: oneOf(
    Object.values(tracks),
    'Their invitation or reply, as on the tracking page; bounced: it could not be delivered.',
  ),
  total_attending: Type.Integer({
    description: 'How many come with this guest, themselves included; 0 unless attending.',
  }),
  tags: Type.Array(Type.String(), {
    description: 'Guest Tags, which only hosts and co-hosts see; empty when there are none.',
  }),
}

function guest({ guestNo, calledAs, track, headcount, labels }: Fields) {
  return {
    guest_id: ref(guestNo),
    name: calledAs,
    status: word(tracks, track),
    total_attending: headcount,
    tags: labels,
  }
}

export const list_guests = endpoint({
  summary: 'List the guests of an event with their replies and Guest Tags, last added first, 25 a page.',
  access: 'read',
  request: 'GET /api/parties/{event_id}/guests',
  input: {
    event_id: EventId,
    status: Type.Optional(
      guestStatuses(
        ['unsent', 'scheduled', 'sent', 'opened', 'attending', 'not_attending', 'maybe', 'bounced'],
        'Only guests with this status, as on the tracking page; all when left out.',
      ),
    ),
    tag: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'Only guests with this Guest Tag, exactly as written.' }),
    ),
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only guests with this in their name, email or phone, in any case.' }),
    ),
    cursor,
  },
  output: {
    guests: Type.Array(closed(Guest), { description: 'Last added first; empty when nobody matches.' }),
    next_cursor: nextCursor,
  },
  encode: ({ status, tag, search }, { anchor }) => ({
    query: { track: status && trackOf(status), label: tag, find: search, pageSize: 25, moreToken: anchor },
  }),
  decode: ({ guests, moreToken }, { cursor: next }) => ({
    guests: rows(guests).map(guest),
    next_cursor: next(nullableText(moreToken)),
  }),
})

const kinds = { TO_ALL: 'broadcast', PERSONAL: 'private' } as const

export const get_guest = endpoint({
  summary: 'Read one guest: their reply, Guest Tags, and the messages sent to them after the invitation, latest first.',
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

const GuestInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 120, description: 'How the invitation addresses them.' }),
    email: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: 254,
        description: 'Where the invitation goes; it goes by phone when there is none.',
      }),
    ),
    phone: Type.Optional(
      Type.String({
        minLength: 5,
        maxLength: 40,
        description: 'Their phone number, with the country code; needed when there is no email.',
      }),
    ),
    group_name: Type.Optional(
      Type.String({ maxLength: 120, description: 'The household or group that they belong to, such as "Family Lee".' }),
    ),
    total_invited: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'How many are invited, themselves included; 1 by default.',
      }),
    ),
  },
  {
    additionalProperties: false,
    if: { required: ['email'] },
    else: { required: ['phone'] },
    description: 'A guest: name, and email or phone or both.',
  },
)

export const add_guests = endpoint({
  summary: 'Add guests to the unsent list of an event: all of them or, if one is refused, none. Nothing is sent.',
  access: 'write',
  request: 'POST /api/parties/{event_id}/guests',
  input: {
    event_id: EventId,
    guests: Type.Array(GuestInput, { minItems: 1, maxItems: 200, description: 'The guests to add, 1 to 200.' }),
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
    status: word(tracks, track),
  }),
})

export const tag_guests = endpoint({
  summary: 'Put a Guest Tag on guests of an event; only hosts and co-hosts see it.',
  access: 'write',
  request: 'POST /parties/{event_id}/labels',
  input: {
    event_id: EventId,
    guest_ids: Type.Array(id('guest', 'A guest_id from list_guests.'), {
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
      description: 'Which guests, 1 to 200: guest_id from list_guests.',
    }),
    tag: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'The Guest Tag, exactly as it should read; one that is new to the event is created.',
    }),
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
    const { label, count, fresh } = ledBack(location, `parties/${input.event_id}`, 'labelled')
    return { event_id: input.event_id, tag: label, tagged: number(count), newly_tagged: number(fresh) }
  },
})
