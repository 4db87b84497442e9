import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { courseSchool } from '../../sandbox/course-school/app.ts'
import { startSandbox } from '../../sandbox/server.ts'

export type Row = Record<string, unknown>

interface Page {
  rows: Row[]
  /** Lists that come whole have none. */
  after?: string | null
}

interface Seeded {
  account: string
  user: string
  session: { cookies: { name: string; value: string }[] }
}

interface Effect {
  account: string
  action: string
  body: Row
}

/** Somebody with a session in one school. */
export class Teacher {
  readonly base: string
  readonly account: string
  readonly #cookie: string
  #csrf: string | undefined

  constructor(sandboxUrl: string, { account, session }: Seeded) {
    this.base = `${sandboxUrl}/course-school`
    this.account = account
    this.#cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  send(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Response> {
    return fetch(`${this.base}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, cookie: this.#cookie },
      ...(body === undefined ? {} : { body }),
    })
  }

  get(path: string): Promise<Response> {
    return this.send('GET', path)
  }

  async read<T = Row>(path: string): Promise<T> {
    const answer = await this.get(`/api/schools/mine${path}`)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  async session(): Promise<{ csrf: string; school: { no: number; zone: string } }> {
    return (await (await this.get('/api/session')).json()) as { csrf: string; school: { no: number; zone: string } }
  }

  async csrf(): Promise<string> {
    this.#csrf ??= (await this.session()).csrf
    return this.#csrf
  }

  async form(path: string, fields: Record<string, string> | [string, string][] = {}): Promise<Response> {
    const pairs = Array.isArray(fields) ? fields : Object.entries(fields)
    const body = new URLSearchParams([['_csrf', await this.csrf()], ...pairs]).toString()
    return this.send('POST', `/schools/mine${path}`, { 'content-type': 'application/x-www-form-urlencoded' }, body)
  }

  async post(path: string, value: unknown): Promise<Response> {
    const headers = { 'content-type': 'application/json', 'x-kathedra-csrf': await this.csrf() }
    return this.send('POST', `/api/schools/mine${path}`, headers, JSON.stringify(value))
  }

  /** Reads a list to its end, with something happening after each page. */
  async all(path: string, size = 100, meanwhile?: (seen: Row[]) => Promise<unknown>): Promise<Row[]> {
    const seen: Row[] = []
    const joint = path.includes('?') ? '&' : '?'
    for (let token = ''; ;) {
      const page = await this.read<Page>(`${path}${joint}size=${size}${token}`)
      seen.push(...page.rows)
      if (!page.after) return seen
      token = `&after=${page.after}`
      await meanwhile?.(seen)
    }
  }
}

/** What an answer says went wrong: `409 CODE`. */
export async function refusal(answer: Response): Promise<string> {
  const text = await answer.text()
  const code = /data-code="([A-Z_]+)"/.exec(text)?.[1] ?? /"code":"([A-Z_]+)"/.exec(text)?.[1]
  return `${answer.status} ${code}`
}

export interface Kathedra extends AsyncDisposable {
  /** The seven that the app names, demo first. */
  named(): Promise<Teacher[]>
  newcomer(kind?: 'owner' | 'open_owner' | 'author'): Promise<Teacher>
  /** What this teacher's account wrote: action and body. */
  effects(of: Teacher): Promise<Pick<Effect, 'action' | 'body'>[]>
}

/** A sandbox with this app alone, on a free port and in a folder that goes away with it. */
export async function kathedra(): Promise<Kathedra> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kathedra-test-'))
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', dataDir, apps: [courseSchool] })
  const control = `${sandbox.url}/_sandbox/course-school`
  const accounts = async (answer: Response, which: (one: Seeded) => boolean): Promise<Teacher[]> =>
    ((await answer.json()) as { accounts: Seeded[] }).accounts.filter(which).map((one) => new Teacher(sandbox.url, one))
  return {
    named: async () => accounts(await fetch(`${control}/accounts`), ({ user }) => user !== 'extra'),
    async newcomer(kind = 'owner') {
      const body = JSON.stringify({ kind, count: 1 })
      const [teacher] = await accounts(await fetch(`${control}/accounts`, { method: 'POST', body }), () => true)
      if (!teacher) throw new Error('No account was made.')
      return teacher
    },
    async effects({ account }) {
      const { effects } = (await (await fetch(`${control}/effects`)).json()) as { effects: Effect[] }
      return effects.filter((line) => line.account === account).map(({ action, body }) => ({ action, body }))
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
