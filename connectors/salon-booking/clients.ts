import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableDay, closed, cursor, day, described, limit, moment, nextCursor } from '../kit/inputs.ts'
import { fields, nullableText, rows } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { client } from './previews.ts'
import { fromLocal, fromLocalToUtc, fromSlashed, toSlashed } from './times.ts'
import {
  Allergies,
  Appointment,
  Client,
  ClientId,
  Contact,
  LocationId,
  Marketing,
  listQuery,
  nextPlace,
  status,
} from './shared.ts'

const Upcoming = {
  appointment_id: Appointment.appointment_id,
  start_at: Appointment.start_at,
  services: Appointment.services,
}

const NoteText = Type.String({ description: 'What the team wrote, as plain text; the client never sees it.' })
const NotedAt = described(moment, 'When the note was written, in UTC.')

export const list_clients = endpoint({
  summary: "List the salon's clients from A to Z, with the day of their last appointment.",
  aliases: [
    'all clients of the salon',
    'who has not been here for long',
    'find a client',
    'customer list',
    'whom have we not seen for a while',
  ],
  label: 'List clients',
  brief: ['search', 'last_appointment_before', 'location_id'],
  access: 'read',
  request: 'GET /api/v2/guests',
  input: {
    search: Type.Optional(
      labelled(
        'Search words',
        Type.String({ maxLength: 200, description: 'Only clients with this in their name, email or phone number.' }),
      ),
    ),
    last_appointment_before: Type.Optional(
      labelled(
        'Last appointment before',
        day('Only clients whose last appointment was before this day; never those who have had none.'),
      ),
    ),
    location_id: LocationId('Only clients who are registered at this location; all when left out.'),
    limit: limit(100, 500),
    cursor,
  },
  output: {
    clients: Type.Array(
      closed({
        ...Client,
        ...Contact,
        last_appointment: labelled(
          'Last appointment',
          described(
            NullableDay,
            "The location's day of the last one that has begun, cancelled and no-show ones ignored; null: none yet.",
          ),
        ),
        ...Marketing,
      }),
      { description: 'One page of the clients, from A to Z by name.' },
    ),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) => ({
    query: {
      q: input.search,
      not_seen_since: toSlashed(input.last_appointment_before),
      branch: input.location_id,
      ...listQuery(anchor, input.limit),
    },
  }),
  decode: (list, { cursor: next }) => ({
    clients: rows(list['rows']).map((guest) => {
      const last = nullableText(guest['last_seen'])
      return {
        client_id: guest['guest'],
        name: guest['full_name'],
        email: guest['mail'],
        phone: guest['mobile'],
        last_appointment: last === null ? null : fromSlashed(last),
        accepts_marketing: fields(guest['ads'])['mail'],
        accepts_sms_marketing: fields(guest['ads'])['text'],
      }
    }),
    next_cursor: next(nextPlace(list)),
  }),
})

export const get_client = endpoint({
  summary: "Read a client's profile: the team's notes, allergies, and upcoming and past appointments, newest first.",
  aliases: [
    "client's profile",
    'allergies of a client',
    'when was she last here',
    'visit history',
    "team's notes about a client",
    'when was she last in',
    'is she allergic to anything',
    'what did we do last time',
  ],
  label: 'Show a client',
  brief: ['client_id'],
  access: 'read',
  request: 'GET /api/v2/guests/{client_id}',
  input: { client_id: ClientId },
  output: {
    ...Client,
    phone: Contact.phone,
    notes: Type.Array(closed({ text: NoteText, created_at: NotedAt }), {
      description: "The team's notes about the client, newest first.",
    }),
    allergies: Allergies,
    upcoming_appointments: Type.Array(closed(Upcoming), {
      description: 'Those to come or under way and not cancelled, the latest first.',
    }),
    past_appointments: Type.Array(closed({ ...Upcoming, status: Appointment.status }), {
      description: 'All others: those that are over and every cancelled one, the latest first.',
    }),
  },
  decode: ({ guest, full_name, mobile, jottings, sensitivities, ahead, behind }) => ({
    client_id: guest,
    name: full_name,
    phone: mobile,
    notes: rows(jottings).map(({ text, written_local, tz }) => ({
      text,
      created_at: fromLocalToUtc(written_local, tz),
    })),
    allergies: sensitivities,
    upcoming_appointments: rows(ahead).map(visit),
    past_appointments: rows(behind).map((past) => ({ ...visit(past), status: status(past['state']) })),
  }),
})

