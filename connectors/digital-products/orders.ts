import { Type } from 'typebox'
import { toCompact } from '../kit/dates.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, day, described, id, limit, moment, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, nullableText, number, rows } from '../kit/wire.ts'
import { Note, Order, OrderDetail, note, order, orderDetail, statuses } from './order.ts'
import { OrderId, formStamp, mail, theirs, utc } from './words.ts'

const ThisOrder = refTo('order', 'The order that you named, as in list_orders.')

export const list_orders = endpoint({
  summary: 'List the orders of your shop, newest first, by buyer, product, status, shipping or day.',
  access: 'read',
  request: 'GET /my/sales',
  input: {
    email: mail("Only orders of the buyer with this email, as in an order's email."),
    order_id: Type.Optional(id('order', 'Only this order: order_id of an earlier answer.')),
    product_id: Type.Optional(id('product', 'Only orders with this product: product_id from list_products.')),
    status: Type.Optional(
      oneOf(
        ['completed', 'refunded', 'partially_refunded'],
        'Only orders of which nothing, all or some of the money went back. All when left out.',
      ),
    ),
    shipping: Type.Optional(
      oneOf(['unshipped', 'shipped'], 'Only orders with something to ship that is not, or is, on its way.'),
    ),
    from: Type.Optional(day('The first day of the orders, in UTC.')),
    to: Type.Optional(day('The last day of the orders, in UTC; it is included.')),
    limit: limit(),
    cursor,
  },
  output: {
    orders: Type.Array(closed(Order), { description: 'Newest first; empty when none fits what you asked for.' }),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) => ({
    query: {
      mail: input.email,
      sale_no: input.order_id,
      ware_no: input.product_id,
      state: theirs(statuses, input.status),
      parcel: theirs({ waiting: 'unshipped', gone: 'shipped' }, input.shipping),
      first: toCompact(input.from),
      last: toCompact(input.to),
      per: input.limit,
      pageKey: anchor,
    },
  }),
  decode: ({ sales, pageKey }, { cursor: next }) => ({
    orders: rows(sales).map(order),
    next_cursor: next(nullableText(pageKey)),
  }),
})

export const get_order = endpoint({
  summary: "Read one order with its fees, what is left for you, the buyer's answers at checkout and your notes.",
  access: 'read',
  request: 'GET /my/sales/{order_id}',
  input: { order_id: OrderId },
  output: OrderDetail,
  decode: ({ sale }) => orderDetail(fields(sale)),
})

export const add_order_note = endpoint({
  summary: 'Add a note to an order that only you can see.',
  access: 'write',
  request: 'POST /my/sales/{order_id}/remarks',
  input: {
    order_id: OrderId,
    note: Type.String({ minLength: 1, maxLength: 5000, description: 'What you want to remember about this order.' }),
  },
  output: { order_id: ThisOrder, ...Note },
  encode: (input) => ({ json: { words: input.note } }),
  decode: ({ sale_no, remark }) => ({ order_id: sale_no, ...note(remark) }),
})

export const reset_download_credits = endpoint({
  summary: "Let the buyer of an order download its files as often again as the shop's limit says.",
  access: 'write',
  request: 'POST /desk/sales/{order_id}/refill',
  input: { order_id: id('order', 'An order with files that was not wholly refunded: order_id from list_orders.') },
  output: {
    order_id: ThisOrder,
    download_credits: Type.Integer({ description: 'How often each file of the order can be downloaded now.' }),
  },
  csrf: formStamp,
  answer: 'redirect',
  encode: () => ({ form: {} }),
  decode: (_answer, { input, location }) => ({
    order_id: input.order_id,
    download_credits: number(done(location, input.order_id, 'refilled').get('fetches')),
  }),
})

export const resend_receipt = endpoint({
  summary: 'Email the receipt of an order, with the download link if it has files, to its buyer again.',
  access: 'write',
  confirm: true,
  request: 'POST /desk/sales/{order_id}/receipt',
  input: { order_id: OrderId },
  output: {
    order_id: ThisOrder,
    email: Type.String({ description: 'Where it was sent.' }),
    sent_at: described(moment, 'When the email went out, in UTC.'),
  },
  csrf: formStamp,
  answer: 'redirect',
  after: 'GET /my/sales/{order_id}',
  encode: () => ({ form: {} }),
  decode: ({ sale }, { input, location }) => ({
    order_id: input.order_id,
    email: fields(sale)['buyer_mail'],
    sent_at: utc(done(location, input.order_id, 'receipt').get('sent')),
  }),
})

export const block_customer = endpoint({
  summary: 'Put the buyer of an order on the Blocked List, so that they can buy nothing more in your shop.',
  access: 'write',
  confirm: true,
  request: 'POST /desk/sales/{order_id}/bar',
  input: { order_id: id('order', 'An order of the customer: order_id from list_orders.') },
  output: {
    order_id: ThisOrder,
    email: Type.String({ description: 'Who is blocked.' }),
    blocked: Type.Literal(true, { description: 'They stand on the Blocked List now, and can buy nothing more.' }),
  },
  csrf: formStamp,
  answer: 'redirect',
  after: 'GET /my/sales/{order_id}',
  encode: () => ({ form: {} }),
  decode: ({ sale }, { input, location }) => {
    done(location, input.order_id, 'barred')
    const { buyer_mail, buyer_barred } = fields(sale)
    return { order_id: input.order_id, email: buyer_mail, blocked: buyer_barred }
  },
})

/** Forms lead back to the order's page, with what was done to it. */
function done(location: string, order_id: string, what: string): URLSearchParams {
  const page = `desk/sales/${encodeURIComponent(order_id)}?`
  const said = new URLSearchParams(location.slice(page.length))
  if (!location.startsWith(page) || said.get('done') !== what) throw new UnknownShape('led elsewhere')
  return said
}
