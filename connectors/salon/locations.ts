import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, described, refTo } from '../kit/inputs.ts'
import { rows } from '../kit/wire.ts'
import { attributes } from './documents.ts'
import { LocationId, Price, ServiceName, price } from './shared.ts'

export const list_locations = endpoint({
  summary: "List the business's locations, the main one first; the other endpoints read one location per call.",
  aliases: ['our branches', 'which shops do we have', 'salon addresses', 'branches of the business'],
  label: 'List your locations',
  brief: [],
  access: 'read',
  request: 'GET /business/api/branches',
  input: {},
  output: {
    locations: Type.Array(
      closed({
        location_id: refTo('location', 'Pass it to list_services, list_appointments, list_waitlist or list_reviews.'),
        name: Type.String({ description: 'What the business calls the location.' }),
        address: labelled('Address', Type.String({ description: 'Where the location is, in one line.' })),
        time_zone: Type.String({ description: 'An IANA name, e.g. Europe/Lisbon; days and times there are in it.' }),
        phone: labelled(
          'Phone number',
          described(NullableText, "The location's telephone number; null when it has none."),
        ),
      }),
      { description: 'All locations of the business, the main one first.' },
    ),
  },
  decode: ({ data }) => ({
    locations: rows(data).map((branch) => {
      const { label, street, zone, tel } = attributes(branch)
      return { location_id: branch['id'], name: label, address: street, time_zone: zone, phone: tel }
    }),
  }),
})

export const list_services = endpoint({
  summary: 'List the services of one location, with duration, price and the providers who do them.',
  aliases: [
    'services of a location',
    'price of a treatment',
    'how long does a massage take',
    'who does which service',
    'menu of treatments',
  ],
  label: 'List services',
  brief: ['location_id'],
  access: 'read',
  request: 'GET /business/api/treatments',
  input: { location_id: LocationId('Which location; the main one when left out.') },
  output: {
    services: Type.Array(
      closed({
        service_id: refTo('service', 'Pass it to search_availability, book_appointment or add_to_waitlist.'),
        name: ServiceName,
        duration_min: labelled('Minutes', Type.Integer({ description: 'How long it takes, in minutes.' })),
        price: described(Price, "What the service costs, in the location's currency."),
        provider_ids: Type.Array(refTo('provider'), {
          description: 'Who does it, each for provider_id of search_availability; empty when nobody does.',
        }),
      }),
      { description: 'The services of this location only; empty when it has none.' },
    ),
  },
  encode: ({ location_id }) => ({ query: { branch: location_id } }),
  decode: ({ data }) => ({
    services: rows(data).map((treatment) => {
      const { label, mins, cost, hands } = attributes(treatment)
      return {
        service_id: treatment['id'],
        name: label,
        duration_min: mins,
        price: price(cost),
        provider_ids: hands,
      }
    }),
  }),
})
