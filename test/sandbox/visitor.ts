import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CookieJar } from '../../scripts/browsing.ts'
import { startSandbox, type Sandbox } from '../../sandbox/server.ts'

export const slug = 'property-advertising'

export interface SeededAccount {
  account: string
  label: string
  kind: 'agency' | 'private'
  email: string
  password: string
  user: string
  session: { cookies: { name: string; value: string; domain: string; path: string }[]; user_agent: null }
}

export interface Effect {
  seq: number
  at: string
  account: string
  action: string
  body: Record<string, unknown>
}

/** Somebody with a cookie jar: what a browser does, without a browser. */
export class Visitor {
  readonly base: string
  readonly cookies = new CookieJar()
  #token: string | undefined

  constructor(sandboxUrl: string, account?: SeededAccount) {
    this.base = `${sandboxUrl}/${slug}`
    for (const { name, value } of account?.session.cookies ?? []) this.cookies.set(name, value)
  }

  async send(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Response> {
    const cookie = this.cookies.header
    const url = path.startsWith('http') ? path : `${this.base}${path}`
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(cookie === '' ? {} : { cookie }) },
      ...(body === undefined ? {} : { body }),
    })
    this.cookies.keep(response)
    return response
  }

  get(path: string): Promise<Response> {
    return this.send('GET', path)
  }

  async json<T>(path: string): Promise<T> {
    const response = await this.get(path)
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  /** The session's CSRF token. */
  async token(): Promise<string> {
    this.#token ??= (await this.json<{ token: string }>('/api/session')).token
    return this.#token
  }

  async form(path: string, fields: Record<string, string> = {}): Promise<Response> {
    const body = new URLSearchParams({ authenticity: await this.token(), ...fields }).toString()
    return this.send('POST', path, { 'content-type': 'application/x-www-form-urlencoded' }, body)
  }

  async write(method: string, path: string, value: unknown): Promise<Response> {
    const headers = { 'content-type': 'application/json', 'x-casavia-token': await this.token() }
    return this.send(method, path, headers, JSON.stringify(value))
  }

  /** Fills in the form of a page that is shown before there is a session. */
  async fill(page: string, fields: Record<string, string>): Promise<Response> {
    const authenticity = hidden(await (await this.get(page)).text())
    const body = new URLSearchParams({ authenticity, ...fields }).toString()
    return this.send('POST', page, { 'content-type': 'application/x-www-form-urlencoded' }, body)
  }
}

export function hidden(page: string): string {
  const value = /name="authenticity" value="([^"]+)"/.exec(page)?.[1]
  if (value === undefined) throw new Error('The page has no form with a token.')
  return value
}

/** Where the dialects write a refusal's code: pages first, then JSON. */
const signs = [
  /data-(?:code|rule|error|problem|wp-error|reason|key)="([^"]+)"/,
  /th-errors="([^"]+)"/,
  /id="error-([^"]+)"/,
  /<ul class="errorlist[^>]*>\s*<li class="([^"]+)"/,
  /"exception":"App\\\\Exceptions\\\\(\w+)"/,
  /"failed":\{"[^"]*":\{"(\w+)":\[\]/,
  /"details":\{"[^"]*":\[\{"error":"([^"]+)"/,
  /\/problems\/([^"]+)"/,
  /"codes":\["[^"]*","([^"]+)"\]/,
  /"(?:reason|key|code)":"([^"]+)"/,
]

/** The code of a refusal as the app itself has it, whatever its dialect makes of it. */
export function codeIn(text: string): string | undefined {
  const found = signs.map((sign) => sign.exec(text)?.[1]).find((code) => code !== undefined)
  const words = /[A-Z][a-z]/.test(found ?? '') ? found?.replaceAll(/(?!^)([A-Z])/g, '_$1') : found
  return words?.replaceAll(/[.-]/g, '_').toUpperCase()
}

/** The error code of a page or of a JSON answer. */
export const codeOf = async (response: Response): Promise<string | undefined> => codeIn(await response.text())

/** The control routes of one sandbox. */
export class Control {
  readonly url: string
  constructor(url: string) {
    this.url = url
  }

  async call(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.url}/_sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async accounts(): Promise<SeededAccount[]> {
    const response = await this.call('GET', `${slug}/accounts`)
    return ((await response.json()) as { accounts: SeededAccount[] }).accounts
  }

  /** A fresh account with a live session. */
  async newcomer(kind: 'agency' | 'private' = 'agency'): Promise<Visitor & { account: string }> {
    const response = await this.call('POST', `${slug}/accounts`, { kind, count: 1 })
    const [account] = ((await response.json()) as { accounts: SeededAccount[] }).accounts
    if (!account) throw new Error('No account was made.')
    return Object.assign(new Visitor(this.url, account), { account: account.account })
  }

  async effects(): Promise<Effect[]> {
    const response = await this.call('GET', `${slug}/effects`)
    return ((await response.json()) as { effects: Effect[] }).effects
  }

  async arm(fault: Record<string, unknown>): Promise<void> {
    const response = await this.call('POST', `${slug}/faults`, fault)
    if (response.status !== 201) throw new Error(await response.text())
  }

  async clear(): Promise<void> {
    await this.call('DELETE', `${slug}/faults`)
  }
}

export interface Started extends AsyncDisposable {
  sandbox: Sandbox
  control: Control
  dataDir: string
}

/** A sandbox of its own, on a free port and a folder that goes away with it. */
export async function started(): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-test-'))
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', dataDir })
  return {
    sandbox,
    control: new Control(sandbox.url),
    dataDir,
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
