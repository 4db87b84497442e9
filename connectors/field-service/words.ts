import { Type } from 'typebox'
import type { Csrf } from '../kit/csrf.ts'
import { defaulted, described, id, refTo } from '../kit/inputs.ts'
import { UnknownShape, fields, number, text, word } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export const CustomerNumber = id('customer', 'Which customer: customer_number from list_customers.')
export const JobNumber = id('job', 'Which job: job_number from list_jobs.')
export const AnyJobNumber = id('job', 'Which job or opportunity: job_number from list_jobs or list_opportunities.')
export const OpportunityNumber = id('job', 'Which opportunity: job_number from list_opportunities.')

/** Output: what jobs, opportunities and customers are known by. */
export const JobRef = refTo('job', 'The number of the job; get_job and other endpoints take it as job_number.')
export const OpportunityRef = refTo(
  'job',
  'The number of the opportunity: pass it to get_job, add_charge or send_estimate as job_number.',
)
export const OrderRef = refTo(
  'job',
  'The number of the job or opportunity; get_job and other endpoints take it as job_number.',
)
export const CustomerRef = refTo('customer', 'The number of the customer: pass it to get_customer or create_job.')
export const CustomerName = Type.String({ description: 'The full name of the customer, a person or a company.' })
export const ServiceType = Type.String({
  description: "The account's own name of the service; create_job takes it as service_type.",
})

/** All lists have the pages that the documents tell of jobs. */
export const page = defaulted(
  Type.Integer({ minimum: 1, description: 'Which page, from 1 on. A page holds 30; one behind the last is empty.' }),
  1,
)
export const PageNumber = Type.Integer({ description: 'Which page this is, from 1 on, as it was asked for.' })

export function pageQuery(number: number): Fields {
  return { Page: number, Size: 30 }
}

export const statuses = {
  unscheduled: 'Open',
  scheduled: 'Slated',
  in_progress: 'Working',
  on_hold: 'Paused',
  canceled: 'Dropped',
  complete: 'Done',
} as const
export const Status = Type.Enum(['unscheduled', 'scheduled', 'in_progress', 'on_hold', 'canceled', 'complete'], {
  type: 'string',
  description: 'Where the job stands; unscheduled has no event yet, complete and canceled ones are over.',
})

export const stages = { new: 'Fresh', won: 'Won', lost: 'Lost' } as const
export const Stage = Type.Enum(['new', 'won', 'lost'], {
  type: 'string',
  description: 'Where the opportunity stands: new until it is won or lost in the app.',
})

export const StatusOrStage = Type.Enum([...Status.enum, ...Stage.enum], {
  type: 'string',
  description: 'The status of a job; of an opportunity, its stage: new, won or lost.',
})

export function status(state: unknown): string {
  return word(inverse(statuses), state)
}

export function stage(value: unknown): string {
  return word(inverse(stages), value)
}

/** Our words for the app's, out of a table of its words for ours. */
export function inverse(table: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([ours, theirs]) => [theirs, ours]))
}

export const NullableText = Type.Union([Type.String(), Type.Null()])
export const Decimal = Type.String({ pattern: '^-?\\d+\\.\\d\\d$' })

/** Output: what invoices tell alike. */
export const InvoiceTotal = described(
  Decimal,
  "The sum of the job's charges, also of later ones, a decimal text in the firm's currency, such as 4678.80.",
)
export const Balance = described(
  Decimal,
  "What is left to pay, a decimal text in the firm's currency, such as 4678.80.",
)
export const Currency = Type.String({
  description: "The firm's currency, in which all amounts are, by its three-letter code such as EUR.",
})

/** The app has an empty text where it has nothing. */
export function orNull(value: unknown): string | null {
  return text(value) === '' ? null : text(value)
}

/** Things are numbers in the app, identifiers here. */
export function ref(value: unknown): string {
  return String(number(value))
}

/** The session's token is the same in every page; this answer is free, and is there whatever state a job is in. */
export const headerToken: Csrf = {
  page: '/app/ajax/setup',
  answer: 'json',
  find: (answer) => ({ headers: { 'x-antiforgery': tokenIn(answer) } }),
}

export const formToken: Csrf = { ...headerToken, find: (answer) => ({ form: { AntiForgery: tokenIn(answer) } }) }

function tokenIn(answer: string): string {
  return text(data(fields(JSON.parse(answer)))['AntiForgery'])
}

/** What an answer of the app says. */
export function data(answer: Fields): Fields {
  return fields(answer['Data'])
}

/** Where a form led: to the order with what was made. */
export function ledTo(location: string, made: string): { readonly order: string; readonly what: string } {
  const [path = '', query] = location.split('?', 2)
  const order = /^app\/orders\/(\d+)$/.exec(path)?.[1]
  const what = new URLSearchParams(query).get(made)
  if (order === undefined || !what) throw new UnknownShape('led elsewhere')
  return { order, what }
}
