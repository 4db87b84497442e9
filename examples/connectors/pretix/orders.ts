import {
  NullableDay,
  NullableText,
  Type,
  UnknownShape,
  closed,
  cursor,
  described,
  endpoint,
  labelled,
  nextCursor,
  oneOf,
  select,
} from '@callgate/kit'
import { Status, emailIn, orderOn, statusOf } from './order-page.ts'
import { shownEvent, shownOrder } from './previews.ts'
import { invalidForm, saysNo } from './refusals.ts'
import {
  Amount,
  EventId,
  EventRef,
  LocalTime,
  OrderId,
  OrderRef,
  amount,
  cell,
  count,
  done,
  localTime,
  nextPage,
  segments,
  tableRows,
  token,
} from './shared.ts'

const filters = { pending: 'n', paid: 'p', expired: 'e', canceled: 'c', approval_pending: 'pa', overdue: 'o' } as const

const Email = labelled('Contact email', NullableText)
const Total = labelled('Total', Amount)

export const list_orders = endpoint({
  summary: 'List the orders of an event, last placed first.',
  label: 'List orders',
  brief: ['event_id', 'status', 'search'],
  access: 'read',
  request: 'GET /control/event/{event_id}/{event_id}/orders/',
  answer: 'page',
  segments,
  input: {
    event_id: EventId,
    search: labelled(
      'Search',
      Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Only orders with this in code, email or a name.' }),
      ),
    ),
    status: labelled(
      'Status',
      Type.Optional(
        oneOf(
          ['pending', 'paid', 'expired', 'canceled', 'approval_pending', 'overdue'],
          'Only these; all when left out.',
        ),
      ),
    ),
    cursor,
  },
  output: {
    orders: Type.Array(
      closed({
        order_id: OrderRef,
        email: Email,
        ordered: LocalTime,
        paid: Amount,
        total: Total,
        positions: Type.Integer({ description: 'How many tickets and other products it has.' }),
        status: Status,
      }),
    ),
    next_cursor: nextCursor,
  },
  encode: ({ search, status }, { anchor }) => ({
    query: { query: search, status: status && filters[status], page: anchor },
  }),
  decode: (_fields, { page, cursor: next }) => {
    const at = select(page)
    const found = tableRows(at, () => at.optional('table.table > tfoot th:nth-child(4)')?.text() === '0 orders')
    return {
      orders: found.map((row) => {
        const [paid, total] = amounts(cell(row, -3).text())
        return {
          order_id: row.select('a[href*="/orders/"]').text(),
          email: emailIn(cell(row, -5).text()),
          ordered: localTime(cell(row, -4).text()),
          paid,
          total,
          positions: count(cell(row, -2).text()),
          status: statusOf(cell(row, -1).select('.label')),
        }
      }),
      next_cursor: next(nextPage(at, found)),
    }
  },
})

/** `€0.00 / €49.00`, with badges before and after. */
function amounts(written: string): readonly [string, string] {
  const found = [...written.matchAll(/-?[^\d\s/-]*\d[\d,]*(?:\.\d+)?/g)].map(([one]) => amount(one))
  const [paid, total, ...more] = found
  if (paid === undefined || total === undefined || more.length > 0)
    throw new UnknownShape('not what is paid, and the total')
  return [paid, total]
}

export const get_order = endpoint({
  summary: 'Read an order: who ordered it, what it has, what was paid, and what the team noted.',
  label: 'Read an order',
  brief: ['order_id', 'event_id'],
  access: 'read',
  request: 'GET /control/event/{event_id}/{event_id}/orders/{order_id}/',
  answer: 'page',
  segments,
  input: { event_id: EventId, order_id: OrderId },
  output: {
    event_id: EventRef,
    order_id: OrderRef,
    status: Status,
    email: Email,
    ordered: LocalTime,
    expires: Type.Union([LocalTime, Type.Null()], {
      description: 'Until when it can be paid; null where nothing is to be paid.',
    }),
    total: Total,
    positions: labelled(
      'Tickets and products',
      Type.Array(
        closed({
          number: Type.Integer({ description: 'Within the order.' }),
          product: labelled('Product', Type.String({ description: 'With its variation.' })),
          price: labelled('Price', Amount),
          attendee_name: labelled('Attendee', NullableText),
          attendee_email: labelled('Email', NullableText),
          canceled: Type.Boolean({ description: 'Whether this one was cancelled.' }),
        }),
      ),
    ),
    payments: Type.Array(
      closed({
        payment: Type.String({ description: 'Its number.' }),
        amount: Amount,
        status: Type.String({ description: 'In the words of pretix: created, confirmed, canceled.' }),
      }),
    ),
    comment: labelled('Comment', Type.String({ description: 'What the team noted; visitors do not see it.' })),
    follow_up: labelled('Follow up', NullableDay),
    needs_attention: labelled('Needs attention', Type.Boolean({ description: 'Whether the check-in app warns.' })),
    check_in_text: labelled('Check-in text', described(NullableText, 'What the check-in app shows; null: nothing.')),
  },
  decode: (_fields, { page, input }) => ({ event_id: input.event_id, ...orderOn(page) }),
})

