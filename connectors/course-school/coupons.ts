import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableDay, closed, day, defaulted, described, id, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, number, rows, text, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { couponInUse } from './previews.ts'
import { formOn, formSaid, ref } from './shared.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const statuses = { on: 'active', lapsed: 'expired', sold_out: 'sold_out', filed: 'archived' } as const

const properties = {
  coupon_id: refTo('coupon', 'Pass it to archive_coupon to stop the code.'),
  name: Type.String({ description: 'Your own name for it; the code when you gave none.' }),
  code: Type.String({ description: 'What buyers type to get the discount, in capitals.' }),
  discount: labelled(
    'Discount',
    Type.String({ description: 'A percentage such as 25%, or an amount such as 15.00 EUR.' }),
  ),
  applies_to: labelled(
    'Applies to',
    Type.String({
      description: 'all_products; courses, bundles, coaching or downloads; or plan: and the number of a pricing plan.',
    }),
  ),
  expires_at: labelled(
    'Last day',
    described(NullableDay, 'The last day on which it works; null when it never expires.'),
  ),
  quantity: labelled(
    'Uses at most',
    Type.Union([Type.Integer(), Type.Null()], {
      description: 'How often it can be used in all; null when there is no limit.',
    }),
  ),
  used: labelled('Used so far', Type.Integer({ description: 'How often buyers have used it so far.' })),
  status: labelled(
    'Status',
    Type.Enum(Object.values(statuses), {
      type: 'string',
      description: 'Only an active one works; expired: its last day is over; sold_out: quantity is used up.',
    }),
  ),
}

export const list_coupons = endpoint({
  summary: 'List the coupons of your school, newest first.',
  aliases: ['discount codes of the school', 'which promo codes are active'],
  label: 'List coupons',
  brief: [],
  access: 'read',
  request: 'GET /api/schools/mine/coupons',
  input: {
    include_archived: defaulted(
      labelled('Archived ones too', Type.Boolean({ description: 'true to list archived coupons too.' })),
      false,
    ),
  },
  output: {
    coupons: Type.Array(closed(properties), {
      description: 'Newest first; archived ones only when you asked for them.',
    }),
  },
  encode: ({ include_archived }) => ({ query: { filed: include_archived ? '1' : '0' } }),
  decode: (answer) => ({ coupons: rows(answer['rows']).map(coupon) }),
})

export const create_coupon = endpoint({
  summary: 'Create a coupon code for all products, one product type or one pricing plan.',
  aliases: ['new discount code', 'percent off a course', 'promo code for students', 'voucher'],
  label: 'Create a coupon',
  brief: ['code', 'discount', 'applies_to', 'expires_at'],
  approval: {
    headline: 'Create the coupon {code} for {discount} off[ until {expires_at}][, for {quantity|use|uses} at most]',
    button: 'Create coupon',
    consequences: [
      { kind: 'money', text: 'Buyers who type the code pay less; nobody is told about it' },
      { kind: 'other', text: 'Good for all products', when: { applies_to: ['all_products'] } },
      { kind: 'other', text: 'Good for courses only', when: { applies_to: ['courses'] } },
      { kind: 'other', text: 'Good for bundles only', when: { applies_to: ['bundles'] } },
      { kind: 'other', text: 'Good for coaching only', when: { applies_to: ['coaching'] } },
      { kind: 'other', text: 'Good for downloads only', when: { applies_to: ['downloads'] } },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_coupons' }],
  preview: [],
  verify: { read: 'list_coupons', at: 'coupons', id: 'coupon_id', same: { code: 'code' } },
  access: 'write',
  request: 'POST /schools/mine/coupons',
  input: {
    code: labelled(
      'Code',
      Type.String({
        pattern: '^[A-Za-z0-9_-]{3,32}$',
        description: 'What buyers type: 3 to 32 letters, digits, hyphens or underscores; kept in capitals.',
      }),
    ),
    discount: labelled(
      'Discount',
      Type.String({
        pattern: String.raw`^(\d{1,3}(\.\d)?%|\d{1,6}(\.\d{1,2})?)$`,
        description:
          "A percentage from 0.1% to 100%, such as 25%, or an amount in the school's currency, such as 15.00.",
      }),
    ),
    applies_to: defaulted(
      labelled(
        'Applies to',
        Type.String({
          pattern: String.raw`^(all_products|courses|bundles|coaching|downloads|plan:\d{1,15})$`,
          description:
            'all_products; a product type: courses, bundles, coaching or downloads; or a pricing plan: plan: and its number in the school, such as plan:160002.',
        }),
      ),
      'all_products',
    ),
    name: Type.Optional(
      labelled('Name', Type.String({ maxLength: 120, description: 'Your own name for it. Default: the code.' })),
    ),
    expires_at: Type.Optional(
      labelled('Last day', day('The last day on which it works, today or later. Default: it never expires.')),
    ),
    quantity: Type.Optional(
      labelled(
        'Uses at most',
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'How often it can be used in all. Default: as often as people like.',
        }),
      ),
    ),
  },
  output: properties,
  csrf: formOn('/coupons/new'),
  answer: 'redirect',
  after: 'GET /api/schools/mine/coupons',
  encode: ({ code, discount, applies_to, name, expires_at, quantity }) => ({
    form: {
      code,
      label: name,
      ...(discount.endsWith('%') ? { percent: discount.slice(0, -1) } : { amount: discount }),
      ...covering(applies_to),
      ends: expires_at === undefined ? undefined : toDayName(expires_at),
      stock: quantity,
    },
  }),
  // Only one active coupon can have this code, so it is the new one.
  decode: (answer, { input }) => {
    const created = rows(answer['rows']).find(({ code }) => code === input.code.toUpperCase())
    return coupon(fields(created))
  },
})

