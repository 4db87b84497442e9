import { Type } from 'typebox'
import { labelled, recipients } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, described, id, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { same } from '../kit/same-thing.ts'
import { UnknownShape, fields, nullableText } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { attributes, document, formSlip, linked, whole, wholeData } from './documents.ts'
import { fromNamed, toNamed } from './times.ts'
import { service, waiting } from './previews.ts'
import { ClientId, ClientName, Day, LocationId, ProviderId, ServiceId, ServiceName } from './shared.ts'

const Entry = {
  waitlist_entry_id: refTo('waitlist_entry', 'Pass it to notify_waitlist to write to the client.'),
  client: ClientName,
  service: ServiceName,
  provider: labelled('Provider', Type.String({ description: "The provider's name, or any." })),
  date: labelled('Day', described(Day, "The day they wait for, in the location's time zone.")),
}

function entry(waiting: Fields) {
  const { guest, treatment, crew, day: on } = attributes(waiting)
  return {
    waitlist_entry_id: waiting['id'],
    client: guest,
    service: treatment,
    provider: nullableText(crew) ?? 'any',
    date: fromNamed(on),
  }
}

export const list_waitlist = endpoint({
  summary: 'List who waits for a place at one location, by day; days that are over stay in it.',
  aliases: ['who is waiting for a spot', 'waiting list', 'people hoping for an opening', 'who would jump in'],
  label: 'List the waitlist',
  brief: ['location_id', 'date'],
  access: 'read',
  request: 'GET /business/api/waiting',
  input: {
    location_id: LocationId('Which location; the main one when left out.'),
    date: Type.Optional(
      labelled('Day', day("Only who waits for this day, in the location's time zone; all days when left out.")),
    ),
  },
  output: {
    entries: Type.Array(closed(Entry), {
      description: 'Who waits there, by day, then as they came; empty when nobody does.',
    }),
  },
  encode: ({ location_id, date }) => whole({ branch: location_id, day: toNamed(date) }),
  decode: (answer) => ({ entries: wholeData(answer).map(entry) }),
})

export const add_to_waitlist = endpoint({
  summary: 'Put a client on the waitlist for a service on a day. Nobody is written to.',
  aliases: [
    'put a client on the waiting list',
    'wait for an opening',
    'waitlist her for Saturday',
    'note her down if something comes up',
    'she would take any free place',
  ],
  label: 'Add to the waitlist',
  brief: ['client_id', 'service_id', 'date', 'provider_id'],
  approval: {
    headline: 'Put {client_id} on the waitlist for {service_id} on {date}[ with {provider_id}]',
    button: 'Add to waitlist',
    consequences: [{ kind: 'other', text: 'Nobody is told' }],
  },
  effect: 'adds',
  shownBy: [],
  preview: [service],
  access: 'write',
  request: 'POST /business/api/waiting',
  input: {
    client_id: ClientId,
    service_id: ServiceId,
    provider_id: ProviderId('Whom they want; anybody when left out.'),
    date: labelled('Day', day("The day they wait for, in the location's time zone, from today to 366 days ahead.")),
  },
  output: Entry,
  encode: ({ client_id, service_id, provider_id, date }) =>
    document('waiting', { guest: client_id, treatment: service_id, crew: provider_id, day: toNamed(date) }),
  decode: ({ data }, { input }) => {
    same(input.client_id, linked(data, 'guest'))
    same(input.service_id, linked(data, 'treatment'))
    return entry(fields(data))
  },
})

export const notify_waitlist = endpoint({
  summary: 'Alert the chosen clients on the waitlist by mail or text that a place may be free: all of them or none.',
  aliases: [
    'tell people waiting that a spot is free',
    'offer a free slot',
    'alert the waiting list',
    'a place opened up',
    'somebody cancelled, ask those who wait',
  ],
  label: 'Alert waiting clients',
  brief: ['waitlist_entry_ids', 'message'],
  approval: {
    headline: 'Tell {waitlist_entry_ids|waiting client|waiting clients} that a place may be free[: {message}]',
    button: 'Alert {waitlist_entry_ids|client|clients}',
    consequences: [
      {
        kind: 'people',
        text: '{waitlist_entry_ids|client gets|clients get} an e-mail or text message[: {waitlist_entry_ids}]',
      },
      { kind: 'other', text: '[They wait for {waitlist_entry_ids.service}, for {waitlist_entry_ids.date}]' },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [waiting],
  access: 'write',
  confirm: true,
  request: 'POST /business/waiting/alert',
  input: {
    waitlist_entry_ids: labelled(
      'Who waits',
      recipients(
        Type.Array(id('waitlist_entry', 'A waitlist_entry_id from list_waitlist.'), {
          minItems: 1,
          maxItems: 50,
          uniqueItems: true,
          description:
            '1 to 50 different waitlist_entry_id from list_waitlist. Who was alerted before is alerted again.',
        }),
      ),
    ),
    message: Type.Optional(
      labelled(
        'Message',
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: "What they will read; the app's own words about service and day when left out.",
        }),
      ),
    ),
  },
  output: {
    waitlist_entry_ids: Type.Array(refTo('waitlist_entry'), { description: 'Each of these clients was written to.' }),
  },
  encode: ({ waitlist_entry_ids, message }) => ({ form: { entry: waitlist_entry_ids, words: message } }),
  csrf: formSlip,
  answer: 'redirect',
  decode: (_answer, { input, location }) => {
    const alerted = ledTo(location, 'business/waiting', { done: 'alerted' }).query.getAll('entry')
    if (alerted.length !== input.waitlist_entry_ids.length) throw new UnknownShape('not all of them were alerted')
    return { waitlist_entry_ids: alerted }
  },
})
