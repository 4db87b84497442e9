import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, day, described } from '../kit/inputs.ts'
import { fields } from '../kit/wire.ts'
import { toDotted, toFigure, toUtc } from './figures.ts'
import { scheduledJob, workedJob } from './previews.ts'
import { EventId, TimeEntry, timeEntry } from './shapes.ts'
import { JobNumber, JobRef, data, formToken, ledToOrder, ref } from './shared.ts'

const Moment = (description: string) =>
  Type.String({ format: 'date-time', description: `${description}, to the minute; ISO 8601 with an offset or Z.` })
const Employee = (description: string) =>
  labelled(
    'Employee',
    Type.String({
      minLength: 1,
      maxLength: 120,
      description: `${description}: the whole name, as in employees of list_jobs, in any case.`,
    }),
  )
const Notes = labelled('Notes', Type.Optional(Type.String({ maxLength: 2000, description: 'A remark for the team.' })))

export const schedule_event = endpoint({
  summary: 'Schedule work on a job, optionally assigned to an employee; an unscheduled job becomes scheduled.',
  aliases: [
    'put a job on the calendar',
    'schedule work',
    'plan when to do a job',
    'assign an employee to a visit',
    'book a technician',
    'send him there on Monday at nine',
    'put the work on a day',
  ],
  label: 'Schedule work',
  brief: ['job_number', 'start_at', 'employee', 'title'],
  approval: {
    headline: 'Schedule work for {job_number} on {start_at}[ by {employee}][, {title}][, {job_number.service_type}]',
    button: 'Schedule work',
    consequences: [
      { kind: 'other', text: 'Nobody is told; an unscheduled job becomes scheduled' },
      { kind: 'other', text: 'Ends on {end_at}' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_job', from: { job_number: 'job_number' } }],
  preview: [scheduledJob],
  verify: {
    read: 'get_job',
    from: { job_number: 'job_number' },
    at: 'events',
    id: 'event_id',
    same: { title: 'title', start_at: 'start_at', end_at: 'end_at' },
  },
  access: 'write',
  request: 'POST /app/orders/{job_number}/visits',
  input: {
    job_number: JobNumber,
    start_at: labelled('Starts at', Moment('When it begins')),
    end_at: labelled('Ends at', Moment('When it ends, within 14 days of the beginning')),
    title: labelled(
      'Title',
      Type.Optional(
        Type.String({ maxLength: 200, description: 'What it is about; the service of the job when left out.' }),
      ),
    ),
    employee: Type.Optional(Employee('Who goes there, nobody when left out')),
    notes: Notes,
  },
  output: { job_number: JobRef, event_id: EventId },
  csrf: formToken,
  answer: 'redirect',
  encode: ({ start_at, end_at, title, employee, notes }) => ({
    form: {
      Topic: title,
      From: toUtc(start_at),
      Till: toUtc(end_at),
      Zone: 'Etc/UTC',
      Crew: employee,
      Remark: notes,
    },
  }),
  decode: (_answer, { location }) => {
    const { order, what } = ledToOrder(location, 'visit')
    return { job_number: order, event_id: what }
  },
})

export const log_time_entry = endpoint({
  summary: 'Log hours that an employee worked on a job.',
  aliases: [
    'log hours',
    'timesheet',
    'record time worked',
    'employee worked four hours',
    'track time',
    'she worked there three hours',
    'he was at the site from eight to noon',
  ],
  label: 'Log hours',
  brief: ['employee', 'hours', 'job_number', 'date'],
  approval: {
    headline: 'Log {hours|hour|hours} of {employee} for {job_number}[ on {date}][, {job_number.service_type}]',
    button: 'Log hours',
    consequences: [{ kind: 'other', text: 'The job shows the hours; nobody is told' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_job', from: { job_number: 'job_number' } }],
  preview: [workedJob],
  verify: {
    read: 'get_job',
    from: { job_number: 'job_number' },
    at: 'time_entries',
    id: 'time_entry_id',
    same: { 'employee.name': 'employee', date: 'date', hours: 'hours', notes: 'notes' },
  },
  access: 'write',
  request: 'POST /app/ajax/orders/{job_number}/hours',
  input: {
    job_number: JobNumber,
    employee: Employee('Who worked'),
    hours: labelled(
      'Hours',
      Type.Number({
        minimum: 0.01,
        maximum: 24,
        description: 'How long, in hours with at most two decimals: 1.5 is an hour and a half.',
      }),
    ),
    date: labelled('Day', Type.Optional(day("The day of the work, today or earlier; the firm's today when left out."))),
    notes: Notes,
  },
  output: {
    job_number: JobRef,
    time_entry: described(closed(TimeEntry), 'The hours that were logged.'),
  },
  encode: ({ employee, hours, date, notes }) => ({
    json: { Crew: employee, Time: toFigure(hours), Day: toDotted(date), Remark: notes },
  }),
  decode: (answer) => ({
    job_number: ref(data(answer)['OrderNo']),
    time_entry: timeEntry(fields(data(answer)['Entry'])),
  }),
})
