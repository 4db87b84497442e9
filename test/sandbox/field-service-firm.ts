import { type AppPerson } from './open-app.ts'

/** What the wire has of clients, orders, bills and mails: each answer has some of it. */
export interface Item {
  ClientNo: number
  OrderNo: number
  BillNo?: number
  MailId?: number
  CrewId: number
  FullName: string
  Title: string
  Mail: string
  Tel: string
  SiteLine: string
  Memo: string
  State: string
  Stage: string
  QuoteMailed: boolean
  Slated: string | null
  Opened: string
  Zone: string
  MailedAt: string | null
  SeenAt: string | null
  Link: string
  Sum: string
  Received: string
  Due: string
  Kind: string
  Recipient: string
  Words: string
  Crew: string[]
  People: unknown[]
  Visits: unknown[]
  Hours: unknown[]
  Entry: unknown
  Bill: Item
}

export const read = async <T = Item>(person: AppPerson, path: string): Promise<T> =>
  (await person.read<{ Data: T }>(`/app/ajax/${path}`)).Data

interface Setup {
  AntiForgery: string
  Zone: string
  Today: string
  Crew: { CrewId: number; FullName: string }[]
}

export const setup = (person: AppPerson): Promise<Setup> => read<Setup>(person, 'setup')

/** Where a form that was accepted leads to, below the app. */
export async function formed(person: AppPerson, path: string, fields: Record<string, string> = {}): Promise<URL> {
  const answer = await person.form(`/app/orders${path}`, fields)
  if (answer.status !== 303) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return new URL(answer.headers.get('location') ?? '', person.base)
}

/** A new job or lead of that client; answers its number. */
export async function newOrder(person: AppPerson, client: number, more: Record<string, string> = {}): Promise<number> {
  const place = await formed(person, '', { ClientNo: String(client), Service: 'boiler repair', ...more })
  return Number(place.pathname.split('/').at(-1))
}

export const wrote = async (person: AppPerson, path: string, body: object): Promise<Item> =>
  (await person.wrote<{ Data: Item }>('POST', `/app/ajax/${path}`, body)).Data
