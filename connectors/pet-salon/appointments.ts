import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, described, moment } from '../kit/inputs.ts'
import { fields, rows } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { whole, wholeRows } from './lists.ts'
import { fromClocks, toSlashed } from './times.ts'
import {
  AppointmentId,
  ClientName,
  EmployeeId,
  NullablePetName,
  OutAppointmentId,
  OutClientId,
  Start,
  fromPence,
  salonMoney,
} from './shared.ts'

const Status = labelled(
  'Status',
  Type.String({
    description: 'Scheduled, Confirmed, Checked In, Ready, Checked Out, No Show or Voided.',
  }),
)

const EmployeeName = labelled('Employee', Type.String({ description: 'The full name of the employee who does it.' }))

const petName = (pet: unknown): unknown => (pet === null ? null : fields(pet)['nm'])

function head({ tkt, st, cl, pet, emp }: Fields) {
  return {
    appointment_id: tkt,
    status: fields(st)['ttl'],
    client: fields(cl)['nm'],
    pet: petName(pet),
    employee: fields(emp)['nm'],
  }
}

export const list_appointments = endpoint({
  summary: 'List the appointments of one day or several in every status, oldest start first.',
  aliases: [
    'which dogs come in today',
    'grooming schedule',
    'appointments tomorrow',
    'pets booked this week',
    'calendar of the salon',
    'who comes in today',
    'how many dogs tomorrow',
    'what is on this afternoon',
  ],
  label: 'List appointments',
  brief: ['from', 'to', 'employee_id'],
  access: 'read',
  request: 'GET /cloud/data/tkts',
  input: {
    from: labelled('First day', day("The first day, on the salon's clocks.")),
    to: labelled(
      'Last day',
      Type.Optional(
        day(
          'The last day, included; the same as from when left out. 366 days at most, and not over 1000 appointments.',
        ),
      ),
    ),
    employee_id: EmployeeId("Only this person's appointments; everybody's when left out."),
  },
  output: {
    appointments: Type.Array(
      closed({
        appointment_id: OutAppointmentId,
        start: Start,
        end: described(moment, "When it is to be over, with the offset of the salon's time zone."),
        status: Status,
        client: ClientName,
        client_id: OutClientId,
        pet: NullablePetName,
        employee: EmployeeName,
        services: Type.Array(Type.String(), { description: 'The names of its services, not ids.' }),
      }),
      { description: 'Oldest start first; empty when there are none on these days.' },
    ),
  },
  encode: ({ from, to, employee_id }) => whole({ f: toSlashed(from), t: toSlashed(to), emp: employee_id }),
  decode: (answer) => ({
    appointments: wholeRows(answer).map((ticket) => ({
      ...head(ticket),
      start: fromClocks(ticket['d'], ticket['t'], answer['tz']),
      end: fromClocks(ticket['d'], ticket['t_end'], answer['tz']),
      client_id: fields(ticket['cl'])['cl'],
      services: ticket['svcs'],
    })),
  }),
})

export const get_appointment = endpoint({
  summary: 'Read one appointment: its services with prices, notes, deposit, products and what was done with it when.',
  aliases: [
    'details of a grooming appointment',
    'what was done with the dog',
    'deposit and price of an appointment',
    'grooming notes',
  ],
  label: 'Read an appointment',
  brief: ['appointment_id'],
  access: 'read',
  request: 'GET /cloud/data/tkts/{appointment_id}',
  input: { appointment_id: AppointmentId },
  output: {
    appointment_id: OutAppointmentId,
    status: Status,
    start: Start,
    client: ClientName,
    pet: NullablePetName,
    employee: EmployeeName,
    services: labelled(
      'Services',
      Type.Array(
        closed({
          name: labelled('Service', Type.String({ description: 'What the salon calls the service.' })),
          price: labelled(
            'Price',
            money(
              salonMoney,
              Type.Number({ description: "What it costs in this appointment, in the salon's currency." }),
            ),
          ),
        }),
        { description: 'What is done, each service with its own price.' },
      ),
    ),
    appointment_notes: labelled(
      'Notes',
      Type.String({ description: 'Notes for the team; empty when there are none.' }),
    ),
    confirmation_type: labelled(
      'Client is told by',
      Type.String({ description: 'How the client is told: Text, Email, Phone Call or None.' }),
    ),
    deposit: labelled('Deposit', money(salonMoney, Type.Number({ description: '0 when none was paid.' }))),
    products: labelled(
      'Products sold',
      Type.Array(
        closed({
          name: labelled('Product', Type.String({ description: 'What the product is called.' })),
          quantity: labelled('Pieces', Type.Integer({ description: 'How many pieces were sold.' })),
          price: labelled(
            'Price',
            money(salonMoney, Type.Number({ description: "Of one piece, in the salon's currency." })),
          ),
        }),
        { description: 'What was sold along with the services; empty when nothing was.' },
      ),
    ),
    log: Type.Array(
      closed({
        at: described(moment, "When it was done, with the offset of the salon's time zone."),
        user: Type.String({ description: 'The name of the person on the team who did it.' }),
        status: Type.String({ description: 'The status from then on, or Changed.' }),
      }),
      { description: 'Oldest first.' },
    ),
  },
  decode: (ticket) => ({
    ...head(ticket),
    start: fromClocks(ticket['d'], ticket['t'], ticket['tz']),
    services: rows(ticket['svcs']).map(({ ttl, pence }) => ({ name: ttl, price: fromPence(pence) })),
    appointment_notes: ticket['appt_nts'],
    confirmation_type: fields(ticket['cnf'])['ttl'],
    deposit: fromPence(ticket['dep']),
    products: rows(ticket['prods']).map(({ ttl, qty, pence }) => ({
      name: ttl,
      quantity: qty,
      price: fromPence(pence),
    })),
    log: rows(ticket['log']).map(({ d, t, by, st }) => ({
      at: fromClocks(d, t, ticket['tz']),
      user: by,
      status: fields(st)['ttl'],
    })),
  }),
})
