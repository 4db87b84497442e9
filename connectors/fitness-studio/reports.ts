import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, defaulted, oneOf } from '../kit/inputs.ts'
import { rows } from '../kit/wire.ts'
import { ClassDay, ClassName, MemberName, OutMemberId, fromMonthFirst, resultOf, toMonthFirst } from './shared.ts'

const misses = codec({ no_show: 'NS', late_cancel: 'LC' })

export const list_no_shows_late_cancels = endpoint({
  summary:
    'List no-shows and late cancellations by class; the last 24 to 48 hours are not in it yet, and no fees are charged. Admins only.',
  aliases: [
    'who did not show up',
    'no-shows',
    'late cancellations',
    'who missed class',
    'members that skipped',
    'who books and does not turn up',
    'who did not come to class',
  ],
  label: 'List missed classes',
  brief: ['from', 'to', 'type'],
  access: 'read',
  request: 'GET /staff/svc/misses',
  input: {
    from: labelled('First day', day("The first day of classes, on the studio's clocks.")),
    to: labelled(
      'Last day',
      day('The last day, included. The report reaches no further than the day before yesterday.'),
    ),
    type: labelled('Type', defaulted(oneOf([...misses.words, 'all'], 'Only these; all: both.'), 'all')),
  },
  output: {
    rows: Type.Array(
      closed({
        member_id: OutMemberId,
        name: MemberName,
        class_name: ClassName,
        date: ClassDay,
        type: oneOf(
          misses.words,
          'What happened; no_show: reserved, but never checked in; late_cancel: cancelled too late.',
        ),
      }),
      { description: 'In the order of the classes; empty when nobody missed one.' },
    ),
  },
  encode: ({ from, to, type }) => ({
    query: { From: toMonthFirst(from), To: toMonthFirst(to), Kind: type === 'all' ? undefined : misses.encode(type) },
  }),
  decode: (answer) => ({
    rows: rows(resultOf(answer)['Misses']).map(({ Cid, Full, Title, Day: on, Kind }) => ({
      member_id: Cid,
      name: Full,
      class_name: Title,
      date: fromMonthFirst(on),
      type: misses.decode(Kind),
    })),
  }),
})
