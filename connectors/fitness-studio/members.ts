import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, cursor, described, limit, nextCursor, oneOf, refTo } from '../kit/inputs.ts'
import { rows, textOrNull } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { clientsPage, clientsQuery } from './lists.ts'
import {
  ClassDay,
  ClassName,
  Day,
  Mark,
  MemberId,
  MemberName,
  OutMemberId,
  PlanStatus,
  fromMonthFirst,
  marks,
  planStatuses,
  resultOf,
} from './shared.ts'

const Plan = {
  plan_id: refTo('plan', 'Pass it to switch_member_plan, pause_member_plan or cancel_member_plan.'),
  name: labelled('Plan', Type.String({ description: 'What the studio calls the plan, as in list_plan_templates.' })),
  status: PlanStatus,
  next_bill_date: labelled(
    'Next bill',
    Type.Union([Day, Type.Null()], {
      description: 'null when no bill comes: paused, ending, over, or a plan that does not renew.',
    }),
  ),
}

function plan({ Pid, Label, St, Renews }: Fields) {
  return {
    plan_id: Pid,
    name: Label,
    status: planStatuses.decode(St),
    next_bill_date: Renews === null ? null : fromMonthFirst(Renews),
  }
}

const filters = (search: string | undefined, status: (typeof planStatuses.words)[number] | undefined): Fields => ({
  Find: search,
  Standing: status && planStatuses.encode(status),
})

export const list_members = endpoint({
  summary:
    'List the members with their plans, those who joined first come first; find them by name, email or plan status.',
  aliases: ['find a member', 'who has an active plan', 'search members', 'list of gym members', "member's email"],
  label: 'List members',
  brief: ['search', 'plan_status'],
  access: 'read',
  request: 'GET /staff/svc/clients',
  input: {
    search: labelled(
      'Search',
      Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          pattern: '\\S',
          description: 'A part of the name or email, in any capitals; accents count.',
        }),
      ),
    ),
    plan_status: labelled(
      'Plan status',
      Type.Optional(
        oneOf(
          planStatuses.words,
          'Only members who have a plan with this status; all of their plans are shown. alert: a bill is unpaid.',
        ),
      ),
    ),
    limit: limit(50),
    cursor,
  },
  output: {
    members: Type.Array(
      closed({
        member_id: OutMemberId,
        name: MemberName,
        plans: Type.Array(closed(Plan), {
          description: 'All plans, those that are over too; empty when they have none.',
        }),
      }),
      { description: 'Those who joined first come first; empty when nobody matches.' },
    ),
    next_cursor: nextCursor,
  },
  encode: ({ search, plan_status, limit }, { anchor }) => clientsQuery(filters(search, plan_status), { limit, anchor }),
  decode: (answer, { input, anchor, cursor }) => {
    const asked = filters(input.search, input.plan_status)
    const { items, next } = clientsPage(resultOf(answer), asked, { limit: input.limit, anchor })
    return {
      members: items.map(({ Cid, Full, Passes }) => ({ member_id: Cid, name: Full, plans: rows(Passes).map(plan) })),
      next_cursor: cursor(next),
    }
  },
})

export const get_member = endpoint({
  summary: 'Read one member: email, plans, and the last 25 classes they were or are listed in, latest first.',
  aliases: [
    'member profile',
    'what plan does she have',
    'which classes did a member take',
    "member's attendance history",
    'when was she last here',
    'what membership does he have',
  ],
  label: 'Read a member',
  brief: ['member_id'],
  access: 'read',
  request: 'GET /staff/svc/clients/{member_id}',
  input: { member_id: MemberId },
  output: {
    member_id: OutMemberId,
    name: MemberName,
    email: labelled('Email', described(NullableText, "The member's email address; null when the studio has none.")),
    plans: Type.Array(
      closed({
        ...Plan,
        recurring: labelled('Recurring', Type.Boolean({ description: 'true: it renews by itself, bill by bill.' })),
      }),
      { description: 'All plans, those that are over too; empty when they have none.' },
    ),
    recent_activity: Type.Array(
      closed({
        class_id: refTo('class', 'Pass it to get_class_roster or remove_reservation.'),
        class_name: ClassName,
        status: Mark,
        date: ClassDay,
      }),
      { description: 'Reservations of classes to come are in it too.' },
    ),
  },
  decode: (answer) => {
    const { Cid, Full, Mail, Passes, Visits } = resultOf(answer)
    return {
      member_id: Cid,
      name: Full,
      email: textOrNull(Mail),
      plans: rows(Passes).map((pass) => ({ ...plan(pass), recurring: pass['Auto'] })),
      recent_activity: rows(Visits).map(({ Slot, Title, St, Day: on }) => ({
        class_id: Slot,
        class_name: Title,
        status: marks.decode(St),
        date: fromMonthFirst(on),
      })),
    }
  },
})
