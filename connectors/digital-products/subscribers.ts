import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { fromCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, described, id, limit, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { fields, nullableText, rows } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { Day, mail } from './shared.ts'

const status = codec({
  active: 'running',
  trialing: 'trial',
  cancelled: 'ended',
  paused: 'resting',
  unpaid: 'owing',
  past_due: 'late',
  incomplete: 'unfinished',
  incomplete_expired: 'lapsed',
})

const Status = (description: string) => labelled('Status', oneOf(status.words, description))

const Subscriber = {
  subscription_id: refTo('subscription', 'Pass it to cancel_subscription while status is active.'),
  email: labelled('Subscriber', Type.String({ description: "The subscriber's email address." })),
  product_name: labelled(
    'Product',
    Type.String({ description: 'The membership that they subscribe to, by its title in list_products.' }),
  ),
  plan_name: labelled(
    'Plan',
    Type.String({ description: 'The plan of the membership that they are on, as the app shows it.' }),
  ),
  status: Status('active, trialing and past_due have access; the others have not.'),
  started: labelled('Started on', described(Day, 'The day on which the subscription began, in UTC.')),
}

function subscriber(member: Fields) {
  return {
    subscription_id: member['member_no'],
    email: member['member_mail'],
    product_name: member['ware_label'],
    plan_name: member['plan_label'],
    status: status.decode(member['state']),
    started: fromCompact(member['began']),
  }
}

export const list_subscribers = endpoint({
  summary: 'List the subscribers of your memberships, newest first.',
  aliases: ['who subscribes', 'members of my membership', 'active subscriptions', 'paying members'],
  label: 'List subscribers',
  brief: ['email', 'status'],
  access: 'read',
  request: 'GET /my/members',
  input: {
    status: Type.Optional(
      Status('Only subscriptions with this status; a past_due one is cancelled after 20 days. All when left out.'),
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
    query: {
      state: input.status && status.encode(input.status),
      mail: input.email,
      per: input.limit,
      pageKey: anchor,
    },
  }),
  decode: ({ members, pageKey }, { cursor: next }) => ({
    subscribers: rows(members).map(subscriber),
    next_cursor: next(nullableText(pageKey)),
  }),
})

export const cancel_subscription = endpoint({
  summary: "End an active subscription at once: billing stops and the subscriber's access ends.",
  aliases: [
    'end a membership',
    'stop billing a subscriber',
    'terminate a subscription',
    'unsubscribe a member',
    'stop charging her every month',
    'he wants to leave the membership',
  ],
  label: 'Cancel a subscription',
  brief: ['subscription_id'],
  approval: {
    headline:
      'Cancel the subscription[ of {subscription_id.email}][ to {subscription_id.product_name}][ ({subscription_id.plan_name})]',
    button: 'Cancel subscription',
    consequences: [
      { kind: 'people', text: 'The subscriber loses access at once' },
      { kind: 'money', text: 'Their billing stops at once' },
      { kind: 'other', text: 'Agents cannot take it back' },
    ],
  },
  effect: 'removes',
  shownBy: [{ read: 'list_subscribers', set: { status: 'cancelled' } }],
  preview: [
    {
      of: 'subscription_id',
      read: 'list_subscribers',
      set: { limit: 100 },
      at: 'subscribers',
      id: 'subscription_id',
      shows: ['email', 'product_name', 'plan_name', 'started', 'status'],
      matters: ['email', 'product_name', 'plan_name', 'status'],
      conclusive: true,
      needs: { status: ['active'] },
    },
  ],
  verify: {
    read: 'list_subscribers',
    set: { status: 'cancelled', limit: 100 },
    at: 'subscribers',
    same: { subscription_id: 'subscription_id' },
    is: { status: ['cancelled'] },
  },
  access: 'write',
  confirm: true,
  request: 'POST /my/members/{subscription_id}/end',
  input: {
    subscription_id: labelled(
      'Subscription',
      id('subscription', 'An active subscription: subscription_id from list_subscribers.'),
    ),
  },
  output: Subscriber,
  encode: () => ({ json: {} }),
  decode: ({ member }) => subscriber(fields(member)),
})
