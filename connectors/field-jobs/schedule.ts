import { Type } from 'typebox'
import { fromCompact, fromEpoch, toCompact } from '../kit/dates.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, described, moment } from '../kit/inputs.ts'
import { fields, rows } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { Day, JobRef, JobType, TechId, TechRef } from './shared.ts'

const Visit = closed({
  job_id: JobRef,
  start: described(moment, 'When the job begins, in UTC; before this day if it lasts over midnight.'),
  end: described(moment, 'When the job ends, in UTC; after this day if it lasts over midnight.'),
  job_type: JobType,
})
const TimeOff = closed({
  start: described(moment, 'When the time off begins, in UTC; perhaps on an earlier day.'),
  end: described(moment, 'When the time off ends, in UTC; perhaps on a later day.'),
  reason: Type.String({ description: 'Why they are off, as it was written in the app; empty when nothing was.' }),
})
const Tech = closed({
  ...TechRef,
  jobs: Type.Array(Visit, {
    description: 'Their jobs that touch this day, earliest first, without canceled ones; empty when none.',
  }),
  time_off: Type.Array(TimeOff, { description: 'The future time off that touches this day.' }),
})

export const get_schedule = endpoint({
  summary: "Show the team's schedule day by day: each person's jobs and time off, and their tech_id.",
  aliases: [
    'who works when',
    'team calendar',
    'who is free tomorrow',
    'who has time off',
    "technicians' availability",
    'what is the crew doing',
    'what does the crew do tomorrow',
    'is anybody free on Thursday',
    'who is on holiday',
  ],
  label: 'Show the schedule',
  brief: ['from', 'to', 'tech_ids'],
  access: 'read',
  request: 'GET /api/board',
  input: {
    from: labelled('First day', day("The first day, on the company's clocks.")),
    to: labelled(
      'Last day',
      Type.Optional(day('The last day, included, at most 31 days in all; the same as from when left out.')),
    ),
    tech_ids: labelled(
      'Team members',
      Type.Optional(
        Type.Array(TechId, {
          minItems: 1,
          maxItems: 100,
          description: 'Only these team members, by their tech_id; everyone when left out.',
        }),
      ),
    ),
  },
  output: {
    days: Type.Array(
      closed({
        date: described(Day, "The day, on the company's clocks."),
        techs: Type.Array(Tech, {
          description: 'Everybody who was asked for, also those with nothing to do; a technician sees only themselves.',
        }),
      }),
      { description: 'One entry for each day that was asked for, the first day first.' },
    ),
  },
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
    time_off: rows(off).map(({ why, ...times }) => ({ ...span(times), reason: why })),
  }
}

function span({ begins_at, ends_at }: Fields) {
  return { start: fromEpoch(begins_at), end: fromEpoch(ends_at) }
}
