import { Type } from 'typebox'
import { endpoint } from '../kit/define.ts'
import { Unsendable } from '../kit/failures.ts'
import { defaulted, described, id, oneOf, refTo } from '../kit/inputs.ts'
import { fields, number, rows, text, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { formTicket } from './proof.ts'
import { NullableMoment, nullableUtc, toOffset } from './words.ts'

const covers = { everything: 'everything', memberships: 'memberships', collection: 'one-series' } as const
const targets = { everything: 'everything', memberships: 'memberships', 'one-series': 'collection' } as const
const NullableCount = Type.Union([Type.Integer(), Type.Null()], { description: 'null when there is no limit.' })

export const create_coupon = endpoint({
  summary: 'Create a coupon code for everything, for memberships or for one collection. Nobody is told about it.',
  access: 'write',
  request: 'POST /studio/coupons',
  input: {
    code: Type.String({
      pattern: '^[A-Za-z0-9_-]{3,30}$',
      description: 'What buyers type: 3 to 30 letters, digits, hyphens or underscores. No other coupon may have it.',
    }),
    discount: Type.String({
      pattern: String.raw`^((100|[1-9]\d?)%|\d{1,8}(\.\d{1,3})?)$`,
      description: "A whole percentage from 1% to 100%, such as 25%, or an amount in the studio's currency, as 15.00.",
    }),
    target: defaulted(
      oneOf(
        ['everything', 'memberships', 'collection'],
        'What it is good for: everything, memberships, or the one collection of collection_id.',
      ),
      'everything',
    ),
    collection_id: Type.Optional(
      id(
        'collection',
        'With target collection, and only then: collection_id from list_collections or create_collection.',
      ),
    ),
    max_uses: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'How often it can be used in all. Without limit when left out.',
      }),
    ),
    max_uses_per_member: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'How often each member can use it. Without limit when left out.',
      }),
    ),
    expires_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When it stops working, in the future: ISO 8601 with an offset or Z. Never when left out.',
      }),
    ),
  },
  output: {
    coupon_id: refTo('coupon', 'The id of the coupon; no endpoint takes it.'),
    code: Type.String({ description: 'What buyers type to use it.' }),
    discount: Type.String({ description: 'A percentage such as 25%, or an amount such as 15.00 EUR.' }),
    target: Type.Enum(['everything', 'memberships', 'collection'], {
      type: 'string',
      description: 'What it is good for; collection: the one of collection_id.',
    }),
    collection_id: Type.Union([refTo('collection'), Type.Null()], {
      description: 'The collection that it is good for; null with another target.',
    }),
    max_uses: NullableCount,
    max_uses_per_member: NullableCount,
    expires_at: described(NullableMoment, 'When it stops working, in UTC; null when it never does.'),
  },
  csrf: formTicket,
  answer: 'redirect',
  after: 'GET /api/coupons',
  encode: (input, { before }) => ({
    form: {
      'promo-code': input.code,
      ...reduction(input.discount, text(fields(before['payload'])['currency'])),
      covers: covers[input.target],
      series: input.collection_id,
      'uses-total': input.max_uses,
      'uses-each': input.max_uses_per_member,
      until: toOffset(input.expires_at),
    },
  }),
  // A code is there once, in any case, and the newest coupon comes first.
  decode: (answer, { input }) => {
    const code = input.code.toLowerCase()
    return coupon(fields(rows(answer['payload']).find((row) => text(row['promo-code']).toLowerCase() === code)))
  },
})

function coupon(row: Fields) {
  const { percent, minor, currency } = fields(row['off'])
  return {
    coupon_id: row['coupon'],
    code: row['promo-code'],
    discount: percent === undefined ? amount(number(minor), text(currency)) : `${number(percent)}%`,
    target: word(targets, row['covers']),
    collection_id: row['series'],
    max_uses: row['uses-total'],
    max_uses_per_member: row['uses-each'],
    expires_at: nullableUtc(row['until']),
  }
}

function reduction(discount: string, currency: string): Fields {
  if (discount.endsWith('%')) return { 'off-kind': 'percent', 'off-value': Number(discount.slice(0, -1)) }
  const [whole = '', decimals = ''] = discount.split('.')
  const places = decimalPlaces(currency)
  if (decimals.length > places)
    throw new Unsendable('NUMBER_INVALID', `The studio's currency is ${currency}, which has ${places} decimals.`)
  return { 'off-kind': 'amount', 'off-value': Number(whole + decimals.padEnd(places, '0')) }
}

function amount(minor: number, currency: string): string {
  const places = decimalPlaces(currency)
  return `${(minor / 10 ** places).toFixed(places)} ${currency}`
}

function decimalPlaces(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
