import { Type } from 'typebox'
import { endpoint } from '../kit/define.ts'
import { closed, day, defaulted, oneOf } from '../kit/inputs.ts'
import { rows, word } from '../kit/wire.ts'
import {
  ClassDay,
  ClassName,
  MemberName,
  OutMemberId,
  fromMonthFirst,
  resultOf,
  theirs,
  toMonthFirst,
} from './words.ts'

const misses = { NS: 'no_show', LC: 'late_cancel' } as const
const types = Object.values(misses)

export const list_no_shows_late_cancels = endpoint({
  summary:
    'List no-shows and late cancellations by class; the last 24 to 48 hours are not in it yet, and no fees are charged. Admins only.',
  access: 'read',
  request: 'GET /staff/svc/misses',
  input: {
    from: day("The first day of classes, on the studio's clocks."),
    to: day('The last day, included. The report reaches no further than the day before yesterday.'),
    type: defaulted(oneOf([...types, 'all'], 'Only these; all: both.'), 'all'),
  },
  output: {
    rows: Type.Array(
      closed({
        member_id: OutMemberId,
        name: MemberName,
        class_name: ClassName,
        date: ClassDay,
        type: oneOf(types, 'What happened; no_show: reserved, but never checked in; late_cancel: cancelled too late.'),
      }),
      { description: 'In the order of the classes; empty when nobody missed one.' },
    ),
  },
  encode: ({ from, to, type }) => ({
    query: { From: toMonthFirst(from), To: toMonthFirst(to), Kind: theirs(misses, type) },
  }),
  decode: (answer) => ({
    rows: rows(resultOf(answer)['Misses']).map(({ Cid, Full, Title, Day: on, Kind }) => ({
      member_id: Cid,
      name: Full,
      class_name: Title,
      date: fromMonthFirst(on),
      type: word(misses, Kind),
    })),
  }),
})
