import { Type } from 'typebox'
import { fromCompact } from '../kit/dates.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, described, id, limit, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { fields, nullableText, rows, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { Day, mail, theirs } from './words.ts'

/** The app's words for the status of a subscription, and ours. */
const statuses = {
  running: 'active',
  trial: 'trialing',
  ended: 'cancelled',
  resting: 'paused',
  owing: 'unpaid',
  late: 'past_due',
  unfinished: 'incomplete',
  lapsed: 'incomplete_expired',
} as const

const status = (description: string) =>
  oneOf(
    ['active', 'trialing', 'cancelled', 'paused', 'unpaid', 'past_due', 'incomplete', 'incomplete_expired'],
    description,
  )

const Subscriber = {
  subscription_id: refTo('subscription', 'Pass it to cancel_subscription while status is active.'),
  email: Type.String({ description: "The subscriber's email address." }),
  product_name: Type.String({ description: 'The membership that they subscribe to, by its title in list_products.' }),
  plan_name: Type.String({ description: 'The plan of the membership that they are on, as the app shows it.' }),
  status: status('active, trialing and past_due have access; the others have not.'),
  started: described(Day, 'The day on which the subscription began, in UTC.'),
}

function subscriber(member: Fields) {
  return {
    subscription_id: member['member_no'],
    email: member['member_mail'],
    product_name: member['ware_label'],
    plan_name: member['plan_label'],
    status: word(statuses, member['state']),
    started: fromCompact(member['began']),
  }
}

export const list_subscribers = endpoint({
  summary: 'List the subscribers of your memberships, newest first.',
  access: 'read',
  request: 'GET /my/members',
  input: {
    status: Type.Optional(
      status('Only subscriptions with this status; a past_due one is cancelled after 20 days. All when left out.'),
    ),
    email: mail('Only subscriptions of the person with this email.'),
    limit: limit(),
    cursor,
  },
  output: {
    subscribers: Type.Array(closed(Subscriber), {
      description: 'Newest first; empty when none fits what you asked for.',
    }),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) => ({
    query: { state: theirs(statuses, input.status), mail: input.email, per: input.limit, pageKey: anchor },
  }),
  decode: ({ members, pageKey }, { cursor: next }) => ({
    subscribers: rows(members).map(subscriber),
    next_cursor: next(nullableText(pageKey)),
  }),
})

export const cancel_subscription = endpoint({
  summary: "End an active subscription at once: billing stops and the subscriber's access ends.",
  access: 'write',
  confirm: true,
  request: 'POST /my/members/{subscription_id}/end',
  input: { subscription_id: id('subscription', 'An active subscription: subscription_id from list_subscribers.') },
  output: Subscriber,
  encode: () => ({ json: {} }),
  decode: ({ member }) => subscriber(fields(member)),
})
