import { AppRefused, Type, UnknownShape, defaulted, endpoint, labelled, select } from '@callgate/kit'
import { Status, orderOn, statusOf } from './order-page.ts'
import { shownEvent, shownOrder } from './previews.ts'
import { invalidForm, saysNo } from './refusals.ts'
import { EventId, EventRef, OrderId, OrderRef, done, segments, token } from './shared.ts'

const shownBy = [{ read: 'get_order', from: { event_id: 'event_id', order_id: 'order_id' } }]
const output = { event_id: EventRef, order_id: OrderRef, status: Status }
const verify = {
  read: 'get_order',
  from: { event_id: 'event_id', order_id: 'order_id' },
  same: { order_id: 'order_id' },
}
const Notify = labelled(
  'Tell the customer',
  defaulted(Type.Boolean({ description: 'Whether pretix sends them an email about it.' }), true),
)
const orderPage = 'GET /control/event/{event_id}/{event_id}/orders/{order_id}/'

/** The order as it is afterwards, where it is not as it was. */
function nowOn(
  page: string,
  input: { readonly event_id: string; readonly order_id: string },
  wanted: readonly string[],
) {
  const { order_id, status } = orderOn(page)
  if (order_id !== input.order_id || !wanted.includes(status)) throw new UnknownShape('the order is as it was')
  return { event_id: input.event_id, order_id, status }
}

export const mark_order_paid = endpoint({
  summary:
    'Note that an order was paid in full outside of pretix. Its tickets are good from then on, and the customer gets them by email.',
  label: 'Mark as paid',
  brief: ['order_id', 'tell_customer'],
  effect: 'changes',
  shownBy,
  preview: [{ ...shownOrder, needs: { status: ['pending', 'pending_confirmed', 'expired'] } }, shownEvent],
  verify: { ...verify, is: { status: ['paid'] } },
  access: 'write',
  confirm: true,
  request: 'POST /control/event/{event_id}/{event_id}/orders/{order_id}/transition',
  segments,
  input: {
    event_id: EventId,
    order_id: OrderId,
    paid_on: labelled(
      'Paid on',
      Type.Optional(
        Type.String({
          format: 'date',
          description: 'The day of the payment; today when left out. Written YYYY-MM-DD.',
        }),
      ),
    ),
    tell_customer: Notify,
  },
  output,
  csrf: token.csrf,
  form: {
    page: 'GET /control/event/{event_id}/{event_id}/orders/{order_id}/transition',
    query: { status: 'p' },
    selector: 'form:has([name="payment_date"])',
    fields: ['status', 'amount', 'payment_date'],
    volatile: token.volatile,
    labels: { payment_date: 'paid_on', send_email: 'tell_customer' },
    set: ({ paid_on, tell_customer }) => ({ payment_date: paid_on, send_email: tell_customer }),
  },
  answer: 'redirect',
  after: orderPage,
  afterAnswer: 'page',
  failure: [...invalidForm, saysNo],
  decode: (_fields, { page, input, location }) => {
    done(location, input.event_id, `orders/${input.order_id}/`)
    return nowOn(page, input, ['paid'])
  },
})

export const cancel_order = endpoint({
  summary: 'Cancel an order for good: its tickets are no longer valid. What was paid is not sent back by this.',
  label: 'Cancel an order',
  brief: ['order_id', 'message', 'tell_customer'],
  effect: 'removes',
  shownBy,
  preview: [shownOrder, shownEvent],
  verify: { ...verify, is: { status: ['canceled'] } },
  access: 'write',
  confirm: true,
  request: 'POST /control/event/{event_id}/{event_id}/orders/{order_id}/transition',
  segments,
  input: {
    event_id: EventId,
    order_id: OrderId,
    message: labelled(
      'Message',
      Type.Optional(Type.String({ maxLength: 1000, description: 'What the email to the customer says about it.' })),
    ),
    tell_customer: Notify,
  },
  output,
  csrf: token.csrf,
  form: {
    page: 'GET /control/event/{event_id}/{event_id}/orders/{order_id}/transition',
    query: { status: 'c' },
    selector: 'form:has([name="cancellation_fee"])',
    fields: ['status'],
    volatile: token.volatile,
    labels: { comment: 'message', send_email: 'tell_customer' },
    set: ({ message, tell_customer }) => ({ comment: message, send_email: tell_customer, cancellation_fee: null }),
  },
  answer: 'redirect',
  after: orderPage,
  afterAnswer: 'page',
  failure: [...invalidForm, saysNo],
  decode: (_fields, { page, input, location }) => {
    // One that was paid leads to where the money can be sent back.
    done(location, input.event_id, new RegExp(`^orders/${input.order_id}/(?:refund)?$`))
    return nowOn(page, input, ['canceled'])
  },
})

export const approve_order = endpoint({
  summary:
    'Approve an order that waits for it; the customer gets an email, with the tickets where nothing is to be paid.',
  label: 'Approve an order',
  brief: ['order_id'],
  effect: 'changes',
  shownBy,
  preview: [{ ...shownOrder, needs: { status: ['approval_pending'] } }, shownEvent],
  verify: { ...verify, is: { status: ['paid', 'pending'] } },
  access: 'write',
  confirm: true,
  request: 'POST /control/event/{event_id}/{event_id}/orders/{order_id}/approve',
  segments,
  input: { event_id: EventId, order_id: OrderId },
  output,
  // pretix leads to the order just the same where it had nothing to approve.
  before: {
    was: {
      request: orderPage,
      answer: 'page',
      take: (_fields, { page }) => ({ status: statusOf(select(page, '#page-wrapper h1 .label.pull-right')) }),
    },
  },
  csrf: token.csrf,
  form: {
    page: 'GET /control/event/{event_id}/{event_id}/orders/{order_id}/approve',
    selector: 'form:has(.checkout-button-row)',
    fields: [],
    volatile: token.volatile,
    set: () => ({}),
  },
  answer: 'redirect',
  after: orderPage,
  afterAnswer: 'page',
  failure: saysNo,
  decode: (_fields, { page, input, location, before }) => {
    done(location, input.event_id, `orders/${input.order_id}/`)
    if (JSON.stringify(before['was']) !== '{"status":"approval_pending"}')
      throw new AppRefused('nothing_to_approve', 'This order did not wait to be approved.')
    return nowOn(page, input, ['paid', 'pending'])
  },
})
