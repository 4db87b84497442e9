import { Type } from 'typebox'
import { endpoint } from '../define.ts'
import { closed } from '../inputs.ts'
import { fields, rows } from '../wire.ts'
import { Decimal, LocationId, decimal } from './words.ts'

export const list_services = endpoint({
  summary: 'List the services that the salon offers, with duration and price.',
  access: 'read',
  request: 'GET /api/v2/menu',
  input: { location_id: LocationId('Only what is offered at this location; everything when left out.') },
  output: {
    services: Type.Array(
      closed({
        service_id: Type.String(),
        name: Type.String(),
        category: Type.String(),
        duration_minutes: Type.Integer(),
        price: Decimal,
        currency: Type.String(),
      }),
    ),
  },
  encode: ({ location_id }) => ({ query: { branch: location_id } }),
  decode: ({ rows: menu }) => ({
    services: rows(menu).map(({ menu_item, label, section, minutes, cost }) => ({
      service_id: menu_item,
      name: label,
      category: section,
      duration_minutes: minutes,
      price: decimal(cost),
      currency: fields(fields(cost)['currency'])['code'],
    })),
  }),
})
