import { Type } from 'typebox'
import { toCompact } from '../kit/dates.ts'
import { labelled, recipients } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, cursor, day, described, id, limit, nextCursor } from '../kit/inputs.ts'
import { rows } from '../kit/wire.ts'
import { Job, JobRow, job, jobRow } from './job.ts'
import { client as knownClient, openJob, team } from './previews.ts'
import { listQuery, pageOf } from './lists.ts'
import { ItemInput, kind, lines } from './setup.ts'
import { ClientId, JobId, JobRef, TechId, TechRef, toEpoch } from './shared.ts'

export const list_jobs = endpoint({
  summary: 'List the jobs that begin between two days, both included, newest first.',
  aliases: [
    'jobs this week',
    'which jobs are scheduled',
    'work orders',
    'jobs of last month',
    'visits planned',
    'what work have we got this week',
    'what did we finish',
  ],
  label: 'List jobs',
  brief: ['from', 'to', 'status', 'tech_id'],
  access: 'read',
  request: 'GET /api/jobs',
  input: {
    from: labelled(
      'First day',
      Type.Optional(day("The first day, on the company's clocks; 14 days ago when left out.")),
    ),
    to: labelled(
      'Last day',
      Type.Optional(day("The last day, on the company's clocks; today when left out, or a from that is later.")),
    ),
    status: labelled(
      'Statuses',
      Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 100, description: 'A status, such as Done.' }), {
          minItems: 1,
          maxItems: 20,
          description:
            'Only jobs with one of these statuses: Submitted, In progress, Waiting for parts, Done, Canceled. All when left out.',
        }),
      ),
    ),
    tech_id: labelled(
      'Team member',
      Type.Optional(id('tech', "Only this team member's jobs: tech_id from get_schedule.")),
    ),
    limit: limit(50),
    cursor,
  },
  output: {
    jobs: Type.Array(closed(JobRow), { description: 'The jobs on this page, the one that begins last first.' }),
    next_cursor: nextCursor,
  },
  encode: ({ from, to, status, tech_id, limit: size }, { anchor }) => ({
    query: listQuery(
      { from_day: toCompact(from), until_day: toCompact(to), state: status, member: tech_id },
      { limit: size, anchor },
    ),
  }),
  decode: (list, { input, anchor, cursor: next }) => {
    const page = pageOf(list, { limit: input.limit, anchor })
    return { jobs: page.items.map((row) => jobRow(row, list['money'])), next_cursor: next(page.next) }
  },
})

export const get_job = endpoint({
  summary: 'Read one job with its client, time window, notes, items and payments.',
  aliases: ['details of a job', 'what has to be done at the customer', 'job notes and payments', 'work order'],
  label: 'Read a job',
  brief: ['job_id'],
  access: 'read',
  request: 'GET /api/jobs/{job_id}',
  input: { job_id: JobId },
  output: Job,
  decode: job,
})

const Window = labelled(
  'Time window',
  Type.Object(
    {
      start: labelled(
        'Starts at',
        Type.String({
          format: 'date-time',
          description: 'When it begins, now or later. ISO 8601 with offset or Z.',
        }),
      ),
      end: labelled(
        'Ends at',
        Type.String({
          format: 'date-time',
          description: 'When it ends, 5 minutes to 7 days after start. ISO 8601 with offset or Z.',
        }),
      ),
    },
    { additionalProperties: false, description: 'The time window in which the team comes, told to the client.' },
  ),
)

const NewClient = Type.Object(
  {
    name: labelled(
      'Name',
      Type.String({ minLength: 1, maxLength: 120, description: 'The full name of the new client.' }),
    ),
    phone: labelled(
      'Phone number',
      Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'Their phone number, for texts.' })),
    ),
    email: labelled(
      'Email',
      Type.Optional(
        Type.String({ minLength: 3, maxLength: 254, description: 'Their email address; no other client may have it.' }),
      ),
    ),
    address: labelled(
      'Address',
      Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Where they live or work.' })),
    ),
  },
  { additionalProperties: false, description: 'A new client, added along with the job. Or give client_id, not both.' },
)

/** The list needs a last day to include future jobs. */
const allToCome = { read: 'list_jobs', set: { to: '2099-12-31' } }