export const comment_order = endpoint({
  summary: 'Change what the team noted on an order: the comment, and what the check-in shows. Visitors are not told.',
  label: 'Note on an order',
  brief: ['order_id', 'comment'],
  effect: 'changes',
  shownBy: [{ read: 'get_order', from: { event_id: 'event_id', order_id: 'order_id' } }],
  preview: [shownOrder, shownEvent],
  verify: {
    read: 'get_order',
    from: { event_id: 'event_id', order_id: 'order_id' },
    same: {
      comment: 'comment',
      needs_attention: 'needs_attention',
      check_in_text: 'check_in_text',
      follow_up: 'follow_up',
    },
  },
  access: 'write',
  request: 'POST /control/event/{event_id}/{event_id}/orders/{order_id}/comment',
  segments,
  input: {
    event_id: EventId,
    order_id: OrderId,
    comment: labelled(
      'Comment',
      Type.String({ maxLength: 5000, description: 'What it says from now on, in place of what it said.' }),
    ),
    needs_attention: labelled(
      'Needs attention',
      Type.Optional(Type.Boolean({ description: 'Whether the check-in app warns; as it is when left out.' })),
    ),
    check_in_text: labelled(
      'Check-in text',
      Type.Optional(
        Type.String({ maxLength: 200, description: 'What the check-in app shows; as it is when left out.' }),
      ),
    ),
    follow_up: labelled(
      'Follow up',
      Type.Optional(
        Type.String({
          format: 'date',
          description: 'When to come back to it; as it is when left out. Written YYYY-MM-DD.',
        }),
      ),
    ),
  },
  output: { event_id: EventRef, order_id: OrderRef, comment: Type.String({ description: 'What it says now.' }) },
  csrf: token.csrf,
  form: {
    page: 'GET /control/event/{event_id}/{event_id}/orders/{order_id}/',
    selector: 'form[action$="/comment"]',
    fields: ['comment', 'custom_followup_at', 'checkin_attention', 'checkin_text'],
    volatile: token.volatile,
    labels: { checkin_attention: 'needs_attention', checkin_text: 'check_in_text', custom_followup_at: 'follow_up' },
    set: ({ comment, needs_attention, check_in_text, follow_up }) => ({
      comment,
      checkin_attention: needs_attention,
      checkin_text: check_in_text,
      custom_followup_at: follow_up,
    }),
  },
  answer: 'redirect',
  after: 'location',
  failure: saysNo,
  decode: (_fields, { page, input, location }) => {
    done(location, input.event_id, `orders/${input.order_id}/`)
    const order = orderOn(page)
    if (inOneWay(order.comment) !== inOneWay(input.comment)) throw new UnknownShape('the comment is not what was sent')
    return { event_id: input.event_id, order_id: order.order_id, comment: order.comment }
  },
})

/** pretix keeps line breaks as browsers send them, and no spaces around the text. */
function inOneWay(words: string): string {
  return words.replaceAll(/\r\n?/g, '\n').trim()
}

export const change_order_email = endpoint({
  summary:
    'Change the email address that an order is reached at. Nobody is told; mail goes to the new address from then on.',
  label: 'Change the contact email',
  brief: ['order_id', 'email'],
  effect: 'changes',
  shownBy: [{ read: 'get_order', from: { event_id: 'event_id', order_id: 'order_id' } }],
  preview: [shownOrder, shownEvent],
  verify: { read: 'get_order', from: { event_id: 'event_id', order_id: 'order_id' }, same: { email: 'email' } },
  access: 'write',
  request: 'POST /control/event/{event_id}/{event_id}/orders/{order_id}/contact',
  segments,
  input: {
    event_id: EventId,
    order_id: OrderId,
    email: labelled('Contact email', Type.String({ format: 'email', maxLength: 254, description: 'The new address.' })),
  },
  output: {
    event_id: EventRef,
    order_id: OrderRef,
    email: Type.String({ description: 'The address that it has now.' }),
  },
  csrf: token.csrf,
  form: {
    page: 'GET /control/event/{event_id}/{event_id}/orders/{order_id}/contact',
    selector: 'form:has([name="email"])',
    fields: ['email_known_to_work', 'regenerate_secrets'],
    volatile: token.volatile,
    // Whoever confirmed the old address did not confirm this one.
    set: ({ email }) => ({ email, email_known_to_work: false }),
  },
  answer: 'redirect',
  failure: invalidForm,
  decode: (_fields, { input, location }) => {
    done(location, input.event_id, `orders/${input.order_id}/`)
    return { event_id: input.event_id, order_id: input.order_id, email: input.email }
  },
})
