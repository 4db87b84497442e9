import { Type } from 'typebox'
import { fromEpoch } from '../dates.ts'
import { endpoint } from '../define.ts'
import { closed, day, moment } from '../inputs.ts'
import { fields, rows } from '../wire.ts'
import type { Fields } from '../wire.ts'
import { Day, NullableText, TechId, fromCompact, given, toCompact } from './words.ts'

const Visit = closed({ job_id: Type.String({ format: 'uuid' }), start: moment, end: moment, job_type: Type.String() })
const TimeOff = closed({ start: moment, end: moment, reason: NullableText })
const Tech = closed({
  tech_id: Type.String(),
  name: Type.String(),
  jobs: Type.Array(Visit),
  time_off: Type.Array(TimeOff, { description: 'The future time off that touches this day.' }),
})

export const get_schedule = endpoint({
  summary: "Show the team's schedule day by day: each person's jobs and time off, and their tech_id.",
  access: 'read',
  request: 'GET /api/board',
  input: {
    from: day("The first day, on the company's clocks."),
    to: Type.Optional(day('The last day, included, at most 31 days in all; the same as from when left out.')),
    tech_ids: Type.Optional(
      Type.Array(TechId, {
        minItems: 1,
        maxItems: 100,
        description: 'Only these team members, by their tech_id; everyone when left out.',
      }),
    ),
  },
  output: { days: Type.Array(closed({ date: Day, techs: Type.Array(Tech) })) },
  encode: ({ from, to, tech_ids }) => ({
    query: { from_day: toCompact(from), until_day: toCompact(to), member: tech_ids },
  }),
  decode: ({ days }) => ({
    days: rows(days).map(({ day: date, lanes }) => ({ date: fromCompact(date), techs: rows(lanes).map(tech) })),
  }),
})

function tech({ member, visits, off }: Fields) {
  const { uuid, full_name } = fields(member)
  return {
    tech_id: uuid,
    name: full_name,
    jobs: rows(visits).map(({ job, kind, ...times }) => ({ job_id: job, ...span(times), job_type: kind })),
    time_off: rows(off).map(({ why, ...times }) => ({ ...span(times), reason: given(why) })),
  }
}

function span({ begins_at, ends_at }: Fields) {
  return { start: fromEpoch(begins_at), end: fromEpoch(ends_at) }
}
