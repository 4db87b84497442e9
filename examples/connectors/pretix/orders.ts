import { NullableDay, NullableText, Type, UnknownShape, closed, cursor, endpoint, labelled, nextCursor, oneOf, select } from '@callgate/kit'
import type { Node } from '@callgate/kit'
import { shownOrder } from './previews.ts'
import { invalidForm, saysNo } from './refusals.ts'
import { Amount, EventId, EventRef, LocalTime, OrderId, OrderRef, amount, cell, count, done, localTime, nextPage, segments, tableRows, terms, token } from './shared.ts'

const words = {
  'Approval pending': 'approval_pending',
  'Pending (confirmed)': 'pending_confirmed',
  Pending: 'pending',
  'Canceled (paid fee)': 'canceled_with_fee',
  Paid: 'paid',
  Expired: 'expired',
  Canceled: 'canceled',
} as const
const filters = { pending: 'n', paid: 'p', expired: 'e', canceled: 'c', approval_pending: 'pa', overdue: 'o' } as const

export const Status = labelled(
  'Status',
  oneOf(
    ['approval_pending', 'pending_confirmed', 'pending', 'canceled_with_fee', 'paid', 'expired', 'canceled'],
    'pending: not paid yet; pending_confirmed: its tickets are good all the same.',
  ),
)
const Email = labelled('Contact email', NullableText)
const Total = labelled('Total', Amount)

/** The words of the badge that an order has wherever it is shown. */
export function statusOf(badge: Node): string {
  const known: Readonly<Record<string, string>> = words
  const status = known[badge.text()]
  if (status === undefined) throw new UnknownShape('no known status of an order')
  return status
}

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
    search: labelled('Search', Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only orders with this in code, email or a name.' }))),
    status: labelled('Status', Type.Optional(oneOf(['pending', 'paid', 'expired', 'canceled', 'approval_pending', 'overdue'], 'Only these; all when left out.'))),
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
  encode: ({ search, status }, { anchor }) => ({ query: { query: search, status: status && filters[status], page: anchor } }),
  decode: (_fields, { page, cursor: next }) => {
    const at = select(page)
    const found = tableRows(at)
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
  if (paid === undefined || total === undefined || more.length > 0) throw new UnknownShape('not what is paid, and the total')
  return [paid, total]
}

function emailIn(written: string): string | null {
  return /^\S+@\S+/.exec(written)?.[0] ?? null
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
    expires: Type.Union([LocalTime, Type.Null()], { description: 'Until when it can be paid; null where nothing is to be paid.' }),
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
    payments: Type.Array(closed({ payment: Type.String({ description: 'Its number.' }), amount: Amount, status: Type.String({ description: 'In the words of pretix: created, confirmed, canceled.' }) })),
    comment: labelled('Comment', Type.String({ description: 'What the team noted; visitors do not see it.' })),
    follow_up: labelled('Follow up', NullableDay),
    needs_attention: labelled('Needs attention', Type.Boolean({ description: 'Whether the check-in app warns.' })),
    check_in_text: labelled('Check-in text', Type.String({ description: 'What the check-in app shows.' })),
  },
  decode: (_fields, { page, input }) => ({ event_id: input.event_id, ...orderOn(page) }),
})

/** An order, as its page shows it. */
export function orderOn(page: string) {
  const at = select(page)
  const facts = terms(at, '.panel-primary.items dl.dl-horizontal')
  const fact = (name: string): string => {
    const found = facts.get(name)?.text()
    if (found === undefined) throw new UnknownShape(`no "${name}"`)
    return found
  }
  const note = at.select('form[action$="/comment"]')
  const expires = facts.get('Expiry date')?.text()
  return {
    order_id: fact('Order code'),
    status: statusOf(at.select('#page-wrapper h1 .label.pull-right')),
    email: emailIn(fact('Contact email')),
    ordered: localTime(fact('Order date')),
    expires: expires === undefined ? null : localTime(expires),
    total: totalOf(at.all('.product-row.total')),
    positions: at.all('.product-row').flatMap(position),
    payments: paymentsOf(at.select('.payments table')),
    comment: note.select('textarea[name="comment"]').content().replace(/^\r?\n/, ''),
    follow_up: note.select('[name="custom_followup_at"]').attributeOrNull('value'),
    needs_attention: note.select('[name="checkin_attention"]').attributeOrNull('checked') !== null,
    check_in_text: note.select('[name="checkin_text"]').attributeOrNull('value') ?? '',
  }
}

