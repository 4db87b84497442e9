import { Type } from 'typebox'
import { endpoint } from '../define.ts'
import { closed, day, defaulted, oneOf } from '../inputs.ts'
import { rows, word } from '../wire.ts'
import { Day, fromMonthFirst, resultOf, theirs, toMonthFirst } from './words.ts'

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
        member_id: Type.String(),
        name: Type.String(),
        class_name: Type.String(),
        date: Day,
        type: Type.Enum(types, { type: 'string' }),
      }),
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
