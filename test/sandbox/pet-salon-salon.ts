import { petSalon } from '../../sandbox/pet-salon/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'
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

export interface Detail extends Omit<Ticket, 'svcs'> {
  mins: number
  svcs: { svc: string; ttl: string; pence: number }[]
  appt_nts: string
  cnf: { c: string }
  dep: number
  prods: unknown[]
  pays: { how: string; pence: number; st: string }[]
  why: string | null
  log: { st: { c: string }; by: string }[]
  msgs: { msg: string; kind: string; way: string; to: string }[]
}

export interface Client {
  cl: string
  nm: string
  mail: string
  mob: string
  cnf: string
  bal: number
  desk_nts: string
  ahead: { tkt: string; d: string; t: string }[]
  pets: { pet: string; nts: Record<string, string>; shots: { vx: string; exp: string }[] }[]
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

export const openSalon = (): Promise<OpenApp> =>
  openApp(petSalon, async (person) => (await person.read<{ chk: string }>('/cloud/data/who')).chk)

/** `31/12/2026`, that many days from the UTC day that it is. */
export const dayAhead = (days: number): string =>
  slashed(new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))

export const slashed = (day: string): string => day.split('-').reverse().join('/')
export const iso = (day: string): string => day.split('/').reverse().join('-')
export const span = (from: number, to: number): string => `f=${dayAhead(from)}&t=${dayAhead(to)}`

interface Page<T> {
  tot: number
  as_of: string
  rows: T[]
}

/** Reads a list to its end as of its first page, with something happening after each. */
export async function whole<T>(
  person: AppPerson,
  path: string,
  lim = 100,
  meanwhile?: (page: number) => Promise<unknown>,
): Promise<T[]> {
  const found: T[] = []
  let asOf = ''
  let tot = 1
  for (let page = 0; found.length < tot; page++) {
    const more: string = asOf === '' ? '' : `&off=${found.length}&as_of=${asOf}`
    const part: Page<T> = await person.read(`${path}${path.includes('?') ? '&' : '?'}lim=${lim}${more}`)
    if (part.rows.length === 0 && part.tot > 0) throw new Error(`${path} ends too early.`)
    found.push(...part.rows)
    ;({ as_of: asOf, tot } = part)
    await meanwhile?.(page)
  }
  return found
}

export const tickets = (person: AppPerson, from: number, to = from): Promise<Ticket[]> =>
  whole(person, `/cloud/data/tkts?${span(from, to)}`)

export const ticket = (person: AppPerson, tkt: string): Promise<Detail> => person.read(`/cloud/data/tkts/${tkt}`)
export const client = (person: AppPerson, cl: string): Promise<Client> => person.read(`/cloud/data/clients/${cl}`)

/** Status and code that a form is refused with, or what the address says that an accepted one leads to. */
export async function submitted(person: AppPerson, path: string, fields = {}): Promise<[number, string | undefined]> {
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
