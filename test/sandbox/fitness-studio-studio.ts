import { fitnessStudio } from '../../sandbox/fitness-studio/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'
import { codeOf } from './visitor.ts'

export interface Pass {
  Pid: string
  Label: string
  St: string
  Renews: string | null
}

export interface Client {
  Cid: string
  Full: string
  Passes: Pass[]
}

export interface Detail extends Client {
  Mail: string
  Tel: string
  Passes: (Pass & { Offer: string; Auto: boolean; Turn: string | null; VisitsLeft: number | null })[]
  Visits: { Slot: string; Title: string; Day: string; St: string }[]
}

export interface Slot {
  Slot: string
  Series: string
  Title: string
  Topic: string
  Led: string
  Day: string
  Hour: string
  Places: number
  Booked: number
  Waiting: number
}

export interface Roster extends Slot {
  Tz: string
  Off: boolean
  Roster: { Cid: string; Full: string; St: string }[]
}

export interface Miss {
  Cid: string
  Slot: string
  Day: string
  Kind: string
}

export const openStudio = (): Promise<OpenApp> =>
  openApp(fitnessStudio, async (person) => (await result<{ Chit: string }>(person, 'whoami')).Chit)

export async function result<T>(person: AppPerson, path: string): Promise<T> {
  return (await person.read<{ Result: T }>(`/staff/svc/${path}`)).Result
}

/** `12/31/2026`, that many days from the UTC day that it is. */
export function dayAhead(days: number): string {
  const [year, month, day] = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-')
  return `${month}/${day}/${year}`
}

/** `2026-12-31`, which sorts. */
export const iso = (day: string): string => `${day.slice(6)}-${day.slice(0, 2)}-${day.slice(3, 5)}`

export const slots = async (person: AppPerson, from: number, to = from): Promise<Slot[]> =>
  (await result<{ Slots: Slot[] }>(person, `slots?From=${dayAhead(from)}&To=${dayAhead(to)}`)).Slots

export const roster = (person: AppPerson, slot: string): Promise<Roster> => result(person, `slots/${slot}`)

export const markOf = async (person: AppPerson, slot: string, cid: string): Promise<string | undefined> =>
  (await roster(person, slot)).Roster.find(({ Cid }) => Cid === cid)?.St

export const client = (person: AppPerson, cid: string): Promise<Detail> => result(person, `clients/${cid}`)

export async function allClients(
  person: AppPerson,
  filter = '',
  per = 100,
  meanwhile?: (page: number) => Promise<unknown>,
): Promise<Client[]> {
  const seen: Client[] = []
  let [page, last, stamp] = [1, 1, '']
  for (; page <= last; page++) {
    const found: { Clients: Client[]; Last: number; Stamp: string } = await result(
      person,
      `clients?${filter}&Per=${per}&Page=${page}${stamp === '' ? '' : `&Stamp=${stamp}`}`,
    )
    seen.push(...found.Clients)
    ;[last, stamp] = [found.Last, found.Stamp]
    await meanwhile?.(page)
  }
  return seen
}

/** A client who has only passes of that standing, and is not on that roster. */
export async function clientWith(person: AppPerson, standing: string, label = '', slot?: string): Promise<Client> {
  const there = slot === undefined ? [] : (await roster(person, slot)).Roster.map(({ Cid }) => Cid)
  const found = (await allClients(person, `Standing=${standing}`)).find(
    ({ Cid, Passes }) =>
      !there.includes(Cid) && Passes.every(({ St, Label }) => St === standing && Label.includes(label)),
  )
  if (!found) throw new Error(`Nobody has only ${standing} passes.`)
  return found
}

/** Status and code that a form is refused with, or where below the app an accepted one leads to. */
export async function submitted(person: AppPerson, path: string, fields = {}): Promise<[number, string | undefined]> {
  const response = await person.form(`/staff/desk/${path}`, fields)
  if (response.status === 303)
    return [303, response.headers.get('location')?.replace('/fitness-studio/staff/desk/', '')]
  return [response.status, await codeOf(response)]
}

export const onSlot = (person: AppPerson, slot: string, act: string, fields: Record<string, string>) =>
  submitted(person, `slots/${slot}/${act}`, fields)
