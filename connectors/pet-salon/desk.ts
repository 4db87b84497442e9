import { Type } from 'typebox'
import { labelled, money, recipients } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { defaulted, id, refTo } from '../kit/inputs.ts'
import { number } from '../kit/wire.ts'
import { ledToTicket } from './lists.ts'
import { toClocks } from './times.ts'
import {
  appointmentToChange,
  appointmentToPickUp,
  appointmentToVoid,
  client,
  employee,
  petOfClient,
  service,
  services,
  waitlistEntry,
} from './previews.ts'
import { AppointmentId, EmployeeId, OutAppointmentId, formChk, salonMoney, toPence } from './shared.ts'

const start = (description: string) =>
  labelled(
    'Starts at',
    Type.String({
      format: 'date-time',
      description: `${description}, to the minute, at most 730 days ahead and in opening hours. ISO 8601 with an offset or Z.`,
    }),
  )
const notes = (description: string, least = {}) =>
  Type.Optional(labelled('Notes', Type.String({ ...least, maxLength: 2000, description })))
const MessageSent = Type.Boolean({
  description: 'false: the client was not written to, for they want calls or nothing, or have no such address.',
})

export const book_appointment = endpoint({
  summary:
    'Book services for a client and their pet, or turn a waitlist entry into an appointment; the client is told.',
  aliases: [
    'book a bath for a dog',
    'grooming appointment for a pet',
    'schedule a nail trim',
    'haircut for a poodle',
    'take from the waitlist',
    'put the poodle in on Tuesday',
    'the cat needs her claws done',
  ],
  label: 'Book an appointment',
  brief: ['client_id', 'pet_id', 'start', 'service_ids'],
  approval: {
    headline:
      'Book {start}[ for {client_id}][ and {pet_id}][: {service_ids}][, taking {waitlist_entry_id} off the waitlist][ with {employee_id}]',
    button: 'Book appointment',
    consequences: [{ kind: 'people', text: 'The client gets a text or an e-mail, unless they want calls or nothing' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_client', from: { client_id: 'client_id' } }],
  preview: [client, petOfClient, services, employee, waitlistEntry],
  access: 'write',
  confirm: true,
  request: 'POST /cloud/book',
  csrf: formChk,
  answer: 'redirect',
  before: '/cloud/data/who',
  input: {
    start: start('When it begins'),
    client_id: labelled(
      'Client',
      recipients(
        Type.Optional(
          id(
            'client',
            'Whom it is for: client_id from find_clients. Needed without waitlist_entry_id, else it has to agree with it.',
          ),
        ),
      ),
    ),
    pet_id: labelled(
      'Pet',
      Type.Optional(
        id(
          'pet',
          'For which pet: pet_id from find_clients or get_client. Needed in the pet edition without waitlist_entry_id, else it has to agree with it.',
        ),
      ),
    ),
    service_ids: labelled(
      'Services',
      Type.Optional(
        Type.Array(id('service', 'A service_id from list_services.'), {
          minItems: 1,
          maxItems: 8,
          uniqueItems: true,
          description: '1 to 8 services, service_id from list_services; those of the waitlist entry when left out.',
        }),
      ),
    ),
    employee_id: EmployeeId(
      "Who does it; when left out the waitlist entry's employee, else the first who does all this and is free.",
    ),
    // An empty text is omitted from the request, and the app would then use that comment.
    appointment_notes: notes("Notes for the team; the waitlist entry's comment when left out.", { minLength: 1 }),
    waitlist_entry_id: labelled(
      'Waitlist entry',
      Type.Optional(
        id('waitlist_entry', 'Book this entry and take it off the waitlist: waitlist_entry_id from list_waitlist.'),
      ),
    ),
  },
  atLeastOne: ['waitlist_entry_id', ['client_id', 'service_ids']],
  output: {
    appointment_id: OutAppointmentId,
    status: Type.Literal('Scheduled', { description: 'Always Scheduled, as every new appointment is.' }),
    message_sent: MessageSent,
  },
  encode: (input, { before }) => ({
    form: {
      cl: input.client_id,
      pet: input.pet_id,
      svc: input.service_ids,
      ...toClocks(input.start, before['tz']),
      emp: input.employee_id,
      nts: input.appointment_notes,
      wl: input.waitlist_entry_id,
    },
  }),
  decode: (_answer, { location }) => {
    const { appointment_id, query } = ledToTicket(location, 'booked')
    return { appointment_id, status: 'Scheduled', message_sent: query.has('msg') }
  },
})

export const update_appointment = endpoint({
  summary: 'Change time, duration, employee, a price or the notes of an appointment; the client is told of a change.',
  aliases: [
    'move a grooming appointment',
    'change the groomer',
    "reschedule the dog's appointment",
    'change the price or notes of an appointment',
    'longer appointment',
    'make it later for the dog',
    'give the dog to another groomer',
  ],
  label: 'Change an appointment',
  brief: ['appointment_id', 'start', 'price', 'employee_id'],
  approval: {
    headline:
      'Change the appointment[ of {appointment_id.client}][ to {start}][, now with {employee_id}][, now {duration_minutes|minute|minutes} long][, now at {price}][, now with the notes {appointment_notes}]',
    button: 'Change appointment',
    consequences: [
      {
        kind: 'people',
        text: 'The client is told of the change, unless they want calls or nothing[ (they chose {appointment_id.confirmation_type})]',
      },
      { kind: 'money', text: '[The new price is {price}][ for {service_id}]' },
      { kind: 'irreversible', text: 'The notes are emptied', when: { appointment_notes: [''] } },
      { kind: 'other', text: '[So far it is on {appointment_id.start} with {appointment_id.employee}]' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_appointment', from: { appointment_id: 'appointment_id' } }],
  preview: [appointmentToChange, employee, service],
  access: 'write',
  confirm: true,
  request: 'POST /cloud/tkt/{appointment_id}/edit',
  csrf: formChk,
  answer: 'redirect',
  before: '/cloud/data/who',
  input: {
    appointment_id: AppointmentId,
    start: Type.Optional(start('When it begins from now on')),
    duration_minutes: labelled(
      'Duration in minutes',
      Type.Optional(
        Type.Integer({ minimum: 5, maximum: 600, description: 'How long it takes from now on, in minutes.' }),
      ),
    ),
    employee_id: EmployeeId('Who does it from now on.'),
    price: labelled(
      'Price',
      Type.Optional(
        money(
          salonMoney,
          Type.Number({
            minimum: 0,
            maximum: 100_000,
            description:
              "What one service of it costs from now on, in the salon's currency, with two decimals at most.",
          }),
        ),
      ),
    ),
    service_id: labelled(
      'Service',
      Type.Optional(
        id(
          'service',
          'Whose price it is, only with price and needed when the appointment has several services: service_id from list_services.',
        ),
      ),
    ),
    appointment_notes: notes('The new notes for the team in place of the old ones; an empty text clears them.'),
  },
  atLeastOne: ['start', 'duration_minutes', 'employee_id', 'price', 'appointment_notes'],
  output: {
    appointment_id: refTo('appointment', 'The appointment that was changed.'),
    message_sent: MessageSent,
  },
  form: {
    page: 'GET /cloud/tkt/{appointment_id}',
    selector: 'form[action$="/edit"]',
    fields: ['d', 't', 'mins', 'emp', 'prc', 'svc', 'nts'],
    labels: {
      d: 'start',
      t: 'start',
      mins: 'duration_minutes',
      emp: 'employee_id',
      prc: 'price',
      svc: 'service_id',
      nts: 'appointment_notes',
    },
    set: (input, { before }) => ({
      ...(input.start === undefined ? {} : toClocks(input.start, before['tz'])),
      mins: input.duration_minutes,
      emp: input.employee_id,
      prc: toPence(input.price),
      svc: input.service_id,
      nts: input.appointment_notes,
    }),
  },
  decode: (_answer, { location }) => {
    const { appointment_id, query } = ledToTicket(location, 'changed')
    return { appointment_id, message_sent: query.has('msg') }
  },
})

export const void_appointment = endpoint({
  summary: 'Void an appointment in any status, for good, with a reason; its card payments can be voided too.',
  aliases: [
    'cancel a grooming appointment',
    'delete an appointment',
    'void and refund',
    'client cancels',
    'remove the booking',
    'the owner is ill, no trim on Friday',
    'they are not coming',
  ],
  label: 'Void an appointment',
  brief: ['appointment_id', 'reason', 'void_card_transactions'],
  approval: {
    headline:
      'Void the appointment[ of {appointment_id.client}][ on {appointment_id.start}][ for {appointment_id.pet}][: {reason}]',
    button: 'Void appointment',
    consequences: [
      { kind: 'irreversible', text: 'It stays voided for good' },
      {
        kind: 'money',
        text: 'Its card payments are voided and go back to the client',
        when: { void_card_transactions: [true] },
      },
      { kind: 'money', text: 'What was paid becomes the client’s balance', when: { void_card_transactions: [false] } },
    ],
  },
  effect: 'removes',
  shownBy: [{ read: 'get_appointment', from: { appointment_id: 'appointment_id' } }],
  preview: [appointmentToVoid],
  access: 'write',
  confirm: true,
  request: 'POST /cloud/tkt/{appointment_id}/void',
  csrf: formChk,
  answer: 'redirect',
  input: {
    appointment_id: AppointmentId,
    reason: labelled(
      'Reason',
      Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'Why it is voided, for the team to read.',
      }),
    ),
    void_card_transactions: labelled(
      'Card payments voided',
      defaulted(
        Type.Boolean({
          description: "true: its card payments are voided too. false: what was paid becomes the client's balance.",
        }),
        false,
      ),
    ),
  },
  output: {
    appointment_id: refTo('appointment', 'The appointment that was voided.'),
    status: Type.Literal('Voided', { description: 'Always Voided, and for good.' }),
    voided_card_transactions: Type.Integer({ description: 'How many card payments were voided.' }),
  },
  encode: ({ reason, void_card_transactions }) => ({
    form: { why: reason, cards: void_card_transactions ? '1' : '0' },
  }),
  decode: (_answer, { location }) => {
    const { appointment_id, query } = ledToTicket(location, 'voided')
    return { appointment_id, status: 'Voided', voided_card_transactions: number(query.get('cards')) }
  },
})

export const send_pickup_text = endpoint({
  summary: 'Text the client of an appointment that is checked in that their pet is ready; it becomes Ready.',
  aliases: [
    'tell the owner that the dog is ready',
    'ready for pickup',
    'text the client to collect the pet',
    'come and get the cat',
    'she is dry and brushed',
    'he can be picked up',
  ],
  label: 'Send a pickup text',
  brief: ['appointment_id'],
  approval: {
    headline: 'Text the client[ {appointment_id.client}] that their pet[ {appointment_id.pet}] is ready for pickup',
    button: 'Send text',
    consequences: [
      { kind: 'people', text: 'The client gets a text message' },
      { kind: 'other', text: 'The appointment becomes Ready' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_appointment', from: { appointment_id: 'appointment_id' } }],
  preview: [appointmentToPickUp],
  access: 'write',
  confirm: true,
  request: 'POST /cloud/tkt/{appointment_id}/ready',
  csrf: formChk,
  answer: 'redirect',
  input: { appointment_id: AppointmentId },
  output: {
    appointment_id: refTo('appointment', 'The appointment whose client was texted.'),
    status: Type.Literal('Ready', { description: 'Always Ready: the pet can be picked up.' }),
  },
  decode: (_answer, { location }) => ({
    appointment_id: ledToTicket(location, 'ready').appointment_id,
    status: 'Ready',
  }),
  encode: () => ({ form: {} }),
})
