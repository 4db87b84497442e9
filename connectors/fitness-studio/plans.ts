import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, defaulted, described, id, oneOf, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { UnknownShape, rows, text, word } from '../kit/wire.ts'
import { member, newPlan, planToCancel, planToPause, planToSwitch } from './previews.ts'
import { Day, MemberId, PlanId, PlanStatus, fromMonthFirst, planStatuses, resultOf, toMonthFirst } from './shared.ts'

const periods = { WK: 'every week', '4WK': 'every 4 weeks', '52WK': 'every 52 weeks', ONCE: 'once' }

/** Converts `GH₵1,032.00`, `GHS` and `4WK` into `1032.00 GHS every 4 weeks`. */
function price(fee: unknown, currency: unknown, period: unknown): string {
  const [, amount] = /^\D+((?:\d{1,3})(?:,\d{3})*(?:\.\d+)?)$/.exec(text(fee)) ?? []
  if (amount === undefined) throw new UnknownShape('not an amount')
  return `${amount.replaceAll(',', '')} ${text(currency)} ${word(periods, period)}`
}

export const list_plan_templates = endpoint({
  summary: 'List the plans that the studio offers; switch_member_plan works only with recurring ones.',
  aliases: ['which memberships do we offer', 'plans and prices', 'membership types', 'packages'],
  label: 'List plans on offer',
  brief: [],
  access: 'read',
  request: 'GET /staff/svc/offers',
  input: {},
  output: {
    plan_templates: Type.Array(
      closed({
        template_id: refTo('template', 'Pass it to switch_member_plan as new_plan_template_id, if it is recurring.'),
        name: labelled('Plan', Type.String({ description: 'What the studio calls the plan.' })),
        recurring: labelled('Recurring', Type.Boolean({ description: 'true: it renews by itself, bill by bill.' })),
        price: labelled('Price', Type.String({ description: 'Amount, currency and period: 24.50 USD every week.' })),
      }),
      { description: 'All plans on offer, recurring or not.' },
    ),
  },
  decode: (answer) => ({
    plan_templates: rows(resultOf(answer)['Offers']).map(({ Offer, Label, Auto, Fee, Ccy, Per }) => ({
      template_id: Offer,
      name: Label,
      recurring: Auto,
      price: price(Fee, Ccy, Per),
    })),
  }),
})

/** The outcome of a form, from its redirect to the client's page. */
function changed(location: string, member_id: string, done: string): URLSearchParams {
  return ledTo(location, `staff/desk/clients/${encodeURIComponent(member_id)}`, { done }).query
}

const Plan = { member_id: MemberId, plan_id: PlanId }
const Planned = {
  member_id: refTo('member', 'The member whose plan was changed.'),
  plan_id: refTo('plan', 'The plan that was changed; in a switch, the old one.'),
  status: described(PlanStatus, 'How that plan stands now; pending_cancel: it runs until its last day.'),
}
const moments = codec({ now: 'NOW', next_bill_date: 'RENEWAL' })