export const create_job = endpoint({
  summary: 'Plan a job for a client that you have or for a new one; the client and the team are told.',
  aliases: [
    'schedule a visit',
    'new job for a client',
    'book a repair',
    'plan a job',
    'send a technician to a client',
    'new work order',
    'send someone to her house on Monday',
    'put in a cleaning for a client',
    'he needs a repair, plan it',
  ],
  label: 'Plan a job',
  brief: ['client_id', 'client', 'job_type', 'window'],
  approval: {
    headline:
      'Plan {job_type}[ for {client_id}][ for the new client {client.name}][ on {window.start}][ with {tech_ids}]',
    button: 'Plan job',
    consequences: [
      { kind: 'people', text: 'The client is told the time window[: {window.start} to {window.end}]' },
      { kind: 'people', text: '[{tech_ids|team member is|team members are} told]' },
      { kind: 'money', text: '[{items|item goes|items go} on the job, at the prices of the price book]' },
    ],
  },
  effect: 'adds',
  shownBy: [allToCome],
  preview: [knownClient, team('tech_ids')],
  verify: {
    read: 'list_jobs',
    set: { to: '2099-12-31', limit: 100 },
    at: 'jobs',
    id: 'job_id',
    same: {
      job_type: 'job_type',
      scheduled_start: 'window.start',
      'client.client_id': 'client_id',
      'client.name': 'client.name',
    },
  },
  access: 'write',
  confirm: true,
  request: 'POST /api/jobs',
  before: '/api/setup',
  input: {
    client_id: Type.Optional(
      recipients(
        described(ClientId, 'A client that you have: client_id from list_clients. Give this or client, not both.'),
      ),
    ),
    client: Type.Optional(recipients(labelled('New client', NewClient))),
    job_type: labelled(
      'Job type',
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "One of the account's configured job types, by its name as jobs show it; another is refused with the list of them.",
      }),
    ),
    window: Window,
    address: labelled(
      'Address',
      Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 300,
          description: "Where the job is; the client's address if left out.",
        }),
      ),
    ),
    notes: labelled('Notes', Type.Optional(Type.String({ maxLength: 4000, description: 'Notes for the team.' }))),
    tech_ids: labelled(
      'Team members',
      recipients(
        Type.Optional(
          Type.Array(TechId, {
            maxItems: 20,
            uniqueItems: true,
            description: 'Who does it, nobody of them off then: tech_id from get_schedule. Nobody yet when left out.',
          }),
        ),
      ),
    ),
    items: labelled(
      'Items',
      Type.Optional(
        Type.Array(ItemInput, {
          maxItems: 50,
          description: 'What it will cost, from the price book. Nothing if left out.',
        }),
      ),
    ),
  },
  exactlyOne: ['client_id', 'client'],
  output: Job,
  encode: ({ client_id, client, job_type, window, address, notes, tech_ids, items }, { before }) => ({
    json: {
      customer: client_id,
      new_customer: client && {
        full_name: client.name,
        mobile: client.phone,
        mail: client.email,
        site: client.address,
      },
      kind: kind(job_type, before),
      begins_at: toEpoch(window.start),
      ends_at: toEpoch(window.end),
      site: address,
      remarks: notes,
      crew: tech_ids,
      lines: lines(items, before),
    },
  }),
  decode: job,
})

export const reschedule_job = endpoint({
  summary: "Move a job that is not over to a new time window; it changes the client's appointment, and they are told.",
  aliases: [
    'move a job to another day',
    'postpone a visit',
    'change the time of a job',
    'push the appointment back',
    'bring forward',
    'she is not at home, come another day',
    'make it an hour later',
  ],
  label: 'Reschedule a job',
  brief: ['job_id', 'window'],
  approval: {
    headline: 'Move the job[ of {job_id.client.name}][ to {window.start}][ instead of {job_id.window.start}]',
    button: 'Move job',
    consequences: [
      { kind: 'people', text: 'The client and the team on the job are told' },
      { kind: 'other', text: '[The new time window ends {window.end}]' },
    ],
  },
  effect: 'changes',
  shownBy: [{ read: 'get_job', from: { job_id: 'job_id' } }],
  preview: [openJob],
  verify: {
    read: 'get_job',
    from: { job_id: 'job_id' },
    same: { job_id: 'job_id', 'window.start': 'window.start', 'window.end': 'window.end' },
  },
  access: 'write',
  confirm: true,
  request: 'PUT /api/jobs/{job_id}/window',
  input: { job_id: JobId, window: Window },
  output: Job,
  encode: ({ window }) => ({ json: { begins_at: toEpoch(window.start), ends_at: toEpoch(window.end) } }),
  decode: job,
})

const people = (label: string, description: string) =>
  Type.Optional(
    recipients(labelled(label, Type.Array(TechId, { minItems: 1, maxItems: 20, uniqueItems: true, description }))),
  )

export const assign_job = endpoint({
  summary: 'Assign team members to a job that is not over, unassign others, or both; those people are told.',
  aliases: [
    'put a technician on a job',
    'send somebody else to the job',
    'take a worker off a job',
    'dispatch',
    'who shall do it',
    'reassign',
    'let somebody else do it',
    'take him off and send her',
  ],
  label: 'Assign a job',
  brief: ['job_id', 'assign', 'unassign'],
  approval: {
    headline:
      'Change the team on the job[ of {job_id.client.name}][, adding {assign}][, removing {unassign}][, on {job_id.window.start}]',
    button: 'Change team',
    consequences: [
      { kind: 'people', text: '[{assign|team member is|team members are} told of being put on the job]' },
      { kind: 'people', text: '[{unassign|team member is|team members are} told of being taken off the job]' },
      { kind: 'other', text: 'The client is not told' },
    ],
  },
  effect: 'changes',
  shownBy: [allToCome],
  preview: [openJob, team('assign'), team('unassign')],
  access: 'write',
  confirm: true,
  request: 'PATCH /api/jobs/{job_id}/crew',
  input: {
    job_id: JobId,
    assign: people(
      'Put on the job',
      'Who is put on the job, not on it yet and not off then: tech_id from get_schedule.',
    ),
    unassign: people('Taken off the job', 'Who is taken off the job, on it now: tech_id from get_schedule.'),
  },
  atLeastOne: ['assign', 'unassign'],
  output: {
    job_id: JobRef,
    techs: Type.Array(closed(TechRef), {
      description: 'Everybody who is on the job now.',
    }),
  },
  encode: ({ assign, unassign }) => ({ json: { put_on: assign, take_off: unassign } }),
  decode: ({ uuid, crew }) => ({
    job_id: uuid,
    techs: rows(crew).map((member) => ({ tech_id: member['uuid'], name: member['full_name'] })),
  }),
})
