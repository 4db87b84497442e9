import { Type } from 'typebox'
import { toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, day, described, id, limit, moment, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { fields, nullableText, number, rows } from '../kit/wire.ts'
import { Note, Order, OrderDetail, note, order, orderDetail, orderStatus } from './order.ts'
import { order as thisOrder } from './previews.ts'
import { OrderId, formStamp, mail, utc } from './shared.ts'

const parcels = { unshipped: 'waiting', shipped: 'gone' } as const

const ThisOrder = refTo('order', 'The order that you named, as in list_orders.')

export const list_orders = endpoint({
  summary: 'List the orders of your shop, newest first, by buyer, product, status, shipping or day.',
  aliases: [
    'recent purchases',
    'who bought my ebook',
    'orders of a buyer',
    'sales this week',
    'unshipped orders',
    'latest customers',
    'what came in today',
    'did somebody buy the template',
    'has that person bought anything',
  ],
  label: 'List orders',
  brief: ['email', 'status', 'from', 'to'],
  access: 'read',
  request: 'GET /my/sales',
  input: {
    email: mail("Only orders of the buyer with this email, as in an order's email."),
    order_id: Type.Optional(labelled('Order', id('order', 'Only this order: order_id of an earlier answer.'))),
    product_id: Type.Optional(
      labelled('Product', id('product', 'Only orders with this product: product_id from list_products.')),
    ),
    status: Type.Optional(
      labelled(
        'Status',
        oneOf(
          orderStatus.words,
          'Only orders of which nothing, all or some of the money went back. All when left out.',
        ),
      ),
    ),
    shipping: Type.Optional(
      labelled(
        'Shipping',
        oneOf(['unshipped', 'shipped'], 'Only orders with something to ship that is not, or is, on its way.'),
      ),
    ),
    from: Type.Optional(labelled('First day', day('The first day of the orders, in UTC.'))),
    to: Type.Optional(labelled('Last day', day('The last day of the orders, in UTC; it is included.'))),
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
      state: input.status && orderStatus.encode(input.status),
      parcel: input.shipping && parcels[input.shipping],
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
  aliases: [
    'details of an order',
    'what did the buyer answer at checkout',
    'how much is left for me of an order',
    'order fees',
    'what did they pay and what is left for me',
  ],
  label: 'Read an order',
  brief: ['order_id'],
  access: 'read',
  request: 'GET /my/sales/{order_id}',
  input: { order_id: OrderId },
  output: OrderDetail,
  decode: ({ sale }) => orderDetail(fields(sale)),
})

export const add_order_note = endpoint({
  summary: 'Add a note to an order that only you can see.',
  aliases: [
    'remark on an order',
    'write an internal note on a purchase',
    'private memo on an order',
    'jot down on the order, only for me',
  ],
  label: 'Add a note to an order',
  brief: ['order_id', 'note'],
  approval: {
    headline: 'Add a note to the order[ of {order_id.email}]: {note}',
    button: 'Add note',
    consequences: [{ kind: 'other', text: 'Only you can see it; nobody is told' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_order', from: { order_id: 'order_id' } }],
  preview: [{ ...thisOrder, matters: ['email'] }],
  verify: {
    read: 'get_order',
    from: { order_id: 'order_id' },
    at: 'notes',
    id: 'note_id',
    same: { note: 'note' },
    since: 'date',
  },
  access: 'write',
  request: 'POST /my/sales/{order_id}/remarks',
  input: {
    order_id: OrderId,
    note: labelled(
      'Note',
      Type.String({ minLength: 1, maxLength: 5000, description: 'What you want to remember about this order.' }),
    ),
  },
  output: { order_id: ThisOrder, ...Note },
  encode: (input) => ({ json: { words: input.note } }),
  decode: ({ sale_no, remark }) => ({ order_id: sale_no, ...note(remark) }),
})

export const reset_download_credits = endpoint({
  summary: "Let the buyer of an order download its files as often again as the shop's limit says.",
  aliases: [
    'buyer ran out of downloads',
    'allow more downloads',
    'download limit reached',
    'let them download again',
    'he has used up his downloads',
    'let her fetch the file once more',
  ],
  label: 'Reset downloads of an order',
  brief: ['order_id'],
  approval: {
    headline: 'Reset the downloads of the order[ of {order_id.email}][, made {order_id.date}]',
    button: 'Reset downloads',
    consequences: [
      { kind: 'other', text: 'The buyer can download its files again, as often as the shop’s limit says' },
      { kind: 'other', text: 'Nobody is told' },
    ],
  },
  effect: 'changes',
  shownBy: [],
  preview: [{ ...thisOrder, needs: { status: ['completed', 'partially_refunded'] } }],
  access: 'write',
  request: 'POST /desk/sales/{order_id}/refill',
  input: {
    order_id: described(OrderId, 'An order with files that was not wholly refunded: order_id from list_orders.'),
  },
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
  aliases: [
    'send the receipt again',
    'buyer lost the download link',
    'email the invoice of an order again',
    'customer did not get the email',
    'she never got her email',
    'his download link is gone, mail it again',
  ],
  label: 'Resend a receipt',
  brief: ['order_id'],
  approval: {
    headline: 'E-mail the receipt again[ to {order_id.email}][ for the order of {order_id.date}]',
    button: 'Send receipt',
    consequences: [{ kind: 'people', text: 'The buyer gets an e-mail, with the download link if there are files' }],
  },
  effect: 'adds',
  shownBy: [],
  preview: [thisOrder],
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
  aliases: [
    'ban a buyer',
    'blacklist a customer',
    'stop somebody from buying',
    'fraudulent buyer',
    'that person must never buy here again',
    'keep this fraud out',
  ],
  label: 'Block a customer',
  brief: ['order_id'],
  approval: {
    headline: 'Block the buyer[ {order_id.email}] from your shop',
    button: 'Block buyer',
    consequences: [
      { kind: 'people', text: 'They can buy nothing more in your shop' },
      { kind: 'other', text: 'Agents cannot unblock them' },
    ],
  },
  effect: 'changes',
  shownBy: [],
  preview: [thisOrder],
  access: 'write',
  confirm: true,
  request: 'POST /desk/sales/{order_id}/bar',
  input: { order_id: described(OrderId, 'An order of the customer: order_id from list_orders.') },
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

/** Forms redirect to the order's page; the query names the outcome. */
function done(location: string, order_id: string, what: string): URLSearchParams {
  return ledTo(location, `desk/sales/${encodeURIComponent(order_id)}`, { done: what }).query
}
