import { Type } from 'typebox'
import type { Csrf } from '../csrf.ts'
import { defaulted, id } from '../inputs.ts'
import { UnknownShape, fields, number, text, word } from '../wire.ts'
import type { Fields } from '../wire.ts'

export const CustomerNumber = id('Which customer: customer_number from list_customers.')
export const JobNumber = id('Which job: job_number from list_jobs.')
export const AnyJobNumber = id('Which job or opportunity: job_number from list_jobs or list_opportunities.')
export const OpportunityNumber = id('Which opportunity: job_number from list_opportunities.')

/** All lists have the pages that the documents tell of jobs. */
export const page = defaulted(
  Type.Integer({ minimum: 1, description: 'Which page, from 1 on. A page holds 30; one behind the last is empty.' }),
  1,
)
export const PageNumber = Type.Integer()

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
})

export const stages = { new: 'Fresh', won: 'Won', lost: 'Lost' } as const
export const Stage = Type.Enum(['new', 'won', 'lost'], { type: 'string' })

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
