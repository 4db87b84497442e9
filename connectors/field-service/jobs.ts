import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { labelled } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { InputRejected } from '../kit/failures.ts'
import { closed, defaulted, oneOf } from '../kit/inputs.ts'
import { rows, text, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { fromDotted } from './figures.ts'
import { customer } from './previews.ts'
import { Job, job } from './shapes.ts'
import {
  AnyJobNumber,
  CustomerName,
  CustomerNumber,
  CustomerRef,
  JobRef,
  OrderRef,
  PageNumber,
  ServiceType,
  Stage,
  Status,
  data,
  formToken,
  ledToOrder,
  page,
  pageQuery,
  ref,
  statuses,
} from './shared.ts'

const spans = codec({
  today: 'Today',
  tomorrow: 'Tomorrow',
  yesterday: 'Yesterday',
  this_week: 'ThisWeek',
  next_week: 'NextWeek',
  last_week: 'LastWeek',
  this_month: 'ThisMonth',
  next_month: 'NextMonth',
  last_month: 'LastMonth',
  this_year: 'ThisYear',
  last_year: 'LastYear',
})

export const list_jobs = endpoint({
  summary: 'List jobs by status, scheduled day and employee, 30 a page, oldest first.',
  aliases: [
    'jobs of an employee',
    'scheduled jobs',
    'unscheduled jobs',
    'completed jobs',
    'work for today',
    'open jobs',
  ],
  label: 'List jobs',
  brief: ['status', 'scheduled', 'employee'],
  access: 'read',
  request: 'GET /app/ajax/jobs',
  input: {
    status: labelled('Status', Type.Optional(oneOf(statuses.words, 'Only jobs in this status; all when left out.'))),
    scheduled: labelled(
      'Scheduled',
      Type.Optional(
        oneOf(
          spans.words,
          "Only jobs whose scheduled_on is in this time, in the firm's time zone; weeks begin on Monday.",
        ),
      ),
    ),
    employee: labelled(
      'Employee',
      Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 120,
          description:
            'Only jobs that this employee is assigned to: the whole name, as in employees of an answer, in any case.',
        }),
      ),
    ),
    page,
  },
  output: {
    jobs: Type.Array(
      closed({
        job_number: JobRef,
        service_type: ServiceType,
        customer: CustomerName,
        status: Status,
        scheduled_on: labelled(
          'Scheduled on',
          Type.Union([Type.String({ format: 'date' }), Type.Null()], {
            description: 'The day of the next event, or else of the last; null when there is none.',
          }),
        ),
        employees: Type.Array(Type.String(), {
          description: 'The full names of all who are assigned to its events; empty when nobody is.',
        }),
      }),
      { description: 'The jobs on this page, oldest first; empty on a page behind the last.' },
    ),
    page: PageNumber,
  },
  encode: ({ status: state, scheduled, employee, page: number }) => ({
    query: {
      State: state && statuses.encode(state),
      Span: scheduled && spans.encode(scheduled),
      Crew: employee,
      ...pageQuery(number),
    },
  }),
  decode: (answer) => ({
    jobs: rows(data(answer)['Rows']).map(({ OrderNo, Service, ClientTitle, State, Slated, Crew }) => ({
      job_number: ref(OrderNo),
      service_type: Service,
      customer: ClientTitle,
      status: statuses.decode(State),
      scheduled_on: Slated === null ? null : fromDotted(Slated),
      employees: Crew,
    })),
    page: data(answer)['Page'],
  }),
})

export const get_job = endpoint({
  summary: 'Read a job or opportunity with its charges, scheduled events, logged hours and invoice.',
  aliases: ['details of a job', 'charges of a job', 'hours logged on a job', 'job status', 'opportunity details'],
  label: 'Read a job',
  brief: ['job_number'],
  access: 'read',
  request: 'GET /app/ajax/orders/{job_number}',
  input: { job_number: AnyJobNumber },
  output: Job,
  decode: (answer) => job(data(answer)),
})

/** The account's spelling of a service name. */
function serviceNamed(before: Fields, name: string): string {
  const names = rows(data(before)['Services']).map(({ Label }) => text(Label))
  const found = names.find((known) => known.toLowerCase() === name.toLowerCase())
  if (found === undefined)
    throw new InputRejected('SERVICE_UNKNOWN', `The account has no service "${name}". It has: ${names.join(', ')}.`)
  return found
}

const Words = (label: string, description: string) =>
  Type.Optional(labelled(label, Type.String({ maxLength: 10_000, description })))

export const create_job = endpoint({
  summary: 'Create an unscheduled job, or a new opportunity, for a customer. Nothing is sent to the customer.',
  aliases: [
    'new job for a customer',
    'create an opportunity',
    'new work order',
    'start a job',
    'new sales opportunity',
    'open a job without a date',
    'they need something fixed',
  ],
  label: 'Create a job',
  brief: ['customer_number', 'service_type', 'scope_of_work', 'as_opportunity'],
  approval: {
    headline:
      'Create a job for {customer_number}: {service_type}[, {scope_of_work}][, at {customer_number.service_address}]',
    button: 'Create job',
    instead: [
      {
        when: { as_opportunity: [true] },
        headline:
          'Add an opportunity for {customer_number}: {service_type}[, {scope_of_work}][, at {customer_number.service_address}]',
        button: 'Add opportunity',
      },
    ],
    consequences: [
      {
        kind: 'other',
        text: 'It becomes a job without a date; nothing is sent to the customer',
        when: { as_opportunity: [false] },
      },
      {
        kind: 'other',
        text: 'It becomes an opportunity, to be estimated first; nothing is sent to the customer',
        when: { as_opportunity: [true] },
      },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_customer', from: { customer_number: 'customer_number' } }],
  preview: [customer],
  access: 'write',
  request: 'POST /app/orders',
  before: '/app/ajax/setup',
  input: {
    customer_number: CustomerNumber,
    service_type: labelled(
      'Service',
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The service as the account names it, as in service_type of list_jobs; case does not matter.',
      }),
    ),
    description: Words('Description', 'What the team should know; the customer does not see it.'),
    scope_of_work: Words('Scope of work', 'What will be done, as the customer reads it.'),
    as_opportunity: labelled(
      'As an opportunity',
      defaulted(
        Type.Boolean({ description: 'true for an opportunity, to be estimated first, instead of a job.' }),
        false,
      ),
    ),
  },
  output: {
    job_number: OrderRef,
    type: oneOf(['job', 'opportunity'], 'Whether a job or an opportunity was created.'),
    stage: Type.Union([Stage, Type.Null()], { description: 'The stage of an opportunity; null for a job.' }),
    customer_number: CustomerRef,
    service_type: ServiceType,
  },
  csrf: formToken,
  answer: 'redirect',
  encode: ({ customer_number, service_type, description, scope_of_work, as_opportunity }, { before }) => ({
    form: {
      Kind: as_opportunity ? 'Lead' : 'Job',
      ClientNo: customer_number,
      Service: serviceNamed(before, service_type),
      Internal: description,
      Scope: scope_of_work,
    },
  }),
  decode: (_answer, { input, before, location }) => {
    const { order, what } = ledToOrder(location, 'made')
    const type = word({ job: 'job', lead: 'opportunity' }, what)
    return {
      job_number: order,
      type,
      stage: type === 'opportunity' ? 'new' : null,
      customer_number: input.customer_number,
      service_type: serviceNamed(before, input.service_type),
    }
  },
})