function visit({ visit: appointment_id, begin_local, tz, what }: Fields) {
  return { appointment_id, start_at: fromLocal(begin_local, tz), services: what }
}

export const add_client = endpoint({
  summary: 'Add a client to the salon. Nothing is sent to them.',
  aliases: ['new client', 'save a customer', 'register a client', 'create a client profile'],
  label: 'Add a client',
  brief: ['name', 'email', 'phone'],
  approval: {
    headline: 'Add {name} as a client[, {email}][, {phone}]',
    button: 'Add client',
    consequences: [
      { kind: 'people', text: 'They count as having agreed to marketing e-mails', when: { accepts_marketing: [true] } },
      {
        kind: 'people',
        text: 'They count as having agreed to marketing text messages',
        when: { accepts_sms_marketing: [true] },
      },
      { kind: 'other', text: 'Nobody is told' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_clients', from: { search: 'name' } }],
  preview: [],
  verify: {
    read: 'list_clients',
    from: { search: 'name' },
    at: 'clients',
    id: 'client_id',
    same: { name: 'name', email: 'email' },
  },
  access: 'write',
  request: 'POST /api/v2/guests',
  input: {
    name: labelled('Name', Type.String({ minLength: 1, maxLength: 120, description: 'Their full name.' })),
    email: Type.Optional(
      labelled(
        'Email',
        Type.String({ maxLength: 200, description: 'Their email address, which no other client of the salon has.' }),
      ),
    ),
    phone: Type.Optional(
      labelled(
        'Phone number',
        Type.String({ maxLength: 40, description: 'Their phone number, with the country code.' }),
      ),
    ),
    location_id: LocationId("Where they are registered; the salon's first location when left out."),
    accepts_marketing: Type.Optional(
      labelled(
        'Marketing emails',
        Type.Boolean({ description: 'true: they agreed to marketing emails. false when left out.' }),
      ),
    ),
    accepts_sms_marketing: Type.Optional(
      labelled(
        'Marketing texts',
        Type.Boolean({ description: 'true: they agreed to marketing text messages. false when left out.' }),
      ),
    ),
    allergies: Type.Optional(
      labelled(
        'Allergies',
        Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
          maxItems: 20,
          description: 'What they are allergic to, up to 20 short texts; the team sees them.',
        }),
      ),
    ),
  },
  output: {
    ...Client,
    ...Contact,
    ...Marketing,
    allergies: Allergies,
  },
  encode: ({ name, email, phone, location_id, accepts_marketing, accepts_sms_marketing, allergies }) => ({
    json: {
      full_name: name,
      mail: email,
      mobile: phone,
      branch: location_id,
      mail_ads: accepts_marketing,
      text_ads: accepts_sms_marketing,
      sensitivities: allergies,
    },
  }),
  decode: ({ guest, full_name, mail, mobile, ads, sensitivities }) => ({
    client_id: guest,
    name: full_name,
    email: mail,
    phone: mobile,
    accepts_marketing: fields(ads)['mail'],
    accepts_sms_marketing: fields(ads)['text'],
    allergies: sensitivities,
  }),
})

export const add_client_note = endpoint({
  summary: "Add a note to a client's profile, for the team only.",
  aliases: [
    'remember the color formula',
    'note about a client',
    'note an allergy',
    'remark on a client',
    'preference of a client',
    'write down that she likes it short',
    'she cannot stand hair spray',
    'remember what color we used',
  ],
  label: 'Add a client note',
  brief: ['client_id', 'text'],
  approval: {
    headline: 'Add a note about {client_id}: {text}',
    button: 'Add note',
    consequences: [{ kind: 'other', text: 'Only your team sees it; the client never does' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_client', from: { client_id: 'client_id' } }],
  preview: [client],
  verify: {
    read: 'get_client',
    from: { client_id: 'client_id' },
    at: 'notes',
    same: { text: 'text' },
    since: 'created_at',
  },
  access: 'write',
  request: 'POST /api/v2/guests/{client_id}/jottings',
  input: {
    client_id: ClientId,
    text: labelled(
      'Note',
      Type.String({ minLength: 1, maxLength: 2000, description: 'The note. The client never sees it.' }),
    ),
  },
  output: { client_id: Client.client_id, text: NoteText, created_at: NotedAt },
  encode: ({ text }) => ({ json: { text } }),
  decode: ({ guest, text, written_local, tz }) => ({
    client_id: guest,
    text,
    created_at: fromLocalToUtc(written_local, tz),
  }),
})
