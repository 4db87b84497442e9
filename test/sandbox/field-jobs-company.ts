import { fieldJobs } from '../../sandbox/field-jobs/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'

export interface Named {
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

interface Listed {
  total: number
  snapshot: string | null
  rows: Row[]
}

interface Setup {
  company: { zone: string; money: { code: string; digits: number }; enquiry_page: string }
  me: { role: string }
  job_kinds: { uuid: string; label: string }[]
  job_states: { code: string; label: string }[]
  crew: Named[]
  price_book: { uuid: string; label: string; each_minor: number }[]
}

export const torquen = (): Promise<OpenApp> =>
  openApp(fieldJobs, async (person) => {
    const page = await (await person.get('/desk')).text()
    return /<meta name="torquen_key" content="([^"]+)"/.exec(page)?.[1] ?? ''
  })

export const setupOf = (person: AppPerson): Promise<Setup> => person.read<Setup>('/api/setup')

/** A list from its first page to its end. */
export async function whole(
  person: AppPerson,
  path: string,
  size = 100,
  between?: () => Promise<unknown>,
): Promise<Row[]> {
  const seen: Row[] = []
  const next = `${path}${path.includes('?') ? '&' : '?'}per_page=${size}`
  let { rows, total, snapshot } = await person.read<Listed>(`/api/${next}`)
  for (let page = 2; ; page++) {
    seen.push(...rows)
    if ((page - 1) * size >= total) return seen
    await between?.()
    ;({ rows, total, snapshot } = await person.read<Listed>(`/api/${next}&page=${page}&snapshot=${snapshot}`))
  }
}

export const ids = (rows: readonly { uuid: string }[]): string[] => rows.map(({ uuid }) => uuid)

export const hours = (count: number): number => Math.floor(Date.now() / 1000) + count * 3600

const formats = new Map<string, Intl.DateTimeFormat>()

/** `YYYYMMDD` in a zone, so many days from today. */
export function dayFrom(zone: string, days: number, from = Date.now()): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
  formats.set(zone, format)
  return format.format(from + days * 86_400_000).replaceAll('-', '')
}

/** The jobs of all days. */
export const everyJob = async (person: AppPerson, filter = ''): Promise<Row[]> => {
  const { zone } = (await setupOf(person)).company
  return whole(person, `jobs?from_day=${dayFrom(zone, -200)}&until_day=${dayFrom(zone, 200)}${filter}`)
}
