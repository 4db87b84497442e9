import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { InputRejected } from '../kit/failures.ts'
import { defaulted, described, id, oneOf, refTo } from '../kit/inputs.ts'
import { fields, number, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { collection } from './previews.ts'
import { formTicket } from './proof.ts'
import { NullableMoment, ahead, nullableUtc, toOffset } from './shared.ts'

const targets = codec({ everything: 'everything', memberships: 'memberships', collection: 'one-series' })
const NullableCount = Type.Union([Type.Integer(), Type.Null()], { description: 'null when there is no limit.' })

const uses = (label: string, maximum: number, description: string) =>
  labelled(label, Type.Integer({ minimum: 1, maximum, description: `${description} Without limit when left out.` }))

export const create_coupon = endpoint({
  summary: 'Create a coupon code for everything, for memberships or for one collection. Nobody is told about it.',
  aliases: [
    'discount code for members',
    'promo code for a membership',
    'percent off a collection',
    'voucher',
    'give members ten percent off',
  ],
  label: 'Create a coupon',
  brief: ['code', 'discount', 'target', 'expires_at'],
  approval: {
    headline: 'Create the coupon {code} for {discount} off[ {target}][ {collection_id}][ until {expires_at}]',
    button: 'Create coupon',
    consequences: [
      { kind: 'money', text: 'Buyers who type the code pay less[, {max_uses|time|times} at most]' },
      { kind: 'money', text: '[Each member can use it {max_uses_per_member|time|times} at most]' },
      { kind: 'other', text: 'Nobody is told about it' },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [collection],
  access: 'write',
  request: 'POST /studio/coupons',
  before: '/api/whoami',
  input: {
    code: labelled(
      'Code',
      Type.String({
        pattern: '^[A-Za-z0-9_-]{3,30}$',
        description: 'What buyers type: 3 to 30 letters, digits, hyphens or underscores. No other coupon may have it.',
      }),
    ),
    discount: labelled(
      'Discount',
      Type.String({
        pattern: String.raw`^((100|[1-9]\d?)%|\d{1,8}(\.\d{1,3})?)$`,
        description:
          "A whole percentage from 1% to 100%, such as 25%, or an amount in the studio's currency, as 15.00.",
      }),
    ),
    target: defaulted(
      labelled(
        'Good for',
        oneOf(targets.words, 'What it is good for: everything, memberships, or the one collection of collection_id.'),
      ),
      'everything',
    ),
    collection_id: Type.Optional(
      labelled(
        'Collection',
        id(
          'collection',
          'With target collection, and only then: collection_id from list_collections or create_collection.',
        ),
      ),
    ),
    max_uses: Type.Optional(uses('Uses in all', 1_000_000, 'How often it can be used in all.')),
    max_uses_per_member: Type.Optional(uses('Uses per member', 1000, 'How often each member can use it.')),
    expires_at: Type.Optional(
      ahead('Expires at', 'When it stops working, in the future: ISO 8601 with an offset or Z. Never when left out.'),
    ),
  },
  atLeastOne: [
    { is: { target: ['everything', 'memberships'] } },
    { is: { target: ['collection'] }, with: ['collection_id'] },
  ],
  output: {
    coupon_id: refTo('coupon', 'The id of the coupon; no endpoint takes it.'),
    code: Type.String({ description: 'What buyers type to use it.' }),
    discount: Type.String({ description: 'A percentage such as 25%, or an amount such as 15.00 EUR.' }),
    target: Type.Enum(targets.words, {
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
      covers: targets.encode(input.target),
      series: input.collection_id,
      'uses-total': input.max_uses,
      'uses-each': input.max_uses_per_member,
      until: toOffset(input.expires_at),
    },
  }),
  // Codes are unique, ignoring case, and the newest coupon comes first.
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
    target: targets.decode(row['covers']),
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
    throw new InputRejected('NUMBER_INVALID', `The studio's currency is ${currency}, which has ${places} decimals.`)
  return { 'off-kind': 'amount', 'off-value': Number(whole + decimals.padEnd(places, '0')) }
}

function amount(minor: number, currency: string): string {
  const places = decimalPlaces(currency)
  return `${(minor / 10 ** places).toFixed(places)} ${currency}`
}

function decimalPlaces(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
