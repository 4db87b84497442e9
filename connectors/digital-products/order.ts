import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { NullableText, closed, described, moment, oneOf, refTo } from '../kit/inputs.ts'
import { fields, rows } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { Decimal, decimal, utc } from './shared.ts'

const inCurrency = { field: 'currency' }

export const orderStatus = codec({ completed: 'complete', refunded: 'returned', partially_refunded: 'part_returned' })

export const Order = {
  order_id: refTo('order', 'Pass it to get_order, add_order_note, resend_receipt and block_customer.'),
  email: labelled('Buyer', Type.String({ description: "The buyer's email address, where the receipt goes." })),
  items: Type.Array(
    closed({
      product_id: refTo('product', 'What was bought; product_id of list_products.'),
      name: Type.String({ description: 'The name under which it was sold.' }),
      quantity: Type.Integer({ description: 'How many copies of it were bought.' }),
    }),
    { description: 'What the order is made up of, one entry for each product.' },
  ),
  amount_gross: labelled('Paid', Decimal('What the buyer paid, after coupons, before refunds and fees', inCurrency)),
  currency: Type.String({ description: "The shop's currency, three letters such as EUR, of all amounts here." }),
  status: labelled('Status', oneOf(orderStatus.words, 'Whether all or some of the money went back.')),
  coupon_code: described(NullableText, 'The code that the buyer used, as in list_coupons; null for none.'),
  date: labelled('Made at', described(moment, 'When the order was made, in UTC.')),
}

export const Note = {
  note_id: refTo('note', "The app's own id of the note; no endpoint takes it."),
  note: Type.String({ description: 'The text of the note, which only the shop sees.' }),
  date: described(moment, 'When the note was added, in UTC.'),
}

export const OrderDetail = {
  ...Order,
  payment_type: Type.String({ description: 'Such as card, paypal or apple_pay; none for a free order.' }),
  processor_fee: Decimal('What the payment processor took', inCurrency),
  platform_fee: Decimal("The app's own fee", inCurrency),
  amount_net: Decimal('What is left of amount_gross after refunds and both fees', inCurrency),
  checkout_responses: Type.Array(
    closed({
      question: Type.String({ description: 'What the checkout asked the buyer.' }),
      answer: Type.String({ description: 'What the buyer wrote there; may be empty.' }),
    }),
    { description: 'What the buyer was asked at the checkout; empty when nothing was.' },
  ),
  notes: Type.Array(closed(Note), {
    description: 'Notes that only the shop sees, oldest first; add_order_note adds one.',
  }),
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
    status: orderStatus.decode(sale['state']),
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
