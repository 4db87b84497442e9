import { Type } from 'typebox'
import { endpoint } from '../define.ts'
import { closed } from '../inputs.ts'
import { rows } from '../wire.ts'
import { attributes } from './documents.ts'
import { LocationId, NullableText, Price, price } from './words.ts'

export const list_locations = endpoint({
  summary: "List the business's locations, the main one first; the other endpoints read one location per call.",
  access: 'read',
  request: 'GET /business/api/branches',
  input: {},
  output: {
    locations: Type.Array(
      closed({
        location_id: Type.String(),
        name: Type.String(),
        address: Type.String(),
        time_zone: Type.String(),
        phone: NullableText,
      }),
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
  access: 'read',
  request: 'GET /business/api/treatments',
  input: { location_id: LocationId('Which location; the main one when left out.') },
  output: {
    services: Type.Array(
      closed({
        service_id: Type.String(),
        name: Type.String(),
        duration_min: Type.Integer(),
        price: Price,
        provider_ids: Type.Array(Type.String()),
      }),
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
