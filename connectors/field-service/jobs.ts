import { Type } from 'typebox'
import { endpoint } from '../kit/define.ts'
import { Unsendable } from '../kit/failures.ts'
import { closed, defaulted, oneOf } from '../kit/inputs.ts'
import { rows, text, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { fromDotted } from './figures.ts'
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
  ledTo,
  page,
  pageQuery,
  ref,
  status,
  statuses,
} from './words.ts'

const spans = {
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
} as const

export const list_jobs = endpoint({
  summary: 'List jobs by status, scheduled day and employee, 30 a page, oldest first.',
  access: 'read',
  request: 'GET /app/ajax/jobs',
  input: {
    status: Type.Optional(
      oneOf(
        ['unscheduled', 'scheduled', 'in_progress', 'on_hold', 'canceled', 'complete'],
        'Only jobs in this status; all when left out.',
      ),
    ),
    scheduled: Type.Optional(
      oneOf(
        [
          'today',
          'tomorrow',
          'yesterday',
          'this_week',
          'next_week',
          'last_week',
          'this_month',
          'next_month',
          'last_month',
          'this_year',
          'last_year',
        ],
        "Only jobs whose scheduled_on is in this time, in the firm's time zone; weeks begin on Monday.",
      ),
    ),
    employee: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 120,
        description:
          'Only jobs that this employee is assigned to: the whole name, as in employees of an answer, in any case.',
      }),
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
        scheduled_on: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
          description: 'The day of the next event, or else of the last; null when there is none.',
        }),
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
      State: state && statuses[state],
      Span: scheduled && spans[scheduled],
      Crew: employee,
      ...pageQuery(number),
    },
  }),
  decode: (answer) => ({
    jobs: rows(data(answer)['Rows']).map(({ OrderNo, Service, ClientTitle, State, Slated, Crew }) => ({
      job_number: ref(OrderNo),
      service_type: Service,
      customer: ClientTitle,
      status: status(State),
      scheduled_on: Slated === null ? null : fromDotted(Slated),
      employees: Crew,
    })),
    page: data(answer)['Page'],
  }),
})

export const get_job = endpoint({
  summary: 'Read a job or opportunity with its charges, scheduled events, logged hours and invoice.',
  access: 'read',
  request: 'GET /app/ajax/orders/{job_number}',
  input: { job_number: AnyJobNumber },
  output: Job,
  decode: (answer) => job(data(answer)),
})

/** The account's own name of a service, in its own case. */
function serviceNamed(before: Fields, name: string): string {
  const names = rows(data(before)['Services']).map(({ Label }) => text(Label))
  const found = names.find((known) => known.toLowerCase() === name.toLowerCase())
  if (found === undefined)
    throw new Unsendable('SERVICE_UNKNOWN', `The account has no service "${name}". It has: ${names.join(', ')}.`)
  return found
}

const Words = (description: string) => Type.Optional(Type.String({ maxLength: 10_000, description }))

export const create_job = endpoint({
  summary: 'Create an unscheduled job, or a new opportunity, for a customer. Nothing is sent to the customer.',
  access: 'write',
  request: 'POST /app/orders',
  input: {
    customer_number: CustomerNumber,
    service_type: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The service as the account names it, as in service_type of list_jobs; case does not matter.',
    }),
    description: Words('What the team should know; the customer does not see it.'),
    scope_of_work: Words('What will be done, as the customer reads it.'),
    as_opportunity: defaulted(
      Type.Boolean({ description: 'true for an opportunity, to be estimated first, instead of a job.' }),
      false,
    ),
  },
  output: {
    job_number: OrderRef,
    type: Type.Enum(['job', 'opportunity'], {
      type: 'string',
      description: 'Whether a job or an opportunity was created.',
    }),
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
    const { order, what } = ledTo(location, 'made')
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
