import { Type } from 'typebox'
import { endpoint } from '../define.ts'
import { closed, defaulted, limit } from '../inputs.ts'
import { number, rows } from '../wire.ts'
import { Operation, OperationFilter, amount, currency, deals, operation } from './words.ts'

export const list_demands = endpoint({
  summary: 'List what people look for: area, budget and rooms. For agency accounts only.',
  access: 'read',
  request: 'GET /api/wanted',
  input: { operation: defaulted(OperationFilter, 'all'), limit: limit(50) },
  output: {
    demands: Type.Array(
      closed({
        demand_id: Type.String(),
        contact_id: Type.String(),
        operation: Operation,
        area: Type.String(),
        max_price: Type.Number(),
        currency: Type.String(),
        rooms: Type.Integer(),
      }),
    ),
  },
  encode: (input) => ({ query: { deal: deals[input.operation], per_page: input.limit } }),
  decode: ({ wanted }) => ({
    demands: rows(wanted).map((row) => ({
      demand_id: row['no'],
      contact_id: String(number(row['thread'])),
      operation: operation(row['deal']),
      area: row['whereabouts'],
      max_price: amount(row['budget']),
      currency: currency(row['budget']),
      rooms: row['min_bedrooms'],
    })),
  }),
})
