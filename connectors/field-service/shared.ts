import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { asField } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { labelled, money } from '../kit/declared.ts'
import type { Money } from '../kit/declared.ts'
import { defaulted, described, id, oneOf, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { fields, number, text } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export const CustomerNumber = labelled(
  'Customer',
  id('customer', 'Which customer: customer_number from list_customers.'),
)
export const JobNumber = labelled('Job', id('job', 'Which job: job_number from list_jobs.'))
export const AnyJobNumber = labelled(
  'Job or opportunity',
  id('job', 'Which job or opportunity: job_number from list_jobs or list_opportunities.'),
)
export const OpportunityNumber = labelled(
  'Opportunity',
  id('job', 'Which opportunity: job_number from list_opportunities.'),
)

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
export const ServiceType = labelled(
  'Service',
  Type.String({
    description: "The account's own name of the service; create_job takes it as service_type.",
  }),
)

/** All lists have the pages that the documents tell of jobs. */
export const page = labelled(
  'Page',
  defaulted(
    Type.Integer({ minimum: 1, description: 'Which page, from 1 on. A page holds 30; one behind the last is empty.' }),
    1,
  ),
)
export const PageNumber = Type.Integer({ description: 'Which page this is, from 1 on, as it was asked for.' })

export function pageQuery(number: number): Fields {
  return { Page: number, Size: 30 }
}

export const statuses = codec({
  unscheduled: 'Open',
  scheduled: 'Slated',
  in_progress: 'Working',
  on_hold: 'Paused',
  canceled: 'Dropped',
  complete: 'Done',
})
export const Status = labelled(
  'Status',
  oneOf(statuses.words, 'Where the job stands; unscheduled has no event yet, complete and canceled ones are over.'),
)

export const stages = codec({ new: 'Fresh', won: 'Won', lost: 'Lost' })
export const Stage = labelled(
  'Stage',
  oneOf(stages.words, 'Where the opportunity stands: new until it is won or lost in the app.'),
)

export const StatusOrStage = labelled(
  'Status',
  oneOf([...statuses.words, ...stages.words], 'The status of a job; of an opportunity, its stage: new, won or lost.'),
)

export const ofTheFirm: Money = { unit: 'major', currency: null }
/** Where the firm's currency stands beside the amount. */
export const besideCurrency: Money = { unit: 'major', currency: { field: 'currency' } }

/** An amount. */
export const Decimal = money(ofTheFirm, Type.String({ pattern: '^-?\\d+\\.\\d\\d$' }))

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

/** Things are numbers in the app, identifiers here. */
export function ref(value: unknown): string {
  return String(number(value))
}

/** The session's token is the same in every page; this answer is free, and is there whatever state a job is in. */
export const headerToken: Csrf = {
  page: '/app/ajax/setup',
  answer: 'json',
  fills: { header: 'x-antiforgery' },
  find: (answer) => tokenIn(answer),
}

export const formToken: Csrf = asField(headerToken, 'AntiForgery')

function tokenIn(answer: string): string {
  return text(data(fields(JSON.parse(answer)))['AntiForgery'])
}

/** What an answer of the app says. */
export function data(answer: Fields): Fields {
  return fields(answer['Data'])
}

/** Where a form led: to the order with what was made. */
export function ledToOrder(location: string, made: string) {
  const { part, query } = ledTo(location, /^app\/orders\/(?<order>\d+)$/, { [made]: true })
  return { order: part['order'], what: query.get(made) }
}
