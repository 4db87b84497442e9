import { Type } from 'typebox'
import { closed, moment, oneOf } from '../inputs.ts'
import { fields, rows, word } from '../wire.ts'
import type { Fields } from '../wire.ts'
import { Decimal, decimal, utc } from './words.ts'

/** The app's words for the status of an order, and ours. */
export const statuses = { complete: 'completed', returned: 'refunded', part_returned: 'partially_refunded' } as const

export const Order = {
  order_id: Type.String(),
  email: Type.String(),
  items: Type.Array(
    closed({
      product_id: Type.String(),
      name: Type.String({ description: 'The name under which it was sold.' }),
      quantity: Type.Integer(),
    }),
  ),
  amount_gross: Decimal,
  currency: Type.String(),
  status: oneOf(['completed', 'refunded', 'partially_refunded'], 'Whether all or some of the money went back.'),
  coupon_code: Type.Union([Type.String(), Type.Null()]),
  date: moment,
}

export const Note = {
  note_id: Type.String(),
  note: Type.String(),
  date: moment,
}

export const OrderDetail = {
  ...Order,
  payment_type: Type.String({ description: 'Such as card, paypal or apple_pay; none for a free order.' }),
  processor_fee: Decimal,
  platform_fee: Decimal,
  amount_net: Decimal,
  checkout_responses: Type.Array(closed({ question: Type.String(), answer: Type.String() })),
  notes: Type.Array(closed(Note)),
}

export function order(sale: Fields) {
  return {
    order_id: sale['sale_no'],
    email: sale['buyer_mail'],
    items: rows(sale['lines']).map(({ ware_no, label, copies }) => ({
      product_id: ware_no,
      name: label,
      quantity: copies,
    })),
    amount_gross: decimal(sale['total_cents']),
    currency: sale['cur'],
    status: word(statuses, sale['state']),
    coupon_code: sale['voucher'],
    date: utc(sale['sold']),
  }
}

export function orderDetail(sale: Fields) {
  return {
    ...order(sale),
    payment_type: sale['paid_by'],
    processor_fee: decimal(sale['processor_cut']),
    platform_fee: decimal(sale['house_cut']),
    amount_net: decimal(sale['kept_cents']),
    checkout_responses: rows(sale['answers']).map(({ asked, said }) => ({ question: asked, answer: said })),
    notes: rows(sale['remarks']).map(note),
  }
}

export function note(remark: unknown) {
  const { remark_no, words, put } = fields(remark)
  return { note_id: remark_no, note: words, date: utc(put) }
}
