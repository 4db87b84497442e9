import { Type } from 'typebox'
import { codec } from '../kit/codec.ts'
import { asField, jsonToken } from '../kit/csrf.ts'
import type { Csrf } from '../kit/csrf.ts'
import { labelled, money } from '../kit/declared.ts'
import type { Money } from '../kit/declared.ts'
import { defaulted, described, id, oneOf, refTo } from '../kit/inputs.ts'
import { ledTo } from '../kit/location.ts'
import { fields, number } from '../kit/wire.ts'
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

/** Output: ids of jobs, opportunities and customers. */
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

/** All lists are paged as the app's documentation describes for jobs. */
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
/** For answers that have the firm's currency beside the amount. */
export const besideCurrency: Money = { unit: 'major', currency: { field: 'currency' } }

export const Decimal = money(ofTheFirm, Type.String({ pattern: '^-?\\d+\\.\\d\\d$' }))

/** Output fields that invoices share. */
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

/** The app's ids are numbers; here they are strings. */
export function ref(value: unknown): string {
  return String(number(value))
}

/** CSRF token, the same for the whole session; this read is free and needs no job. */
export const headerToken: Csrf = jsonToken({
  page: '/app/ajax/setup',
  field: 'Data.AntiForgery',
  header: 'x-antiforgery',
})

export const formToken: Csrf = asField(headerToken, 'AntiForgery')

/** The payload of an answer. */
export function data(answer: Fields): Fields {
  return fields(answer['Data'])
}

/** The outcome of a form, from its redirect to the order: the id of what was created. */
export function ledToOrder(location: string, made: string) {
  const { part, query } = ledTo(location, /^app\/orders\/(?<order>\d+)$/, { [made]: true })
  return { order: part['order'], what: query.get(made) }
}