export const switch_member_plan = endpoint({
  summary: 'Switch a member from one active recurring plan to another, now or at the next bill date. Admins only.',
  aliases: [
    'upgrade a membership',
    'downgrade',
    'change to the unlimited plan',
    'move to another plan',
    'he wants the bigger package',
    'put her on the cheaper plan',
  ],
  label: 'Switch a plan',
  brief: ['member_id', 'new_plan_template_id', 'when', 'plan_id'],
  approval: {
    headline: 'Switch the plan of {member_id}[ from {plan_id}][ to {new_plan_template_id}][, starting {when}]',
    button: 'Switch plan',
    consequences: [
      { kind: 'money', text: '[The new plan costs {new_plan_template_id.price}]' },
      { kind: 'money', text: 'The old plan ends and the new one begins at once', when: { when: ['now'] } },
      {
        kind: 'money',
        text: 'The old plan runs until its next bill date[, {plan_id.next_bill_date}]; the new one begins then',
        when: { when: ['next_bill_date'] },
      },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_member', from: { member_id: 'member_id' } }],
  preview: [member, planToSwitch, newPlan],
  access: 'write',
  confirm: true,
  request: 'POST /staff/desk/clients/{member_id}/passes/{plan_id}/swap',
  input: {
    ...Plan,
    new_plan_template_id: labelled(
      'New plan',
      id('template', 'The plan to switch to: template_id of a recurring one from list_plan_templates.'),
    ),
    when: labelled(
      'When',
      defaulted(
        oneOf(
          moments.words,
          'now: at once. next_bill_date: the old plan runs until its next bill date, the new one begins on it.',
        ),
        'now',
      ),
    ),
  },
  output: {
    ...Planned,
    new_plan_id: refTo('plan', 'The plan that takes its place; a plan_id for the other plan endpoints.'),
    new_status: described(PlanStatus, 'How the new plan stands: active, or pending_active until its first day.'),
    effective_date: { ...Day, description: 'The day on which the new plan begins.' },
  },
  answer: 'redirect',
  encode: ({ new_plan_template_id, when }) => ({
    form: { Offer: new_plan_template_id, When: moments.encode(when) },
  }),
  decode: (_answer, { input, location }) => {
    const query = changed(location, input.member_id, 'swap')
    return {
      member_id: input.member_id,
      plan_id: query.get('pid'),
      status: planStatuses.decode(query.get('st')),
      new_plan_id: query.get('into'),
      new_status: planStatuses.decode(query.get('intost')),
      effective_date: fromMonthFirst(query.get('on')),
    }
  },
})

export const pause_member_plan = endpoint({
  summary: "Pause a member's active plan: its billing stops. Admins only.",
  aliases: [
    'freeze a membership',
    'put a plan on hold',
    'suspend',
    'member is injured or on vacation',
    'stop charging her while she is hurt',
    'put it on ice for two months',
  ],
  label: 'Pause a plan',
  brief: ['member_id', 'plan_id'],
  approval: {
    headline: 'Pause the plan[ {plan_id}] of {member_id}',
    button: 'Pause plan',
    consequences: [
      { kind: 'money', text: 'Its billing stops[; the next bill would have been on {plan_id.next_bill_date}]' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_member', from: { member_id: 'member_id' } }],
  preview: [member, planToPause],
  verify: {
    read: 'get_member',
    from: { member_id: 'member_id' },
    at: 'plans',
    same: { plan_id: 'plan_id' },
    is: { status: ['paused'] },
  },
  access: 'write',
  confirm: true,
  request: 'POST /staff/desk/clients/{member_id}/passes/{plan_id}/hold',
  input: Plan,
  output: Planned,
  answer: 'redirect',
  encode: () => ({ form: {} }),
  decode: (_answer, { input, location }) => {
    const query = changed(location, input.member_id, 'hold')
    return { member_id: input.member_id, plan_id: query.get('pid'), status: planStatuses.decode(query.get('st')) }
  },
})

export const cancel_member_plan = endpoint({
  summary: "Cancel a member's plan, now or, when it is active, on a later day. Admins only.",
  aliases: [
    'end a membership',
    'member quits',
    'terminate a plan',
    'stop her membership',
    'she moves away, end it in December',
    'he wants to quit',
  ],
  label: 'Cancel a plan',
  brief: ['member_id', 'plan_id', 'date'],
  approval: {
    headline: 'Cancel the plan[ {plan_id}] of {member_id}[ on {date}]',
    button: 'Cancel plan',
    consequences: [
      { kind: 'money', text: 'No more bills come for it[; the next would have been on {plan_id.next_bill_date}]' },
      { kind: 'other', text: 'The member has it[ until {date} and] no longer' },
    ],
  },
  effect: 'removes',
  shownBy: [{ read: 'get_member', from: { member_id: 'member_id' } }],
  preview: [member, planToCancel],
  verify: {
    read: 'get_member',
    from: { member_id: 'member_id' },
    at: 'plans',
    same: { plan_id: 'plan_id' },
    is: { status: ['pending_cancel', 'cancelled'] },
  },
  access: 'write',
  confirm: true,
  request: 'POST /staff/desk/clients/{member_id}/passes/{plan_id}/end',
  input: {
    ...Plan,
    date: labelled(
      'Ends on',
      Type.Optional(
        day("The day on which it ends, on the studio's clocks, from today to 730 days ahead; at once when left out."),
      ),
    ),
  },
  output: { ...Planned, date: { ...Day, description: 'The day on which it ends.' } },
  answer: 'redirect',
  encode: ({ date }) => ({ form: { On: toMonthFirst(date) } }),
  decode: (_answer, { input, location }) => {
    const query = changed(location, input.member_id, 'end')
    return {
      member_id: input.member_id,
      plan_id: query.get('pid'),
      status: planStatuses.decode(query.get('st')),
      date: fromMonthFirst(query.get('on')),
    }
  },
})
