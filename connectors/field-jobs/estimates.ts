import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { fromEpoch, toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, day, id, limit, moment, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { same } from '../kit/same-thing.ts'
import { fields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { listQuery, pageOf } from './lists.ts'
import { client } from './previews.ts'
import { Item, Total, decimal, items } from './money.ts'
import { ItemInput, lines } from './setup.ts'
import { ClientId, ClientRef, SendVia, SentTo, Via, vias } from './shared.ts'

const stages = codec({ draft: 'draft', sent: 'out', approved: 'accepted', declined: 'turned_down' })

const Estimate = {
  estimate_id: refTo('estimate', 'The UUID of the estimate: pass it to send_estimate while it is a draft.'),
  client: ClientRef.name,
  total: Total,
  status: labelled(
    'Status',
    oneOf(stages.words, 'A draft until it is sent; approved or declined is what the client answered.'),
  ),
  sent_at: labelled(
    'Sent at',
    Type.Union([moment, Type.Null()], {
      description: 'When it was sent to the client, in UTC; null before that.',
    }),
  ),
}

function estimate({ uuid, customer, charge_minor, stage, sent_out_at }: Fields, money: unknown) {
  return {
    estimate_id: uuid,
    client: fields(customer)['full_name'],
    total: decimal(charge_minor, money),
    status: stages.decode(stage),
    sent_at: sent_out_at === null ? null : fromEpoch(sent_out_at),
  }
}

export const list_estimates = endpoint({
  summary: 'List estimates, drafts and sent ones, newest first.',
  aliases: ['quotes sent', 'open quotes', 'draft estimates', 'which offers are not approved'],
  label: 'List estimates',
  brief: ['status', 'since'],
  access: 'read',
  request: 'GET /api/estimates',
  input: {
    status: labelled(
      'Status',
      Type.Optional(oneOf(stages.words, 'Only estimates with this status; all when left out.')),
    ),
    since: labelled(
      'Since',
      Type.Optional(day("Only estimates that were drafted on this day or later, on the company's clocks.")),
    ),
    limit: limit(50),
    cursor,
  },
  output: {
    estimates: Type.Array(closed(Estimate), {
      description: 'The estimates on this page, the one drafted last first.',
    }),
    next_cursor: nextCursor,
  },
  encode: ({ status, since, limit: size }, { anchor }) => ({
    query: listQuery({ stage: status && stages.encode(status), since_day: toCompact(since) }, { limit: size, anchor }),
  }),
  decode: (list, { input, anchor, cursor: next }) => {
    const page = pageOf(list, { limit: input.limit, anchor })
    return { estimates: page.items.map((row) => estimate(row, list['money'])), next_cursor: next(page.next) }
  },
})

export const create_estimate = endpoint({
  summary: 'Draft an estimate for a client with items from the price book; nothing is sent.',
  aliases: [
    'write a quote',
    'price offer for a client',
    'draft an estimate',
    'prepare a quotation',
    'work out what it would cost',
    'prepare an offer but keep it',
  ],
  label: 'Draft an estimate',
  brief: ['client_id', 'items', 'notes'],
  approval: {
    headline: 'Draft an estimate for {client_id}[ with {items.name}]',
    button: 'Draft estimate',
    consequences: [
      { kind: 'money', text: 'Offers {items|item|items} at the prices of the price book; nobody is charged' },
      { kind: 'other', text: 'Stays a draft; nothing is sent' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_estimates', set: { status: 'draft' } }],
  preview: [client],
  access: 'write',
  request: 'POST /api/estimates',
  before: '/api/setup',
  input: {
    client_id: ClientId,
    items: labelled(
      'Items',
      Type.Array(ItemInput, {
        minItems: 1,
        maxItems: 50,
        description: 'What is offered, 1 to 50 items of the price book at its prices.',
      }),
    ),
    notes: labelled(
      'Notes',
      Type.Optional(
        Type.String({ maxLength: 4000, description: 'Notes for the company itself; the client does not see them.' }),
      ),
    ),
  },
  output: { ...Estimate, items: Type.Array(Item, { description: 'What is offered, as it was given.' }) },
  encode: ({ client_id, items: wanted, notes }, { before }) => ({
    json: { customer: client_id, lines: lines(wanted, before), remarks: notes },
  }),
  decode: (answer, { input }) => {
    same(input.client_id, fields(answer['customer'])['uuid'])
    return { ...estimate(answer, answer['money']), items: items(answer['lines'], answer['money']) }
  },
})

export const send_estimate = endpoint({
  summary: 'Send a draft estimate to its client by email or text, with a link to approve it.',
  aliases: [
    'email the quote to the client',
    'text the estimate',
    'send an offer for approval',
    'let the client see the quote',
    'get it approved',
  ],
  label: 'Send an estimate',
  brief: ['estimate_id', 'via'],
  approval: {
    headline: 'Send the estimate[ to {estimate_id.client}][ by {via}][: {estimate_id.total}]',
    button: 'Send estimate',
    consequences: [
      { kind: 'people', text: 'The client gets it[ by {via}], with a link to approve it' },
      { kind: 'money', text: 'Nobody is charged' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_estimates', set: { status: 'sent' } }],
  preview: [
    {
      of: 'estimate_id',
      read: 'list_estimates',
      set: { limit: 100 },
      at: 'estimates',
      id: 'estimate_id',
      shows: ['client', 'total', 'status'],
      matters: ['client', 'total', 'status'],
      conclusive: true,
      needs: { status: ['draft'] },
    },
  ],
  verify: {
    read: 'list_estimates',
    set: { status: 'sent', limit: 100 },
    at: 'estimates',
    same: { estimate_id: 'estimate_id' },
    since: 'sent_at',
  },
  access: 'write',
  confirm: true,
  request: 'POST /api/estimates/{estimate_id}/send',
  input: {
    estimate_id: labelled(
      'Estimate',
      id('estimate', 'Which draft: estimate_id from list_estimates or create_estimate.'),
    ),
    via: SendVia,
  },
  output: { ...Estimate, sent_via: Via, sent_to: SentTo },
  encode: ({ via }) => ({ json: { via: via && vias.encode(via) } }),
  decode: (answer) => {
    const told = fields(answer['told'])
    return { ...estimate(answer, answer['money']), sent_via: vias.decode(told['via']), sent_to: told['to'] }
  },
})
