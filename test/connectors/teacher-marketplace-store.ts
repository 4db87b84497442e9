import type { AppCaller, Row } from './app-caller.ts'
import { ownOrigin } from '../../connectors/runtime/site.ts'

/** A day in Phoenix, where the demo user's store is, so many days from now. */
export function storeDay(days: number): string {
  const moment = new Date(Date.now() + days * 86_400_000)
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Phoenix' }).format(moment)
}

/** Days in which all of the seeded trade lies. */
export const ever: Row = { from: '2020-01-01', to: storeDay(2) }

export const sum = (rows: readonly Row[], key: string): number =>
  rows.reduce((total, row) => total + Number(row[key]), 0)

/** What the app itself says to one of its sellers. */
export async function told(store: AppCaller, path: string, user = 'demo'): Promise<Row> {
  const account = (await store.sandbox.accounts(store.app.slug)).find((one) => one.user === user)
  const cookie = account!.session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return (await (await fetch(ownOrigin(store.app) + path, { headers: { cookie } })).json()) as Row
}

/** Who got a mail of a kind about something, latest first, and what it said. */
export async function mails(store: AppCaller, kind: string, about: unknown): Promise<Row[]> {
  const { rows } = (await told(store, 'dash/mailbox?per=100')) as { rows: Row[] }
  return rows.filter((mail) => mail['kind'] === kind && String(mail['about']) === about)
}

/** The page of a product as buyers see it: 200 when it is on sale, else 404. */
export const visible = async (store: AppCaller, product: unknown): Promise<number> =>
  (await fetch(`${ownOrigin(store.app)}g/${String(product)}`)).status

/** Somebody buys a product; the answer is where it is picked up. */
export async function buy(store: AppCaller, product: string, mail: string): Promise<string> {
  return submit(`${ownOrigin(store.app)}g/${product}/buy`, { mail })
}

export async function ask(store: AppCaller, product: string, words: string): Promise<void> {
  await submit(`${ownOrigin(store.app)}g/${product}/asks`, { asker: 'Zoë Á.', mail: 'zoe@mail.example', words })
}

async function submit(url: string, fields: Record<string, string>): Promise<string> {
  const answer = await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
  const location = answer.headers.get('location')
  if (answer.status !== 303 || location === null) throw new Error(`${url}: ${answer.status}`)
  return new URL(location, url).href
}
