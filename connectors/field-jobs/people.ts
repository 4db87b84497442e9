import { Type } from 'typebox'
import { fromEpoch } from '../dates.ts'
import { endpoint } from '../define.ts'
import { closed, cursor, day, defaulted, limit, moment, nextCursor, oneOf } from '../inputs.ts'
import { fields, rows, word } from '../wire.ts'
import type { Fields } from '../wire.ts'
import { listQuery, pageOf } from './lists.ts'
import { Decimal, decimal } from './money.ts'
import { NullableText, given, toCompact } from './words.ts'

const stages = { open: 'fresh', converted: 'won', lost: 'lost' } as const

const Lead = closed({
  lead_id: Type.String(),
  status: Type.Enum(['open', 'converted', 'lost'], { type: 'string' }),
  source: Type.String(),
  name: Type.String(),
  phone: NullableText,
  created_at: moment,
  assigned_to: Type.Union([closed({ tech_id: Type.String(), name: Type.String() }), Type.Null()]),
})

export const list_leads = endpoint({
  summary: 'List people who asked for work, with who looks after them, newest first.',
  access: 'read',
  request: 'GET /api/leads',
  input: {
    status: defaulted(
      oneOf(['open', 'converted', 'lost'], 'Only leads that are open, became a job, or were lost.'),
      'open',
    ),
    since: Type.Optional(day("Only leads that came in on this day or later, on the company's clocks.")),
    limit: limit(50),
    cursor,
  },
  output: { leads: Type.Array(Lead), next_cursor: nextCursor },
  encode: ({ status, since, limit: size }, { anchor }) => ({
    query: listQuery({ stage: stages[status], since_day: toCompact(since) }, { limit: size, anchor }),
  }),
  decode: (list, { input, anchor, cursor: next }) => {
    const page = pageOf(list, { limit: input.limit, anchor })
    return { leads: page.items.map(lead), next_cursor: next(page.next) }
  },
})

function lead({ uuid, stage, origin, caller, mobile, came_in_at, handler }: Fields) {
  return {
    lead_id: uuid,
    status: word({ fresh: 'open', won: 'converted', lost: 'lost' }, stage),
    source: origin,
    name: caller,
    phone: given(mobile),
    created_at: fromEpoch(came_in_at),
    assigned_to: handler === null ? null : assignee(fields(handler)),
  }
}

function assignee({ uuid, full_name }: Fields) {
  return { tech_id: uuid, name: full_name }
}

const Client = closed({
  client_id: Type.String(),
  name: Type.String(),
  phone: NullableText,
  email: NullableText,
  address: NullableText,
  jobs: Type.Integer(),
  balance_due: Decimal,
})

export const list_clients = endpoint({
  summary: 'Find clients by name, phone, email or address, in order of their names, with what they owe.',
  access: 'read',
  request: 'GET /api/customers',
  input: {
    query: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Only clients with this in their name, phone, email or address, in any case.',
      }),
    ),
    limit: limit(25),
  },
  output: { clients: Type.Array(Client) },
  encode: ({ query, limit: per_page }) => ({ query: { q: query, per_page } }),
  decode: ({ rows: customers, money }) => ({
    clients: rows(customers).map(({ uuid, full_name, mobile, mail, site, visits, owing_minor }) => ({
      client_id: uuid,
      name: full_name,
      phone: given(mobile),
      email: given(mail),
      address: given(site),
      jobs: visits,
      balance_due: decimal(owing_minor, money),
    })),
  }),
})
