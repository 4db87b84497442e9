import { Type } from 'typebox'
import { labelled, recipients } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { InputRejected } from '../kit/failures.ts'
import { closed, cursor, day, described, id, moment, nextCursor } from '../kit/inputs.ts'
import { same } from '../kit/same-thing.ts'
import { fields, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { client, services, teamMember } from './previews.ts'
import { entityPage } from '../kit/before.ts'
import { fromLocal, fromSlashed, toLocal, toSlashed } from './times.ts'
import {
  Appointment,
  AppointmentId,
  ClientId,
  Day,
  LocationId,
  StartAt,
  TeamMember,
  TeamMemberId,
  appointment,
  listQuery,
  nextPlace,
  serviceIds,
} from './shared.ts'

const states: Readonly<Record<string, string>> = {
  booked: 'planned',
  confirmed: 'agreed',
  completed: 'done',
  cancelled: 'called_off',
  no_show: 'missed',
}

/** Status code; a custom status goes by its id, as its name may equal a code, such as `done`. */
function stateOf(status: string | undefined, { states: all }: Fields): string | undefined {
  if (status === undefined || Object.hasOwn(states, status)) return status === undefined ? undefined : states[status]
  const own = rows(all).filter(({ code }) => text(code) === 'own')
  const found = own.find(({ label }) => text(label).toLowerCase() === status.toLowerCase())
  if (found) return text(found['id'])
  const names = [...Object.keys(states), ...own.map(({ label }) => text(label))]
  throw new InputRejected('STATE_UNKNOWN', `There is no status "${status}". There are: ${names.join(', ')}.`)
}

export const list_appointments = endpoint({
  summary: 'List the appointments in the calendar of one day or several, by start time, 25 a page.',
  aliases: [
    'appointments today',
    'who is coming in',
    'salon calendar',
    'bookings this week',
    'what is on the schedule',
    "day's agenda",
    'who is getting their hair done',
    'what does my day look like',
    'when is my next client',
  ],
  label: 'List appointments',
  brief: ['from', 'to', 'client_id', 'team_member_id'],
  access: 'read',
  request: 'GET /api/v2/visits',
  before: '/api/v2/setup',
  input: {
    from: labelled('First day', day("The first day, in the location's time zone.")),
    to: Type.Optional(labelled('Last day', day('The last day, included; the same as from when left out.'))),
    status: Type.Optional(
      labelled(
        'Status',
        Type.String({
          minLength: 1,
          maxLength: 200,
          description:
            "Only appointments with this status: booked, confirmed, completed, cancelled, no_show, or the name of one of the salon's custom statuses as appointments show it. All when left out.",
        }),
      ),
    ),
    team_member_id: TeamMemberId("Only this person's appointments; everybody's when left out."),
    client_id: Type.Optional(
      labelled('Client', id('client', "Only this client's appointments: client_id from list_clients.")),
    ),
    location_id: LocationId('Only appointments at this location; all when left out.'),
    cursor,
  },
  output: {
    appointments: Type.Array(closed(Appointment), { description: 'One page of the calendar, by start time.' }),
    next_cursor: nextCursor,
  },
  encode: ({ from, to, status, team_member_id, client_id, location_id }, { anchor, before }) => ({
    query: {
      first_day: toSlashed(from),
      last_day: toSlashed(to),
      state: stateOf(status, before),
      stylist: team_member_id,
      guest: client_id,
      branch: location_id,
      ...listQuery(anchor, 25),
    },
  }),
  decode: (list, { cursor: next }) => ({
    appointments: rows(list['rows']).map(appointment),
    next_cursor: next(nextPlace(list)),
  }),
})

export const find_available_slots = endpoint({
  summary: 'Find when and with whom services can be booked on one day; pass start_at on to book or to reschedule.',
  aliases: [
    'when is a free slot',
    'openings on Friday',
    'who has time for a haircut',
    'available times',
    'when can I fit her in',
    'next opening',
    'is there room on Tuesday',
    'when could she come',
    'who is free at three',
  ],
  label: 'Find free times',
  brief: ['service_ids', 'date', 'team_member_id'],
  access: 'read',
  request: 'GET /api/v2/openings',
  input: {
    service_ids: serviceIds('The services to book, done back to back in this order by one person.'),
    date: labelled('Day', day("The day, in each location's time zone.")),
    team_member_id: TeamMemberId('Only slots of this person; anyone when left out.'),
    location_id: LocationId('Only slots at this location; all when left out.'),
  },
  output: {
    date: described(Day, "The day that was asked for, in each location's time zone."),
    slots: Type.Array(
      closed({
        start_at: described(
          moment,
          "When all of it could begin, with the location's offset; create_appointment and reschedule_appointment take it.",
        ),
        end_at: described(moment, "When the last service would end, with the location's offset."),
        team_member_id: TeamMember.team_member_id,
        team_member: TeamMember.name,
      }),
      { description: 'By start time, then by name, each on the quarter of an hour; empty when nothing is free.' },
    ),
  },
  encode: ({ service_ids, date, team_member_id, location_id }) => ({
    query: { day: toSlashed(date), menu_item: service_ids, stylist: team_member_id, branch: location_id },
  }),
  decode: ({ day: on, rows: openings }) => ({
    date: fromSlashed(on),
    slots: rows(openings).map(({ begin_local, finish_local, tz, stylist }) => ({
      start_at: fromLocal(begin_local, tz),
      end_at: fromLocal(finish_local, tz),
      team_member_id: fields(stylist)['stylist'],
      team_member: fields(stylist)['full_name'],
    })),
  }),
})

export const create_appointment = endpoint({
  summary: 'Book one or more services for a client; the salon tells the client by email or text.',
  aliases: [
    'book a haircut',
    'make an appointment for a client',
    'put somebody down for a color',
    'schedule a client',
    'new booking',
    'put her in for Friday at two',
    'he wants a cut tomorrow',
  ],
  label: 'Book an appointment',
  brief: ['client_id', 'service_ids', 'start_at', 'team_member_id'],
  approval: {
    headline: 'Book {client_id} for {service_ids} on {start_at}[ with {team_member_id}]',
    button: 'Book appointment',
    consequences: [{ kind: 'people', text: '{client_id} gets an e-mail or text message' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_client', from: { client_id: 'client_id' } }],
  preview: [client, services, teamMember],
  verify: {
    read: 'get_client',
    from: { client_id: 'client_id' },
    at: 'upcoming_appointments',
    id: 'appointment_id',
    same: { start_at: 'start_at' },
  },
  access: 'write',
  confirm: true,
  request: 'POST /api/v2/visits',
  input: {
    client_id: recipients(ClientId),
    service_ids: serviceIds('One to ten services, done back to back in this order.'),
    start_at: StartAt,
    team_member_id: TeamMemberId('Who does it; the first who is free when left out.'),
    location_id: LocationId('Where; the first location where it is possible when left out.'),
  },
  output: Appointment,
  encode: ({ client_id, service_ids, start_at, team_member_id, location_id }) => ({
    json: {
      guest: client_id,
      menu_items: service_ids,
      begin_local: toLocal(start_at).local,
      tz: toLocal(start_at).zone,
      stylist: team_member_id,
      branch: location_id,
    },
  }),
  decode: (visit, { input }) => {
    same(input.client_id, fields(visit['guest'])['guest'])
    return appointment(visit)
  },
})

/** No JSON read shows an appointment by its id alone. */
const visit = entityPage('GET /visits/{appointment_id}', {
  '[data-state="done"]': 'This appointment is completed.',
  '[data-state="called_off"]': 'This appointment is cancelled already.',
  '[data-state="missed"]': 'This appointment was missed.',
})

export const reschedule_appointment = endpoint({
  summary: 'Move an appointment to another time, and to another person if named; the salon tells the client.',
  aliases: [
    'move an appointment',
    'change the time of a booking',
    'push back',
    'postpone',
    'other stylist',
    'shift to another day',
    'she would rather come on Thursday',
    'make it an hour later',
  ],
  label: 'Move an appointment',
  brief: ['appointment_id', 'start_at', 'team_member_id'],
  approval: {
    headline: 'Move the appointment[ of {appointment_id}] to {start_at}[, now with {team_member_id}]',
    button: 'Move appointment',
    consequences: [{ kind: 'people', text: 'The client gets an e-mail or text message' }],
  },
  effect: 'changes',
  shownBy: [],
  preview: [teamMember],
  access: 'write',
  confirm: true,
  request: 'POST /api/v2/visits/{appointment_id}/move',
  before: { visit },
  input: {
    appointment_id: AppointmentId,
    start_at: StartAt,
    team_member_id: TeamMemberId('Who does it from now on; the same person when left out.'),
  },
  output: Appointment,
  encode: ({ start_at, team_member_id }) => ({
    json: { begin_local: toLocal(start_at).local, tz: toLocal(start_at).zone, stylist: team_member_id },
  }),
  decode: appointment,
})

export const cancel_appointment = endpoint({
  summary: 'Cancel a current or future appointment, for good; the salon tells the client.',
  aliases: [
    'call off an appointment',
    'client cannot come',
    'delete a booking',
    'cancel the haircut',
    'she is sick and is not coming',
    'he called to say he cannot make it',
  ],
  label: 'Cancel an appointment',
  brief: ['appointment_id', 'cancellation_reason'],
  approval: {
    headline: 'Cancel the appointment[ of {appointment_id}] for the reason {cancellation_reason}',
    button: 'Cancel appointment',
    consequences: [
      { kind: 'people', text: 'The client gets an e-mail or text message' },
      { kind: 'irreversible', text: 'A cancelled appointment cannot be brought back' },
    ],
  },
  effect: 'removes',
  shownBy: [],
  preview: [],
  access: 'write',
  confirm: true,
  request: 'POST /api/v2/visits/{appointment_id}/call-off',
  before: { visit },
  input: {
    appointment_id: AppointmentId,
    cancellation_reason: labelled(
      'Reason',
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "One of the salon's own cancellation reasons, by its name; a reason that it does not have is refused with the list of them.",
      }),
    ),
  },
  output: Appointment,
  encode: ({ cancellation_reason }) => ({ json: { reason: cancellation_reason } }),
  decode: appointment,
})
