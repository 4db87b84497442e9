import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { fromCompact, toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { id, oneOf, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export const MemberId = labelled(
  'Member',
  id('member', 'Which member: member_id from list_members or get_class_roster.'),
)
export const PlanId = labelled(
  'Plan',
  id('plan', "Which of the member's plans: plan_id from list_members or get_member."),
)
export const ClassId = labelled('Class', id('class', 'Which class: class_id from list_classes.'))
/** Output: the member's id, and which endpoints take it. */
export const OutMemberId = refTo(
  'member',
  'Pass it to get_member, book_class_reservation, check_in_member or remove_reservation.',
)
export const MemberName = labelled('Member', Type.String({ description: "The member's full name." }))
export const ClassName = labelled(
  'Class',
  Type.String({ description: 'The title of the class, as the studio wrote it.' }),
)
export const ClassDay = labelled(
  'Day',
  Type.String({ format: 'date', description: "The day on which the class is held, on the studio's clocks." }),
)
export const Day = Type.String({ format: 'date' })

export const planStatuses = codec({
  active: 'OK',
  alert: 'DUE',
  pending_active: 'SOON',
  pending_cancel: 'ENDING',
  cancelled: 'ENDED',
  paused: 'HOLD',
  completed: 'USED',
})
export const PlanStatus = labelled(
  'Status',
  oneOf(
    planStatuses.words,
    'How the plan stands; alert: a bill is unpaid, no classes on it; pending_cancel: it runs until its last day.',
  ),
)

/** Statuses on a class's roster. */
export const marks = codec({
  checked_in: 'IN',
  reserved: 'RSV',
  waitlist: 'WL',
  late_cancel: 'LC',
  no_show: 'NS',
})
export const Mark = labelled(
  'Status',
  oneOf(marks.words, 'Their line on the roster; no_show: reserved, but not checked in when the day was over.'),
)

/** Unwraps the app's `{ "Result": … }`. */
export function resultOf(answer: Fields): Fields {
  return fields(answer['Result'])
}

/** Converts `12/31/2026` into an ISO day. */
export function fromMonthFirst(value: unknown): string {
  const found = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text(value))
  if (!found) throw new UnknownShape('not a day as MM/DD/YYYY')
  return fromCompact(`${found[3]}${found[1]}${found[2]}`)
}

/** Converts an ISO day into `12/31/2026`. */
export function toMonthFirst(day: string): string
export function toMonthFirst(day: string | undefined): string | undefined
export function toMonthFirst(day: string | undefined): string | undefined {
  return toCompact(day)?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$2/$3/$1')
}
