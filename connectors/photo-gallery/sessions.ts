import { Type } from 'typebox'
import { toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, described, moment, refTo } from '../kit/inputs.ts'
import { rows } from '../kit/wire.ts'
import { attributes, nameOf } from './documents.ts'
import { fromMs } from './shared.ts'

export const list_sessions = endpoint({
  summary: 'List the photo sessions in the calendar between two days, both included, earliest first.',
  aliases: [
    'upcoming shoots',
    'photo sessions this week',
    'when is the next shoot',
    'my shooting calendar',
    'bookings of the studio',
    'when is the next shooting',
    'what am I shooting this month',
  ],
  label: 'List photo sessions',
  brief: ['from', 'to'],
  access: 'read',
  request: 'GET /api/calendar',
  input: {
    from: labelled('First day', Type.Optional(day("The first day, in the studio's time zone; today when left out."))),
    to: labelled(
      'Last day',
      Type.Optional(day("The last day, in the studio's time zone; 7 days after from when left out.")),
    ),
  },
  output: {
    sessions: Type.Array(
      closed({
        session_id: refTo('session', 'Identifies the session in the calendar; no endpoint takes it.'),
        client: Type.String({ description: 'The full name of the contact who is photographed.' }),
        type: Type.String({ description: "What kind of shoot it is, in the studio's words, such as Wedding." }),
        starts_at: described(moment, 'When the session begins, in UTC.'),
      }),
      { description: 'Earliest first; empty when none begins on these days.' },
    ),
  },
  encode: ({ from, to }) => ({ query: { 'filter[first]': toCompact(from), 'filter[last]': toCompact(to) } }),
  decode: ({ data, included }) => ({
    sessions: rows(data).map((booking) => ({
      session_id: booking['id'],
      client: nameOf(booking, 'sitter', included),
      type: attributes(booking)['kind'],
      starts_at: fromMs(attributes(booking)['begins_ms']),
    })),
  }),
})
