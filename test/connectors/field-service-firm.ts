import { AppCaller } from './app-caller.ts'
import type { Row } from './app-caller.ts'

export const openFirm = (): Promise<AppCaller> => AppCaller.open('field-service')

/** A list to its end, page by page; `between` runs after each page, with its number. */
export async function allPages(
  firm: AppCaller,
  [name, key]: readonly [string, string],
  input: Row = {},
  options: { readonly between?: (page: number) => Promise<unknown> | undefined; readonly user?: string } = {},
): Promise<Row[]> {
  const items: Row[] = []
  for (let page = 1; ; page++) {
    const some = await firm.rows(name, key, { ...input, page }, options.user)
    items.push(...some)
    if (some.length < 30) return items
    await options.between?.(page)
  }
}

export const customersOf = ['list_customers', 'customers'] as const
export const jobsOf = ['list_jobs', 'jobs'] as const
export const opportunitiesOf = ['list_opportunities', 'opportunities'] as const
export const invoicesOf = ['list_invoices', 'invoices'] as const

/** The first that fits. */
export function need(rows: readonly Row[], fits: (row: Row) => boolean = () => true): Row {
  const found = rows.find(fits)
  if (!found) throw new Error('nothing fits')
  return found
}

/** A day so many days from now, in the zone of the demo user's firm. */
export function berlinDay(days = 0): string {
  const moment = new Date(Date.now() + days * 86_400_000)
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(moment)
}

/** A new job of a customer with an address to mail to. */
export async function newJob(firm: AppCaller, more: Row = {}): Promise<string> {
  const made = await firm.call('create_job', { customer_number: '1010001', service_type: 'Boiler repair', ...more })
  return String(made['job_number'])
}

/** An opportunity without a sent estimate, of a customer with an address to mail to, or of one without. */
export async function opportunity(firm: AppCaller, stage: string, mailable = true): Promise<unknown> {
  const customers = await allPages(firm, customersOf)
  const silent = new Set(customers.filter(({ email }) => email === null).map(({ name }) => name))
  const rows = await allPages(firm, opportunitiesOf, { stage })
  const fits = (row: Row): boolean => row['estimate_sent'] === false && silent.has(row['customer']) !== mailable
  return need(rows, fits)['job_number']
}
