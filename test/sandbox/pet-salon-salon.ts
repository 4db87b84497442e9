import { type AppPerson } from './open-app.ts'
import { codeOf } from './visitor.ts'

export interface Ticket {
  tkt: string
  d: string
  t: string
  t_end: string
  st: { c: string }
  cl: { cl: string; nm: string }
  pet: { pet: string; nm: string } | null
  emp: { emp: string; nm: string }
  svcs: string[]
}

export interface Wait {
  wl: string
  cl: { cl: string }
  pet: { pet: string } | null
  emp: { emp: string } | null
  pref: { d: string; part: string }[]
  svcs: { svc: string; ttl: string }[]
  nts: string
}

export interface Alert {
  pet: { pet: string }
  vx: { c: string }
  exp: string
  next: { tkt: string } | null
}

/** `31/12/2026`, that many days from the UTC day that it is. */
export const dayAhead = (days: number): string =>
  slashed(new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))

const slashed = (day: string): string => day.split('-').reverse().join('/')
export const iso = (day: string): string => day.split('/').reverse().join('-')
export const span = (from: number, to: number): string => `f=${dayAhead(from)}&t=${dayAhead(to)}`

/** Status and code that a form is refused with, or what the address says that an accepted one leads to. */
async function submitted(person: AppPerson, path: string, fields = {}): Promise<[number, string | undefined]> {
  const response = await person.form(path, fields)
  if (response.status !== 303) return [response.status, await codeOf(response)]
  return [303, response.headers.get('location')?.replace('/pet-salon', '')]
}

/** The query of where an accepted form leads to, with the ticket's id. */
export async function accepted(person: AppPerson, path: string, fields = {}): Promise<Record<string, string>> {
  const [status, to = ''] = await submitted(person, path, fields)
  if (status !== 303) throw new Error(`${path}: ${status} ${to}`)
  const url = new URL(to, 'http://localhost')
  return { tkt: url.pathname.split('/').at(-1) ?? '', ...Object.fromEntries(url.searchParams) }
}

/** The id of the account's thing of that place, such as `P100001`. */
export const idAt = ({ account }: AppPerson, letter: string, place: number): string =>
  `${letter}${(Number(account.slice(4)) - 1000) * 100_000 + place}`
