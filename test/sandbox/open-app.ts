import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxApp } from '../../sandbox/platform/types.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { codeOf, type Effect } from './visitor.ts'

interface Seeded {
  account: string
  user: string
  kind: string
  session: { cookies: { name: string; value: string }[] }
}

/** Finds the CSRF token of a signed-in person. */
export type FindToken = (person: AppPerson) => Promise<string>

/** Somebody who is signed in to an app: what a browser does, without a browser. Paths are below the app's root. */
export class AppPerson {
  readonly account: string
  readonly base: string
  readonly user: string
  readonly kind: string
  readonly #app: SandboxApp
  readonly #cookie: string
  readonly #find: FindToken
  #csrf: string | undefined

  constructor(url: string, app: SandboxApp, seeded: Seeded, find: FindToken) {
    const [cookie] = seeded.session.cookies
    this.account = seeded.account
    this.user = seeded.user
    this.kind = seeded.kind
    this.base = `${url}/${app.slug}`
    this.#app = app
    this.#cookie = `${cookie?.name}=${cookie?.value}`
    this.#find = find
  }

  get(path: string): Promise<Response> {
    return fetch(`${this.base}${path}`, { redirect: 'manual', headers: { cookie: this.#cookie } })
  }

  /** The JSON that a read answers with 200. */
  async read<T = Record<string, unknown>>(path: string): Promise<T> {
    const response = await this.get(path)
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  async csrf(): Promise<string> {
    this.#csrf ??= await this.#find(this)
    return this.#csrf
  }

  /** A JSON request that writes. */
  async write(method: string, path: string, body?: unknown): Promise<Response> {
    const { header } = this.#app.csrf
    return fetch(`${this.base}${path}`, {
      method,
      redirect: 'manual',
      headers: { cookie: this.#cookie, 'content-type': 'application/json', [header]: await this.csrf() },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** The JSON that a write answers with 200 or 201. */
  async wrote<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.write(method, path, body)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  /** A form's submit. An array becomes a repeated field. */
  async form(path: string, fields: Readonly<Record<string, string | readonly string[]>> = {}): Promise<Response> {
    const body = new URLSearchParams({ [this.#app.csrf.field]: await this.csrf() })
    for (const [name, value] of Object.entries(fields))
      for (const one of typeof value === 'string' ? [value] : value) body.append(name, one)
    return fetch(`${this.base}${path}`, { method: 'POST', redirect: 'manual', headers: { cookie: this.#cookie }, body })
  }

  /** Status and code that a JSON write is refused with. */
  async refused(method: string, path: string, body?: unknown): Promise<[number, string | undefined]> {
    const response = await this.write(method, path, body)
    return [response.status, await codeOf(response)]
  }
}

export interface OpenApp extends AsyncDisposable {
  /** The seeded people, in the order of the app's `people`. */
  people(): Promise<AppPerson[]>
  /** The seeded person of this user. */
  person(user?: string): Promise<AppPerson>
  /** A fresh account. */
  newcomer(kind?: string): Promise<AppPerson>
  effects(person: AppPerson): Promise<Effect[]>
  reset(): Promise<void>
}

/** One app alone, on a free port and in a folder that goes away with it. */
export async function openApp(app: SandboxApp, find: FindToken): Promise<OpenApp> {
  const dataDir = await mkdtemp(join(tmpdir(), `${app.slug}-test-`))
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', dataDir, apps: [app] })
  const control = `${sandbox.url}/_sandbox/${app.slug}`
  const persons = async (response: Response): Promise<AppPerson[]> =>
    ((await response.json()) as { accounts: Seeded[] }).accounts.map(
      (seeded) => new AppPerson(sandbox.url, app, seeded, find),
    )
  const people = async () => persons(await fetch(`${control}/accounts`))
  return {
    people,
    async person(user = 'demo') {
      const found = (await people()).find((one) => one.user === user)
      if (!found) throw new Error(`${app.slug} has no account of ${user}.`)
      return found
    },
    async newcomer(kind = app.kinds[0] ?? '') {
      const body = JSON.stringify({ kind, count: 1 })
      const [person] = await persons(await fetch(`${control}/accounts`, { method: 'POST', body }))
      if (!person) throw new Error('No account was made.')
      return person
    },
    async effects({ account }) {
      const { effects } = (await (await fetch(`${control}/effects`)).json()) as { effects: Effect[] }
      return effects.filter((effect) => effect.account === account)
    },
    async reset() {
      await fetch(`${sandbox.url}/_sandbox/reset`, { method: 'POST' })
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** All field names in a JSON value, at any depth. */
export function namesIn(value: unknown, names = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) namesIn(item, names)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      names.add(name)
      namesIn(item, names)
    }
  }
  return names
}
