import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { fromEpoch, toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import {
  NullableText,
  closed,
  cursor,
  day,
  defaulted,
  described,
  limit,
  moment,
  nextCursor,
  oneOf,
  refTo,
} from '../kit/inputs.ts'
import { fields, rows, textOrNull } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { listQuery, pageOf } from './lists.ts'
import { Decimal, decimal } from './money.ts'
import { ClientRef, TechRef } from './shared.ts'

const stages = codec({ open: 'fresh', converted: 'won', lost: 'lost' })

const Lead = closed({
  lead_id: refTo('lead', 'The UUID of the lead; no endpoint takes it.'),
  status: oneOf(stages.words, 'Open until the lead became a job (converted) or was lost.'),
  source: Type.String({ description: 'How they found the company, in words of the app such as Website or Referral.' }),
  name: Type.String({ description: 'The full name of who asked for work, a person or a company.' }),
  phone: described(NullableText, 'Their phone number; null when the app has none.'),
  created_at: described(moment, 'When the lead came in, in UTC.'),
  assigned_to: Type.Union([closed(TechRef), Type.Null()], {
    description: 'The team member who looks after the lead; null when nobody does.',
  }),
})

export const list_leads = endpoint({
  summary: 'List people who asked for work, with who looks after them, newest first.',
  aliases: [
    'new inquiries',
    'people who asked for work',
    'potential customers',
    'open leads',
    'prospects',
    'who wants work from us',
    'did anybody ask for a quote',
  ],
  label: 'List leads',
  brief: ['status', 'since'],
  access: 'read',
  request: 'GET /api/leads',
  input: {
    status: labelled(
      'Status',
      defaulted(oneOf(stages.words, 'Only leads that are open, became a job, or were lost.'), 'open'),
    ),
    since: labelled(
      'Since',
      Type.Optional(day("Only leads that came in on this day or later, on the company's clocks.")),
    ),
    limit: limit(50),
    cursor,
  },
  output: {
    leads: Type.Array(Lead, { description: 'The leads on this page, newest first.' }),
    next_cursor: nextCursor,
  },
  encode: ({ status, since, limit: size }, { anchor }) => ({
    query: listQuery({ stage: stages.encode(status), since_day: toCompact(since) }, { limit: size, anchor }),
  }),
  decode: (list, { input, anchor, cursor: next }) => {
    const page = pageOf(list, { limit: input.limit, anchor })
    return { leads: page.items.map(lead), next_cursor: next(page.next) }
  },
})

function lead({ uuid, stage, origin, caller, mobile, came_in_at, handler }: Fields) {
  return {
    lead_id: uuid,
    status: stages.decode(stage),
    source: origin,
    name: caller,
    phone: textOrNull(mobile),
    created_at: fromEpoch(came_in_at),
    assigned_to: handler === null ? null : assignee(fields(handler)),
  }
}

function assignee({ uuid, full_name }: Fields) {
  return { tech_id: uuid, name: full_name }
}

const Client = closed({
  ...ClientRef,
  phone: labelled('Phone number', described(NullableText, "The client's phone number; null when the app has none.")),
  email: labelled('Email', described(NullableText, "The client's email address; null when the app has none.")),
  address: labelled(
    'Address',
    described(NullableText, 'Where they live or work, as one text; null when the app does not know.'),
  ),
  jobs: Type.Integer({ description: 'How many jobs they have in all, done, canceled and future ones included.' }),
  balance_due: labelled(
    'Balance due',
    described(Decimal, 'What they have left to pay for all jobs, a decimal text in the currency of the account.'),
  ),
})

export const list_clients = endpoint({
  summary: 'Find clients by name, phone, email or address, in order of their names, with what they owe.',
  aliases: [
    'find a client',
    "customer's phone number",
    'address of a client',
    'which clients owe money',
    'look up a customer',
    'how do I reach her',
    'where does he live',
  ],
  label: 'Find clients',
  brief: ['query'],
  access: 'read',
  request: 'GET /api/customers',
  input: {
    query: labelled(
      'Search',
      Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Only clients with this in their name, phone, email or address, in any case.',
        }),
      ),
    ),
    limit: limit(25),
  },
  output: {
    clients: Type.Array(Client, {
      description: 'The clients that were found, in order of their names; there is no next page.',
    }),
  },
  encode: ({ query, limit: per_page }) => ({ query: { q: query, per_page } }),
  decode: ({ rows: customers, money }) => ({
    clients: rows(customers).map(({ uuid, full_name, mobile, mail, site, visits, owing_minor }) => ({
      client_id: uuid,
      name: full_name,
      phone: textOrNull(mobile),
      email: textOrNull(mail),
      address: textOrNull(site),
      jobs: visits,
      balance_due: decimal(owing_minor, money),
    })),
  }),
})
