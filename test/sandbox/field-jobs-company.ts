import { type AppPerson } from './open-app.ts'

interface Named {
  uuid: string
  full_name: string
}

/** What the tests look at of a row of any list. */
export interface Row {
  uuid: string
  state: { code: string; label: string }
  kind: string
  begins_at: number
  ends_at: number
  customer: Named
  crew: Named[]
  charge_minor: number
  owing_minor: number
  bill: string | null
  lines: { label: string; qty: number; each_minor: number }[]
  receipts: { amount_minor: number; means: string }[]
  remarks: string
  stage: string
  standing: string
  full_name: string
  mobile: string
  mail: string
  site: string
  visits: number
  caller: string
  handler: Named | null
  came_in_at: number
  drafted_at: number
  raised_at: number
  sent_out_at: number | null
  accept_page: string | null
  pay_page: string | null
  job: string
  due_day: string
  told: { via: string; to: string } | null
}

interface Setup {
  company: { zone: string; money: { code: string; digits: number }; enquiry_page: string }
  me: { role: string }
  job_kinds: { uuid: string; label: string }[]
  job_states: { code: string; label: string }[]
  crew: Named[]
  price_book: { uuid: string; label: string; each_minor: number }[]
}

export const setupOf = (person: AppPerson): Promise<Setup> => person.read<Setup>('/api/setup')

export const hours = (count: number): number => Math.floor(Date.now() / 1000) + count * 3600

const formats = new Map<string, Intl.DateTimeFormat>()

/** `YYYYMMDD` in a zone, so many days from today. */
export function dayFrom(zone: string, days: number, from = Date.now()): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
  formats.set(zone, format)
  return format.format(from + days * 86_400_000).replaceAll('-', '')
}
