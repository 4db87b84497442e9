import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, described, refTo } from '../kit/inputs.ts'
import { fields, rows, textOrNull } from '../kit/wire.ts'
import { Decimal, LocationId, decimal } from './shared.ts'

export const list_services = endpoint({
  summary: 'List the services that the salon offers, with duration and price.',
  aliases: ['what does a haircut cost', 'price list', 'treatments', 'services we offer', 'how long does a color take'],
  label: 'List services',
  brief: ['location_id'],
  access: 'read',
  request: 'GET /api/v2/menu',
  input: { location_id: LocationId('Only what is offered at this location; everything when left out.') },
  output: {
    services: Type.Array(
      closed({
        service_id: refTo(
          'service',
          'Which service; pass it in service_ids to find_available_slots or create_appointment.',
        ),
        name: Type.String({ description: "What the service is called on the salon's menu." }),
        category: described(NullableText, 'The section of the menu that it stands in; null when it is in none.'),
        duration_minutes: labelled('Minutes', Type.Integer({ description: 'How long the service takes, in minutes.' })),
        price: labelled(
          'Price',
          money(
            { unit: 'major', currency: { field: 'currency' } },
            described(
              Decimal,
              'What it costs, as a decimal text, with as many decimals as its currency has, e.g. 42.50; 0 is free.',
            ),
          ),
        ),
        currency: labelled(
          'Currency',
          Type.String({ description: 'ISO 4217 code of the price, such as EUR; the same for the whole salon.' }),
        ),
      }),
      { description: "In the order of the salon's menu." },
    ),
  },
  encode: ({ location_id }) => ({ query: { branch: location_id } }),
  decode: ({ rows: menu }) => ({
    services: rows(menu).map(({ menu_item, label, section, minutes, cost }) => ({
      service_id: menu_item,
      name: label,
      category: textOrNull(section),
      duration_minutes: minutes,
      price: decimal(cost),
      currency: fields(fields(cost)['currency'])['code'],
    })),
  }),
})