export const archive_coupon = endpoint({
  summary: 'Archive a coupon: its code stops working and can be used for a new one.',
  aliases: [
    'disable a discount code',
    'stop a promo code',
    'deactivate a coupon',
    'retire a voucher',
    'nobody should be able to use the code any more',
  ],
  label: 'Archive a coupon',
  brief: ['coupon_id'],
  approval: {
    headline: 'Archive the coupon[ {coupon_id}][, {coupon_id.discount} off][, used {coupon_id.used|time|times} so far]',
    button: 'Archive coupon',
    consequences: [
      { kind: 'money', text: 'Its code stops working: buyers no longer get the discount' },
      { kind: 'other', text: 'The code can be used for a new coupon' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'list_coupons', set: { include_archived: true } }],
  preview: [couponInUse],
  access: 'write',
  request: 'POST /schools/mine/coupons/{coupon_id}/file',
  input: { coupon_id: labelled('Coupon', id('coupon', 'Which coupon: coupon_id from list_coupons.')) },
  output: {
    coupon_id: refTo('coupon', 'The coupon that is archived now, as in list_coupons.'),
    status: Type.Literal('archived', { description: 'Its code has stopped working and can be used again.' }),
  },
  csrf: formOn('/coupons/{coupon_id}'),
  answer: 'redirect',
  encode: () => ({ form: {} }),
  decode: (_answer, { location }) => ({
    coupon_id: formSaid(location, /^\/coupons\/(?<coupon>\d+)\?filed=1$/)['coupon'],
    status: 'archived',
  }),
})

function coupon(row: Fields) {
  const { off, covers, ends } = row
  return {
    coupon_id: ref(row['no']),
    name: row['label'],
    code: row['code'],
    discount: reduction(fields(off)),
    applies_to: covered(fields(covers)),
    expires_at: ends === null ? null : fromDayName(ends),
    quantity: row['stock'],
    used: row['redeemed'],
    status: word(statuses, row['state']),
  }
}

function reduction({ percent, amount, currency }: Fields): string {
  return percent === undefined ? `${text(amount)} ${text(currency)}` : `${number(percent)}%`
}

function covered({ scope, type, plan }: Fields): string {
  if (scope === 'type') return text(type)
  return scope === 'plan' ? `plan:${ref(plan)}` : word({ everything: 'all_products' }, scope)
}

function covering(applies_to: string): Fields {
  if (applies_to === 'all_products') return { scope: 'everything' }
  return applies_to.startsWith('plan:')
    ? { scope: 'plan', plan: applies_to.slice('plan:'.length) }
    : { scope: 'type', type: applies_to }
}

/** Converts `05 Nov 2026` into an ISO day. */
function fromDayName(value: unknown): string {
  const [date = '', name = '', year = ''] = text(value).split(' ')
  const month = months.indexOf(name) + 1
  if (month === 0) throw new UnknownShape('not a date as 05 Nov 2026')
  return `${year}-${String(month).padStart(2, '0')}-${date}`
}

function toDayName(value: string): string {
  const [year = '', month, date = ''] = value.split('-')
  return `${date} ${months[Number(month) - 1]} ${year}`
}
