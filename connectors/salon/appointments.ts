import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { entityPage } from '../kit/before.ts'
import { labelled, recipients } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, defaulted, described, id, moment, oneOf, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { same } from '../kit/same-thing.ts'
import { fields, rows, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { attributes, document, formSlip, linked, whole, wholeData } from './documents.ts'
import { fromLocal, toNamed, toUtc } from './times.ts'
import { appointment as appointmentShown, service } from './previews.ts'
import { ClientId, ClientName, LocationId, Price, ProviderId, ServiceId, ServiceName, price } from './shared.ts'

const ProviderName = labelled('Provider', Type.String({ description: 'The full name of the person who does it.' }))
const Appointment = {
  appointment_id: refTo('appointment', 'Pass it to reschedule_appointment or cancel_appointment.'),
  client: ClientName,
  service: ServiceName,
  provider: ProviderName,
  start: labelled('Starts at', described(moment, "When it begins, with the offset of the location's time zone.")),
  end: labelled('Ends at', described(moment, "When it ends, with the offset of the location's time zone.")),
  status: labelled(
    'Status',
    Type.String({
      description: 'As the app shows it: Booked, Arrived, In the chair, Completed, No-show or Cancelled.',
    }),
  ),
}

const statuses = codec({
  Booked: 'bk',
  Arrived: 'ar',
  'In the chair': 'ch',
  Completed: 'dn',
  'No-show': 'ns',
  Cancelled: 'cx',
})

const AppointmentId = labelled(
  'Appointment',
  id('appointment', 'Which appointment: appointment_id from list_appointments or book_appointment.'),
)
const NotifyClient = defaulted(
  labelled(
    'Tell the client',
    Type.Boolean({ description: 'true: the app writes to the client by mail or text. false: it does not.' }),
  ),
  false,
)
const start = (description: string) =>
  labelled(
    'Starts at',
    Type.String({
      format: 'date-time',
      description: `${description}, to the minute: start from search_availability. ISO 8601 with an offset or Z.`,
    }),
  )

function appointment(visit: Fields) {
  const { guest, treatment, crew, begins, ends, zone, stage } = attributes(visit)
  return {
    appointment_id: visit['id'],
    client: guest,
    service: treatment,
    provider: crew,
    start: fromLocal(begins, zone),
    end: fromLocal(ends, zone),
    status: fields(stage)['shown'],
  }
}

/** Whether the app notified the client, by the channel that it used. */
const told = { mail: 'yes', text: 'yes', nobody: 'no' }

/** The outcome of a form, from its redirect to the appointment. */
function changed(location: string, appointment_id: string, done: string) {
  const page = `business/visits/${encodeURIComponent(appointment_id)}`
  const { query } = ledTo(location, page, { done })
  return {
    appointment_id,
    provider: query.get('crew_name'),
    start: fromLocal(query.get('begins'), query.get('zone')),
    end: fromLocal(query.get('ends'), query.get('zone')),
    status: statuses.decode(query.get('stage')),
    client_notified: word(told, query.get('told')) === 'yes',
  }
}

const { client: _client, service: _service, ...Kept } = Appointment
const Changed = {
  ...Kept,
  client_notified: Type.Boolean({ description: 'false also when the client has neither mail nor telephone.' }),
}

export const list_appointments = endpoint({
  summary: 'List the appointments of one location on one day or several, by start time.',
  aliases: [
    'appointments today',
    'who is booked in',
    'calendar of a location',
    'bookings tomorrow',
    'schedule of a branch',
    "day's agenda",
    'who is in today',
    'whom do we expect this afternoon',
  ],
  label: 'List appointments',
  brief: ['from', 'to', 'location_id', 'provider_id'],
  access: 'read',
  request: 'GET /business/api/visits',
  input: {
    location_id: LocationId('Which location; the main one when left out.'),
    from: labelled('First day', day("The first day, in the location's time zone.")),
    to: Type.Optional(labelled('Last day', day('The last day, included; the same as from when left out.'))),
    provider_id: ProviderId("Only this person's appointments; everybody's when left out."),
    status: Type.Optional(
      labelled(
        'Status',
        oneOf(statuses.words, 'Only appointments with this status, as the app shows it; all when left out.'),
      ),
    ),
  },
  output: {
    appointments: Type.Array(closed(Appointment), {
      description: 'All that match, by start time; without status the cancelled ones, too.',
    }),
  },
  encode: ({ location_id, from, to, provider_id, status }) =>
    whole({
      branch: location_id,
      from: toNamed(from),
      until: toNamed(to),
      crew: provider_id,
      stage: status === undefined ? undefined : statuses.encode(status),
    }),
  decode: (answer) => ({ appointments: wholeData(answer).map(appointment) }),
})

export const search_availability = endpoint({
  summary: 'Find when and with whom a service can be booked, earliest first; pass start and provider_id on to book.',
  aliases: [
    'free times',
    'next available slot',
    'when can a client come',
    'openings for a massage',
    'who is free',
    'available times',
    'is there room for her on Tuesday',
    'who could do a massage at four',
  ],
  label: 'Find free times',
  brief: ['service_id', 'from', 'to', 'provider_id'],
  access: 'read',
  request: 'GET /business/api/openings',
  input: {
    location_id: LocationId("The service's location, the only one where it is done; no need to give it."),
    service_id: ServiceId,
    from: labelled('First day', day("The first day, in the location's time zone.")),
    to: Type.Optional(
      labelled('Last day', day('The last day, included, at most 61 days after from; 7 days after it when left out.')),
    ),
    provider_id: ProviderId('Only slots of this person; of anybody when left out.'),
  },
  output: {
    slots: Type.Array(
      closed({
        provider_id: refTo('provider', 'Who would do it; pass it to book_appointment.'),
        provider: ProviderName,
        start: described(moment, "When it could begin, with the location's offset; pass it to book_appointment."),
      }),
      { description: 'Free times still to come, earliest first; empty when there are none.' },
    ),
  },
  encode: ({ location_id, service_id, from, to, provider_id }) => ({
    query: {
      branch: location_id,
      treatment: service_id,
      from: toNamed(from),
      until: toNamed(to),
      crew: provider_id,
    },
  }),
  decode: ({ data, zone }) => ({
    slots: rows(data)
      .map(attributes)
      .map(({ crew, crew_name, begins }) => ({
        provider_id: crew,
        provider: crew_name,
        start: fromLocal(begins, zone),
      })),
  }),
})

export const book_appointment = endpoint({
  summary: 'Book a client for a service with a provider; the app tells the client by mail or text.',
  aliases: [
    'book a client in',
    'make an appointment',
    'schedule a facial',
    'new booking',
    'put her down for a cut',
    'put her in for a manicure',
    'he would like a massage on Saturday',
  ],
  label: 'Book an appointment',
  brief: ['client_id', 'service_id', 'start', 'provider_id'],
  approval: {
    headline: 'Book {client_id} for {service_id} on {start}[ with {provider_id}]',
    button: 'Book appointment',
    consequences: [
      { kind: 'people', text: '{client_id} gets an e-mail or text message' },
      { kind: 'money', text: '[The service costs {service_id.price.amount}]' },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [service],
  access: 'write',
  confirm: true,
  request: 'POST /business/api/visits',
  input: {
    client_id: recipients(ClientId),
    service_id: ServiceId,
    provider_id: labelled('Provider', id('provider', 'Who does it: provider_id of the slot from search_availability.')),
    start: start('When it begins'),
  },
  output: { ...Appointment, price: described(Price, "What the appointment costs, in the location's currency.") },
  encode: ({ client_id, service_id, provider_id, start: begins }) =>
    document('visits', { guest: client_id, treatment: service_id, crew: provider_id, begins: toUtc(begins) }),
  decode: ({ data }, { input }) => {
    same(input.client_id, linked(data, 'guest'))
    same(input.service_id, linked(data, 'treatment'))
    same(input.provider_id, linked(data, 'crew'))
    return { ...appointment(fields(data)), price: price(attributes(data)['cost']) }
  },
})

const visit = entityPage('GET /business/visits/{appointment_id}', {
  'dt:contains("stage") + dd:not(:contains("Booked"))': 'Only a booked appointment can be moved or cancelled.',
})

export const reschedule_appointment = endpoint({
  summary: 'Move a booked appointment to another time, to another provider, or both; it stays at its location.',
  aliases: [
    'move an appointment',
    'other time',
    'change provider',
    'postpone a booking',
    'shift to another day',
    'she would rather come later',
    'let another person do it',
  ],
  label: 'Move an appointment',
  brief: ['appointment_id', 'start', 'provider_id'],
  approval: {
    headline:
      'Move the appointment[ of {appointment_id}][ to {start}][, now with {provider_id}][, for {appointment_id.service}]',
    button: 'Move appointment',
    consequences: [
      { kind: 'people', text: 'The client gets an e-mail or text message', when: { notify_client: [true] } },
      { kind: 'other', text: '[So far it is on {appointment_id.start} with {appointment_id.provider}]' },
      { kind: 'other', text: 'The client is not told', when: { notify_client: [false] } },
    ],
  },
  effect: 'changes',
  shownBy: [],
  preview: [appointmentShown],
  access: 'write',
  confirm: true,
  request: 'POST /business/visits/{appointment_id}/move',
  before: { visit },
  input: {
    appointment_id: AppointmentId,
    start: Type.Optional(start('The new begin; the same as now when left out')),
    provider_id: ProviderId('Who does it from now on; the same person when left out.'),
    notify_client: NotifyClient,
  },
  atLeastOne: ['start', 'provider_id'],
  output: Changed,
  encode: ({ start: begins, provider_id, notify_client }) => ({
    form: { begins: toUtc(begins), crew: provider_id, tell: notify_client ? 'yes' : 'no' },
  }),
  csrf: formSlip,
  answer: 'redirect',
  decode: (_answer, { input, location }) => changed(location, input.appointment_id, 'moved'),
})

export const cancel_appointment = endpoint({
  summary: 'Cancel a booked appointment for good, optionally telling the client.',
  aliases: [
    'call off an appointment',
    'client cancels',
    'delete a booking',
    'take off the calendar',
    'she is ill',
    'he is not coming',
  ],
  label: 'Cancel an appointment',
  brief: ['appointment_id', 'notify_client'],
  approval: {
    headline:
      'Cancel the appointment[ of {appointment_id}][ on {appointment_id.start}][ for {appointment_id.service}][ with {appointment_id.provider}]',
    button: 'Cancel appointment',
    consequences: [
      { kind: 'people', text: 'The client gets an e-mail or text message', when: { notify_client: [true] } },
      { kind: 'irreversible', text: 'A cancelled appointment cannot be brought back' },
      { kind: 'other', text: 'The client is not told', when: { notify_client: [false] } },
    ],
  },
  effect: 'removes',
  shownBy: [],
  preview: [appointmentShown],
  access: 'write',
  confirm: true,
  request: 'POST /business/visits/{appointment_id}/cancel',
  before: { visit },
  input: { appointment_id: AppointmentId, notify_client: NotifyClient },
  output: Changed,
  encode: ({ notify_client }) => ({ form: { tell: notify_client ? 'yes' : 'no' } }),
  csrf: formSlip,
  answer: 'redirect',
  decode: (_answer, { input, location }) => changed(location, input.appointment_id, 'cancelled'),
})
