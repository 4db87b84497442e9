import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { salonBooking } from '../../sandbox/salon-booking/app.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { codeOf, type Effect } from './visitor.ts'

export interface Visit {
  visit: string
  guest: { guest: string; full_name: string }
  begin_local: string
  finish_local: string
  tz: string
  what: { menu_item: string; label: string }[]
  stylist: { stylist: string; full_name: string }
  state: { code: string; label: string }
  branch: string
  remark: string | null
  call_off_reason: string | null
}

export interface Rows<T> {
  total: number
  offset: number
  limit: number
  as_of: string
  rows: T[]
}

export interface Opening {
  begin_local: string
  finish_local: string
  tz: string
  stylist: { stylist: string; full_name: string }
  branch: string
}

/** A day from today on, as the app writes it. */
export const day = (from: number): string =>
  new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '/')

/** Somebody of a salon, signed in. */
export class Person {
  readonly account: string
  readonly base: string
  readonly user: string
  readonly kind: string
  readonly #cookie: string
  #csrf: string | undefined

  constructor(url: string, account: Seeded) {
    const [cookie] = account.session.cookies
    this.account = account.account
    this.user = account.user
    this.kind = account.kind
    this.base = `${url}/salon-booking`
    this.#cookie = `${cookie?.name}=${cookie?.value}`
  }

  get(path: string): Promise<Response> {
    return fetch(`${this.base}${path}`, { redirect: 'manual', headers: { cookie: this.#cookie } })
  }

  async read<T>(path: string): Promise<T> {
    const response = await this.get(`/api/v2${path}`)
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  async csrf(): Promise<string> {
    this.#csrf ??= (await this.read<{ csrf: string }>('/me')).csrf
    return this.#csrf
  }

  async write(path: string, body: unknown): Promise<Response> {
    return fetch(`${this.base}/api/v2${path}`, {
      method: 'POST',
      headers: { cookie: this.#cookie, 'content-type': 'application/json', 'x-lustra-csrf': await this.csrf() },
      body: JSON.stringify(body),
    })
  }

  async form(path: string, fields: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams({ _csrf: await this.csrf(), ...fields })
    return fetch(`${this.base}${path}`, { method: 'POST', redirect: 'manual', headers: { cookie: this.#cookie }, body })
  }

  /** What a write was refused with. */
  async refused(path: string, body: unknown): Promise<[number, string | undefined]> {
    const response = await this.write(path, body)
    return [response.status, await codeOf(response)]
  }

  /** What a read was refused with, if it was. */
  async denied(path: string): Promise<[number, string | undefined]> {
    const response = await this.get(`/api/v2${path}`)
    return [response.status, response.ok ? undefined : await codeOf(response)]
  }

  /** When these things can be done, on a day from today on. */
  async openings(items: string[], from = 3, rest = ''): Promise<Opening[]> {
    const query = `day=${day(from)}&menu_item=${items.join(',')}${rest}`
    return (await this.read<{ rows: Opening[] }>(`/openings?${query}`)).rows
  }

  /** Somebody who has an e-mail address. */
  async guest(): Promise<string> {
    return (await this.read<Rows<{ guest: string }>>('/guests?q=guest.&limit=1')).rows[0]?.guest ?? ''
  }

  /** Reads a list to its end, as it was at its first page, with something happening after each page. */
  async readOn<T>(path: string, limit: number, meanwhile?: (page: number) => Promise<unknown>): Promise<T[]> {
    const seen: T[] = []
    let asOf = ''
    for (let page = 1; ; page++) {
      const joint = path.includes('?') ? '&' : '?'
      const list = await this.read<Rows<T>>(`${path}${joint}limit=${limit}&offset=${seen.length}${asOf}`)
      seen.push(...list.rows)
      if (seen.length >= list.total || list.rows.length === 0) return seen
      asOf = `&as_of=${list.as_of}`
      await meanwhile?.(page)
    }
  }
}

interface Seeded {
  account: string
  user: string
  kind: string
  session: { cookies: { name: string; value: string }[] }
}

export interface Lustra extends AsyncDisposable {
  people(): Promise<Person[]>
  newcomer(kind?: string): Promise<Person>
  effects(person: Person): Promise<Effect[]>
}

/** This app alone, on a free port and in a folder that goes away with it. */
export async function lustra(): Promise<Lustra> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lustra-test-'))
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', dataDir, apps: [salonBooking] })
  const control = `${sandbox.url}/_sandbox/salon-booking`
  const persons = async (response: Response): Promise<Person[]> =>
    ((await response.json()) as { accounts: Seeded[] }).accounts.map((account) => new Person(sandbox.url, account))
  return {
    people: async () => persons(await fetch(`${control}/accounts`)),
    async newcomer(kind = 'owner') {
      const body = JSON.stringify({ kind, count: 1 })
      const [person] = await persons(await fetch(`${control}/accounts`, { method: 'POST', body }))
      if (!person) throw new Error('No account was made.')
      return person
    },
    async effects({ account }) {
      const { effects } = (await (await fetch(`${control}/effects`)).json()) as { effects: Effect[] }
      return effects.filter((effect) => effect.account === account)
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
