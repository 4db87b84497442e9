import { Type } from 'typebox'
import { daysFrom } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import type { EncodeContext } from '../kit/define.ts'
import { NullableText, closed, cursor, day, described, nextCursor, oneOf } from '../kit/inputs.ts'
import { UnknownShape, fields, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { fromSlashed, toSlashed } from './times.ts'
import { Day, Decimal, LocationId, decimal, listQuery, nextPlace } from './shared.ts'

const Sums = {
  items_sold: Type.Integer({ description: 'How many pieces were sold: three bottles on one line are three.' }),
  sales: described(
    Decimal,
    'Before discounts and refunds, without tips and service charges, as a decimal text, e.g. 42.50.',
  ),
  discounts: described(Decimal, 'What discounts took off, as a decimal text; sales is the amount before them.'),
  refunds: described(Decimal, 'What was given back, as a decimal text; sales is the amount before it.'),
}
const splits = { payment_method: 'pay', discount_name: 'promo', discount_type: 'promo_kind' } as const

function sums({ pieces, gross, rebate, given_back }: Fields) {
  return { items_sold: pieces, sales: decimal(gross), discounts: decimal(rebate), refunds: decimal(given_back) }
}

export const get_sales_summary = endpoint({
  summary: 'Sum up sales, discounts and refunds of one day or several, without tips and service charges.',
  aliases: [
    'how much did we sell',
    'takings of today',
    'revenue this week',
    'sales total',
    'how much did we make',
    'turnover',
    'refunds and discounts',
    'what did we take in',
    'how was business yesterday',
    'how much money came in',
  ],
  label: 'Sum up sales',
  brief: ['from', 'to', 'group_by', 'location_id'],
  access: 'read',
  request: 'GET /api/v2/takings',
  input: {
    from: labelled('First day', day("The first day, in the location's time zone.")),
    to: Type.Optional(labelled('Last day', day('The last day, included; the same as from when left out.'))),
    group_by: Type.Optional(
      labelled(
        'Grouped by',
        oneOf(
          ['payment_method', 'discount_name', 'discount_type'],
          'Also sum up by this; groups is empty when it is left out.',
        ),
      ),
    ),
    location_id: LocationId('Only sales at this location; all when left out.'),
  },
  output: {
    from: described(Day, "The first day that is counted, in each location's time zone."),
    to: described(Day, "The last day that is counted, included, in each location's time zone."),
    currency: Type.String({ description: 'ISO 4217 code of all amounts here, such as EUR.' }),
    groups: Type.Array(
      Type.Union([
        closed({
          payment_method: described(NullableText, 'How it was paid, as the app calls it, such as Card or Cash.'),
          ...Sums,
        }),
        closed({
          discount_name: described(NullableText, 'Which discount, by its name in the app; null for sales without one.'),
          ...Sums,
        }),
        closed({
          discount_type: described(
            NullableText,
            'The kind of discount, such as Loyalty or Promotion; null for sales without one.',
          ),
          ...Sums,
        }),
      ]),
      {
        description:
          'One for each value of group_by, without it none. A discount of null stands for sales without one.',
      },
    ),
    total: described(closed(Sums), 'All sales of these days; the groups add up to it.'),
  },
  encode: ({ from, to, group_by, location_id }) => ({
    query: {
      first_day: toSlashed(from),
      last_day: toSlashed(to),
      split: group_by === undefined ? undefined : splits[group_by],
      branch: location_id,
    },
  }),
  decode: ({ first_day, last_day, currency, split, rows: groups, sum }, { input: { group_by } }) => {
    if (split !== (group_by === undefined ? null : splits[group_by])) throw new UnknownShape('split otherwise')
    return {
      from: fromSlashed(first_day),
      to: fromSlashed(last_day),
      currency: fields(currency)['code'],
      groups: rows(groups).map((group) => ({ [String(group_by)]: group['label'], ...sums(group) })),
      total: sums(fields(sum)),
    }
  },
})

/** The days of a list. Later pages keep the first page's defaults, even after midnight. */
function payoutDays(given: { readonly from?: string; readonly to?: string }, { anchor, now }: EncodeContext) {
  const kept = anchor === null ? {} : fields(JSON.parse(anchor))
  const today = now.toISOString().slice(0, 10)
  const from = given.from ?? text(kept['from'] ?? daysFrom(today, -30))
  return { from, to: given.to ?? text(kept['to'] ?? (from > today ? from : today)) }
}

export const list_payouts = endpoint({
  summary: 'List what was paid out to the bank account, scheduled and by hand, newest first, 25 a page.',
  aliases: [
    'money paid to the bank',
    'when was the last payout',
    'deposits to my account',
    'transfers',
    'when does the money arrive',
    'what reached the bank',
  ],
  label: 'List payouts',
  brief: ['from', 'to'],
  access: 'read',
  request: 'GET /api/v2/payouts',
  input: {
    from: Type.Optional(labelled('First day', day('The first day, in UTC; 30 days ago when left out.'))),
    to: Type.Optional(
      labelled('Last day', day('The last day, in UTC, included; today when left out, or a from that is later.')),
    ),
    cursor,
  },
  output: {
    payouts: Type.Array(
      closed({
        date: described(Day, 'The day on which it was paid out, in UTC.'),
        amount: described(
          Decimal,
          "What left the salon's wallet, fees included, as a decimal text in its currency, e.g. 467.65.",
        ),
        fees: described(Decimal, 'What the app kept of the amount, as a decimal text.'),
        net_amount: described(Decimal, 'What goes to the bank account: amount less fees, as a decimal text.'),
      }),
      { description: 'One page, newest first; scheduled payouts and those by hand look alike.' },
    ),
    next_cursor: nextCursor,
  },
  encode: (input, context) => {
    const { from, to } = payoutDays(input, context)
    return { query: { first_day: toSlashed(from), last_day: toSlashed(to), ...listQuery(context.anchor, 25) } }
  },
  decode: (list, { input, cursor: next, ...context }) => ({
    payouts: rows(list['rows']).map(({ paid_on, gross, charges, arrives }) => ({
      date: fromSlashed(paid_on),
      amount: decimal(gross),
      fees: decimal(charges),
      net_amount: decimal(arrives),
    })),
    next_cursor: next(nextPlace(list, payoutDays(input, context))),
  }),
})
