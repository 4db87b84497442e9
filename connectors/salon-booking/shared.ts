import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { NullableText, closed, described, id, moment, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, isFields, number, rows, text, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { fromLocal } from './times.ts'

export const AppointmentId = labelled(
  'Appointment',
  id('appointment', 'Which appointment: appointment_id from list_appointments or get_client.'),
)
export const ClientId = labelled(
  'Client',
  id('client', 'Which client: client_id from list_clients, or of an appointment.'),
)
export const StartAt = labelled(
  'Starts at',
  Type.String({
    format: 'date-time',
    description:
      'When it begins, to the minute: start_at of a slot from find_available_slots. ISO 8601 with an offset or Z.',
  }),
)

export const LocationId = (description: string) =>
  Type.Optional(
    labelled('Location', id('location', `${description} A location id is in locations of list_team_members.`)),
  )
export const TeamMemberId = (description: string) =>
  Type.Optional(labelled('Team member', id('team_member', `${description} team_member_id from list_team_members.`)))
export const serviceIds = (description: string) =>
  labelled(
    'Services',
    Type.Array(id('service', 'A service_id from list_services.'), {
      minItems: 1,
      maxItems: 10,
      description: `${description} From list_services.`,
    }),
  )

export const Day = Type.String({ format: 'date' })
/** An amount with the decimals of its currency: 42.50, 4250, 4.250. */
export const Decimal = money({ unit: 'major', currency: null }, Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' }))

export const Client = {
  client_id: refTo('client', 'Which client; pass it to get_client, add_client_note or create_appointment.'),
  name: Type.String({ description: "The client's full name." }),
}

export const Contact = {
  email: labelled('Email', described(NullableText, "The client's email address; null when the salon has none.")),
  phone: labelled(
    'Phone number',
    described(NullableText, "The client's phone number as it was typed; null when the salon has none."),
  ),
}

export const Marketing = {
  accepts_marketing: Type.Boolean({ description: 'true: the client agreed to marketing emails.' }),
  accepts_sms_marketing: Type.Boolean({ description: 'true: the client agreed to marketing text messages.' }),
}

export const Allergies = Type.Array(Type.String(), {
  description: 'What the client is allergic to, as short texts for the team; empty when nothing is noted.',
})

export const TeamMember = {
  team_member_id: refTo(
    'team_member',
    'Who in the team; pass it on where a team_member_id is asked for, such as in find_available_slots.',
  ),
  name: labelled('Team member', Type.String({ description: "The team member's full name." })),
}

export const Appointment = {
  appointment_id: refTo(
    'appointment',
    'Stays the same when the appointment is moved; reschedule_appointment and cancel_appointment take it.',
  ),
  client: described(closed(Client), 'Whose appointment it is.'),
  start_at: labelled('Starts at', described(moment, "When it begins, with the offset of the location's time zone.")),
  end_at: described(moment, "When it ends, with the offset of the location's time zone."),
  services: labelled(
    'Services',
    Type.Array(Type.String(), {
      description: 'The names of the booked services, in the order in which they are done.',
    }),
  ),
  team_member: described(closed(TeamMember), 'Who does all of its services.'),
  status: labelled(
    'Status',
    Type.String({
      description:
        "Booked, Confirmed, Completed, Cancelled, No-show, or the name of one of the salon's custom statuses.",
    }),
  ),
  location_id: refTo('location', 'Where it takes place; pass it on as location_id, for example to list_appointments.'),
}

export function appointment(visit: Fields) {
  const { begin_local, finish_local, tz } = visit
  const guest = fields(visit['guest'])
  const stylist = fields(visit['stylist'])
  return {
    appointment_id: visit['visit'],
    client: { client_id: guest['guest'], name: guest['full_name'] },
    start_at: fromLocal(begin_local, tz),
    end_at: fromLocal(finish_local, tz),
    services: rows(visit['what']).map(({ label }) => label),
    team_member: { team_member_id: stylist['stylist'], name: stylist['full_name'] },
    status: status(visit['state']),
    location_id: visit['branch'],
  }
}

const statuses = {
  planned: 'Booked',
  agreed: 'Confirmed',
  done: 'Completed',
  called_off: 'Cancelled',
  missed: 'No-show',
}

/** Custom statuses of the salon go by their own name. */
export function status(state: unknown): string {
  const { code, label } = fields(state)
  return code === 'own' ? text(label) : word(statuses, code)
}

/** Converts minor units into an amount with the currency's decimals. */
export function decimal(money: unknown): string {
  const { minor, currency } = fields(money)
  const units = number(minor)
  const places = number(fields(currency)['exponent'])
  if (!Number.isSafeInteger(units) || !Number.isInteger(places) || places < 0) throw new UnknownShape('not an amount')
  const digits = String(Math.abs(units)).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  return (units < 0 ? '-' : '') + (places === 0 ? whole : `${whole}.${digits.slice(-places)}`)
}

/** Cursor: the offset, and the app's token for a snapshot of the list. */
export function listQuery(anchor: string | null, limit: number) {
  const place: unknown = anchor === null ? {} : JSON.parse(anchor)
  const { offset, as_of } = isFields(place) ? place : {}
  return { limit, offset, as_of }
}

/** The next page's cursor; `more` holds values that it keeps. Null at the end. */
export function nextPlace(list: Fields, more: Fields = {}): string | null {
  const { total, offset, as_of } = list
  const count = rows(list['rows']).length
  const passed = number(offset) + count
  return count === 0 || passed >= number(total) ? null : JSON.stringify({ ...more, offset: passed, as_of: text(as_of) })
}
