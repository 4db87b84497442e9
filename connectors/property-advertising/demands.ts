import { Type } from 'typebox'
import { labelled, money } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, defaulted, described, limit, refTo } from '../kit/inputs.ts'
import { number, rows } from '../kit/wire.ts'
import { Currency, Operation, OperationFilter, amount, currency, dealsAsked, operations } from './shared.ts'

export const list_demands = endpoint({
  summary: 'List what people look for: area, budget and rooms. For agency accounts only.',
  aliases: [
    'what are people looking for',
    'buyers searching in an area',
    'wanted ads',
    'demand in a district',
    'home seekers',
    'does anybody look for three rooms',
    'what do people want in that area',
  ],
  label: 'List what people look for',
  brief: ['operation'],
  access: 'read',
  request: 'GET /api/wanted',
  input: { operation: defaulted(OperationFilter, 'all'), limit: limit(50) },
  output: {
    demands: Type.Array(
      closed({
        demand_id: refTo('demand', "The demand's number in the app, such as W-10001; no endpoint takes it."),
        contact_id: refTo(
          'contact',
          'Who looks for it; pass it to get_conversation, reply_to_contact or send_listings_to_contact.',
        ),
        operation: described(Operation, 'Whether they look for a home for sale or to rent.'),
        area: labelled('Looks in', Type.String({ description: 'Where they look, as the app shows it.' })),
        max_price: labelled(
          'Budget',
          money(
            { unit: 'major', currency: { field: 'currency' } },
            Type.Number({ description: 'Their budget in currency units, not cents, with at most two decimals.' }),
          ),
        ),
        currency: described(Currency, 'The ISO 4217 code of max_price, e.g. EUR.'),
        rooms: Type.Integer({ description: 'The fewest rooms they want: bedrooms, as the app counts them.' }),
      }),
      { description: 'What people look for, newest first; empty when nobody does.' },
    ),
  },
  encode: (input) => ({ query: { deal: dealsAsked[input.operation], per_page: input.limit } }),
  decode: ({ wanted }) => ({
    demands: rows(wanted).map((row) => ({
      demand_id: row['no'],
      contact_id: String(number(row['thread'])),
      operation: operations.decode(row['deal']),
      area: row['whereabouts'],
      max_price: amount(row['budget']),
      currency: currency(row['budget']),
      rooms: row['min_bedrooms'],
    })),
  }),
})
