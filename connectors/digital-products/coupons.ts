import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { fromCompact, toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableDay, NullableText, closed, day, defaulted, described, id, oneOf, refTo } from '../kit/inputs.ts'
import { product } from './previews.ts'
import { InputRejected } from '../kit/failures.ts'
import { fields, number, rows, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { decimal, hundredths } from './shared.ts'

const scope = codec({ order: 'order', product: 'ware', collection: 'shelf' })

const Coupon = {
  code: Type.String({ description: 'What buyers type at the checkout to get the discount.' }),
  discount: Type.String({
    description: "A percentage such as 12.5%, or an amount in the shop's currency such as 15.00.",
  }),
  scope: oneOf(scope.words, 'What it is good for: the whole order, one product, one collection.'),
  product_id: Type.Union([refTo('product'), Type.Null()], {
    description: 'The product of the scope product, else null.',
  }),
  collection: described(NullableText, 'The name of the collection of the scope collection, else null.'),
  uses: Type.Integer({ description: 'How often it was used.' }),
  usage_limit: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How often it can be used in all; null when there is no limit.',
  }),
  expiry_date: described(NullableDay, 'The last day on which it works, in UTC; null when it never expires.'),
}

function coupon(voucher: Fields) {
  const { off, ware, shelf, until } = voucher
  const { bp, cents } = fields(off)
  return {
    code: voucher['code'],
    discount: bp === undefined ? decimal(cents) : `${number(bp) / 100}%`,
    scope: scope.decode(voucher['covers']),
    product_id: ware === null ? null : fields(ware)['ware_no'],
    collection: shelf === null ? null : fields(shelf)['label'],
    uses: voucher['used'],
    usage_limit: voucher['use_limit'],
    expiry_date: until === null ? null : fromCompact(until),
  }
}

export const list_coupons = endpoint({
  summary: 'List the coupons of your shop with discount, scope, uses, usage limit and expiry, newest first.',
  aliases: [
    'discount codes of my shop',
    'promo codes and how often they were used',
    'which vouchers expire',
    'which codes still work',
  ],
  label: 'List coupons',
  brief: [],
  access: 'read',
  request: 'GET /my/vouchers',
  input: {},
  output: {
    coupons: Type.Array(closed(Coupon), { description: 'Newest first, with those that are over or used up.' }),
  },
  decode: ({ vouchers }) => ({ coupons: rows(vouchers).map(coupon) }),
})

export const create_coupon = endpoint({
  summary: 'Create a coupon code for a whole order, one product or one collection. Nobody is told about it.',
  aliases: [
    'new discount code',
    'promo code for one product',
    'give 20 percent off',
    'voucher for the shop',
    'something off for my newsletter readers',
    'ten percent off for everybody',
  ],
  label: 'Create a coupon',
  brief: ['code', 'discount', 'scope', 'expiry_date'],
  approval: {
    headline:
      'Create the coupon {code}: {discount} off[ {product_id}][ the collection {collection}][, until {expiry_date}][, {usage_limit|use|uses} at most]',
    button: 'Create coupon',
    consequences: [
      { kind: 'money', text: 'Who types the code pays less for the whole order', when: { scope: ['order'] } },
      {
        kind: 'money',
        text: 'Who types the code pays less for the product[, now {product_id.price}]',
        when: { scope: ['product'] },
      },
      {
        kind: 'money',
        text: 'Who types the code pays less for products of the collection',
        when: { scope: ['collection'] },
      },
      { kind: 'other', text: 'Nobody is told about it' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_coupons' }],
  preview: [product],
  verify: { read: 'list_coupons', at: 'coupons', same: { code: 'code' } },
  access: 'write',
  request: 'POST /my/vouchers',
  before: '/my/shelves',
  input: {
    code: labelled(
      'Code',
      Type.String({
        pattern: '^[A-Za-z0-9_-]{3,40}$',
        description: 'What buyers type: 3 to 40 letters, digits, hyphens or underscores. No other coupon may have it.',
      }),
    ),
    discount: labelled(
      'Discount',
      Type.String({
        pattern: String.raw`^(\d{1,3}(\.\d{1,2})?%|\d{1,6}(\.\d{1,2})?)$`,
        description:
          "A percentage from 0.01% to 100%, such as 12.5%, or an amount in the shop's currency up to 100000.00, such as 15.00.",
      }),
    ),
    scope: defaulted(
      labelled(
        'Good for',
        oneOf(
          scope.words,
          'What it is good for: the whole order, one product (with product_id) or one collection (with collection).',
        ),
      ),
      'order',
    ),
    product_id: Type.Optional(
      labelled('Product', id('product', 'Only with scope product: product_id from list_products.')),
    ),
    collection: Type.Optional(
      labelled(
        'Collection',
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: "Only with scope collection: the collection's name, as the shop or list_coupons has it.",
        }),
      ),
    ),
    usage_limit: Type.Optional(
      labelled(
        'Uses at most',
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'How often it can be used in all. Any number of times when left out.',
        }),
      ),
    ),
    expiry_date: Type.Optional(
      labelled(
        'Last day',
        day('The last day on which it works, in UTC, today or later. It never expires when left out.'),
      ),
    ),
  },
  atLeastOne: [
    { is: { scope: ['order'] } },
    { is: { scope: ['product'] }, with: ['product_id'] },
    { is: { scope: ['collection'] }, with: ['collection'] },
  ],
  output: Coupon,
  encode: (input, { before }) => ({
    json: {
      code: input.code,
      off: off(input.discount),
      covers: scope.encode(input.scope),
      ware_no: input.product_id,
      shelf_no: input.collection === undefined ? undefined : shelf(input.collection, before),
      use_limit: input.usage_limit,
      until: toCompact(input.expiry_date),
    },
  }),
  decode: ({ voucher }) => coupon(fields(voucher)),
})

function off(discount: string): Fields {
  return discount.endsWith('%') ? { bp: hundredths(discount.slice(0, -1)) } : { cents: hundredths(discount) }
}

/** The id of the shop's collection with this name, ignoring case. */
function shelf(name: string, before: Fields): string {
  const all = rows(before['shelves'])
  const found = all.filter(({ label }) => text(label).toLowerCase() === name.trim().toLowerCase())
  if (found.length === 1) return text(found[0]?.['shelf_no'])
  const names = all.map(({ label }) => `"${text(label)}"`).join(', ')
  const count = found.length === 0 ? 'no collection' : 'more than one collection'
  throw new InputRejected('COLLECTION_UNKNOWN', `The shop has ${count} named "${name}". It has: ${names}.`)
}
