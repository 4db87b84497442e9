import { Type } from 'typebox'
import { fromCompact, toCompact } from '../kit/dates.ts'
import { id, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, text, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export const MemberId = id('member', 'Which member: member_id from list_members or get_class_roster.')
export const PlanId = id('plan', "Which of the member's plans: plan_id from list_members or get_member.")
export const ClassId = id('class', 'Which class: class_id from list_classes.')
/** Output: who it is, and where the id goes. */
export const OutMemberId = refTo(
  'member',
  'Pass it to get_member, book_class_reservation, check_in_member or remove_reservation.',
)
export const MemberName = Type.String({ description: "The member's full name." })
export const ClassName = Type.String({ description: 'The title of the class, as the studio wrote it.' })
export const ClassDay = Type.String({
  format: 'date',
  description: "The day on which the class is held, on the studio's clocks.",
})
export const Day = Type.String({ format: 'date' })
export const NullableText = Type.Union([Type.String(), Type.Null()])

/** What a plan's status is called: the app's word, and ours. */
export const planStatuses = {
  OK: 'active',
  DUE: 'alert',
  SOON: 'pending_active',
  ENDING: 'pending_cancel',
  ENDED: 'cancelled',
  HOLD: 'paused',
  USED: 'completed',
} as const
export const planStatusNames = Object.values(planStatuses)
export const PlanStatus = Type.Enum(planStatusNames, {
  type: 'string',
  description:
    'How the plan stands; alert: a bill is unpaid, no classes on it; pending_cancel: it runs until its last day.',
})

/** The same for a line of a class's roster. */
const marks = {
  IN: 'checked_in',
  RSV: 'reserved',
  WL: 'waitlist',
  LC: 'late_cancel',
  NS: 'no_show',
} as const
export const Mark = Type.Enum(Object.values(marks), {
  type: 'string',
  description: 'Their line on the roster; no_show: reserved, but not checked in when the day was over.',
})

/** The app's word for one of ours, out of a table of ours by theirs. */
export function theirs(table: Readonly<Record<string, string>>, ours: string | undefined): string | undefined {
  return Object.keys(table).find((key) => table[key] === ours)
}

/** What stands in the app's `{ "Result": … }`. */
export function resultOf(answer: Fields): Fields {
  return fields(answer['Result'])
}

/** `12/31/2026` into a day. */
export function fromMonthFirst(value: unknown): string {
  const found = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text(value))
  if (!found) throw new UnknownShape('not a day as MM/DD/YYYY')
  return fromCompact(`${found[3]}${found[1]}${found[2]}`)
}

/** A day into `12/31/2026`. */
export function toMonthFirst(day: string): string
export function toMonthFirst(day: string | undefined): string | undefined
export function toMonthFirst(day: string | undefined): string | undefined {
  return toCompact(day)?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$2/$3/$1')
}

/** The app writes an empty text where there is nothing. */
export function given(value: unknown): string | null {
  return text(value) === '' ? null : text(value)
}

export const planStatus = (value: unknown): string => word(planStatuses, value)
export const mark = (value: unknown): string => word(marks, value)

/** Where a form led: back to its own page, with what it did. */
export function ledBack(location: string, page: string, done: string): URLSearchParams {
  const query = new URLSearchParams(location.slice(page.length + 1))
  if (!location.startsWith(`${page}?`) || query.get('done') !== done) throw new UnknownShape('led elsewhere')
  return query
}
