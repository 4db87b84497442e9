import { NullableText, Type, UnknownShape, closed, cursor, endpoint, labelled, nextCursor, select } from '@callgate/kit'
import type { Node } from '@callgate/kit'
import { shownEvent, shownOrder } from './previews.ts'
import { invalidForm } from './refusals.ts'
import {
  EventId,
  EventRef,
  LocalTime,
  OrderId,
  OrderRef,
  done,
  localTime,
  nextPage,
  segments,
  token,
} from './shared.ts'

const shownBy = [{ read: 'list_order_emails', from: { event_id: 'event_id', order_id: 'order_id' } }]

export const list_order_emails = endpoint({
  summary: 'List the emails that were sent about an order, last first.',
  label: 'List emails of an order',
  brief: ['order_id', 'event_id'],
  access: 'read',
  request: 'GET /control/event/{event_id}/{event_id}/orders/{order_id}/mail_history',
  answer: 'page',
  segments,
  input: { event_id: EventId, order_id: OrderId, cursor },
  output: {
    event_id: EventRef,
    order_id: OrderRef,
    emails: Type.Array(
      closed({
        sent: LocalTime,
        to: NullableText,
        subject: Type.String({ description: 'Its subject.' }),
        text: Type.String({ description: 'As it was sent, links and all.' }),
      }),
    ),
    next_cursor: nextCursor,
  },
  encode: (_input, { anchor }) => ({ query: { page: anchor } }),
  decode: (_fields, { page, input, cursor: next }) => {
    const at = select(page)
    const found = at.all('ul.list-group > li.logentry', { emptyWhen: 'ul.list-group:not(:has(*))' })
    return {
      event_id: input.event_id,
      order_id: input.order_id,
      emails: found.map(email),
      next_cursor: next(nextPage(at, found)),
    }
  },
})

function email(entry: Node) {
  const [sent = '', ...more] = entry.select('p.meta').text().split('\n')
  const subject = entry.select('p strong').text()
  if (!subject.startsWith('Subject:')) throw new UnknownShape('no subject')
  return {
    sent: localTime(sent.trim()),
    to: more.findLast((line) => /^\S+@\S+/.test(line)) ?? null,
    subject: subject.slice('Subject:'.length).trim(),
    text: entry.select('pre').content(),
  }
}

export const send_order_email = endpoint({
  summary: 'Send an email of your own words to whoever placed an order.',
  label: 'Send an email',
  brief: ['order_id', 'subject', 'message'],
  effect: 'adds',
  shownBy,
  preview: [shownOrder, shownEvent],
  verify: {
    read: 'list_order_emails',
    from: { event_id: 'event_id', order_id: 'order_id' },
    at: 'emails',
    same: { subject: 'subject' },
  },
  access: 'write',
  confirm: true,
  request: 'POST /control/event/{event_id}/{event_id}/orders/{order_id}/sendmail',
  segments,
  input: {
    event_id: EventId,
    order_id: OrderId,
    subject: labelled('Subject', Type.String({ minLength: 1, maxLength: 250, description: 'Of the email.' })),
    message: labelled(
      'Message',
      Type.String({
        minLength: 1,
        maxLength: 10_000,
        description: 'Markdown; {url} becomes the link to the order, {event} the name of the event.',
      }),
    ),
    attach_tickets: labelled(
      'Attach tickets',
      Type.Optional(
        Type.Boolean({ description: 'Whether the tickets go along, where the order is paid. Default: no.' }),
      ),
    ),
  },
  output: {
    event_id: EventRef,
    order_id: OrderRef,
    subject: Type.String({ description: 'The subject of what was sent.' }),
  },
  // Asked for the form of an order that there is none of, pretix breaks.
  before: {
    order: {
      request: 'GET /control/event/{event_id}/{event_id}/orders/{order_id}/',
      answer: 'page',
      take: () => null,
    },
  },
  csrf: token.csrf,
  form: {
    page: 'GET /control/event/{event_id}/{event_id}/orders/{order_id}/sendmail',
    selector: 'form:has([name="sendto"])',
    fields: ['sendto'],
    volatile: token.volatile,
    set: ({ subject, message, attach_tickets }) => ({ subject, message, attach_tickets: attach_tickets ?? false }),
  },
  answer: 'redirect',
  failure: invalidForm,
  decode: (_fields, { input, location }) => {
    done(location, input.event_id, `orders/${input.order_id}/`)
    return { event_id: input.event_id, order_id: input.order_id, subject: input.subject }
  },
})

export const resend_order_link = endpoint({
  summary: 'Send the customer the email with the link to their order once more.',
  label: 'Send the link again',
  brief: ['order_id'],
  effect: 'adds',
  shownBy,
  preview: [shownOrder, shownEvent],
  access: 'write',
  confirm: true,
  request: 'POST /control/event/{event_id}/{event_id}/orders/{order_id}/resend',
  segments,
  input: { event_id: EventId, order_id: OrderId },
  output: { event_id: EventRef, order_id: OrderRef },
  csrf: token.csrf,
  form: {
    page: 'GET /control/event/{event_id}/{event_id}/orders/{order_id}/',
    selector: '.panel-primary.items form[action$="/resend"]',
    fields: [],
    volatile: token.volatile,
    set: () => ({}),
  },
  answer: 'redirect',
  decode: (_fields, { input, location }) => {
    done(location, input.event_id, `orders/${input.order_id}/`)
    return { event_id: input.event_id, order_id: input.order_id }
  },
})