/** Rows of fees, taxes and sums begin with no number. */
function position(row: Node): readonly object[] {
  const [, number] = /^#(\d+) –/.exec(row.text()) ?? []
  if (number === undefined) return []
  const more = terms(row, 'dl')
  const asked = (name: string): string | null => {
    const found = more.get(name)
    return found === undefined || found.optional('em') !== null ? null : found.text()
  }
  return [
    {
      number: Number(number),
      product: row.first('strong').text(),
      price: amount(row.select('.price strong').text()),
      attendee_name: asked('Attendee name'),
      attendee_email: asked('Attendee email'),
      canceled: (row.attributeOrNull('class') ?? '').split(/\s+/).includes('pos-canceled'),
    },
  ]
}

function totalOf(sums: readonly Node[]): string {
  const total = sums.find((row) => row.first('strong').text() === 'Total')
  if (total === undefined) throw new UnknownShape('no total')
  return amount(total.select('.price').text())
}

function paymentsOf(table: Node): readonly object[] {
  return table
    .all('tbody > tr', { emptyWhen: 'tbody:not(:has(*))' })
    .filter((row) => row.optional('td .label') !== null)
    .map((row) => ({ payment: cell(row, 0).text(), amount: amount(cell(row, -1).text()), status: cell(row, -2).select('.label').text() }))
}

export const comment_order = endpoint({
  summary: 'Change what the team noted on an order: the comment, and what the check-in shows. Visitors are not told.',
  label: 'Note on an order',
  brief: ['order_id', 'comment'],
  effect: 'changes',
  shownBy: [{ read: 'get_order', from: { event_id: 'event_id', order_id: 'order_id' } }],
  preview: [shownOrder],
  verify: { read: 'get_order', from: { event_id: 'event_id', order_id: 'order_id' }, same: { comment: 'comment', needs_attention: 'needs_attention', check_in_text: 'check_in_text', follow_up: 'follow_up' } },
  access: 'write',
  request: 'POST /control/event/{event_id}/{event_id}/orders/{order_id}/comment',
  segments,
  input: {
    event_id: EventId,
    order_id: OrderId,
    comment: labelled('Comment', Type.String({ maxLength: 5000, description: 'What it says from now on, in place of what it said.' })),
    needs_attention: labelled('Needs attention', Type.Optional(Type.Boolean({ description: 'Whether the check-in app warns; as it is when left out.' }))),
    check_in_text: labelled('Check-in text', Type.Optional(Type.String({ maxLength: 200, description: 'What the check-in app shows; as it is when left out.' }))),
    follow_up: labelled('Follow up', Type.Optional(Type.String({ format: 'date', description: 'When to come back to it; as it is when left out. Written YYYY-MM-DD.' }))),
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
  summary: 'Change the email address that an order is reached at. Nobody is told; mail goes to the new address from then on.',
  label: 'Change the contact email',
  brief: ['order_id', 'email'],
  effect: 'changes',
  shownBy: [{ read: 'get_order', from: { event_id: 'event_id', order_id: 'order_id' } }],
  preview: [shownOrder],
  verify: { read: 'get_order', from: { event_id: 'event_id', order_id: 'order_id' }, same: { email: 'email' } },
  access: 'write',
  request: 'POST /control/event/{event_id}/{event_id}/orders/{order_id}/contact',
  segments,
  input: {
    event_id: EventId,
    order_id: OrderId,
    email: labelled('Contact email', Type.String({ format: 'email', maxLength: 254, description: 'The new address.' })),
  },
  output: { event_id: EventRef, order_id: OrderRef, email: Type.String({ description: 'The address that it has now.' }) },
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
