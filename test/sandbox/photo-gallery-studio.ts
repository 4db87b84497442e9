import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { photoGallery } from '../../sandbox/photo-gallery/app.ts'
import { startSandbox } from '../../sandbox/server.ts'

export type Fields = Record<string, unknown>

export interface Item {
  type: string
  id: string
  attributes: Fields
  relationships?: Record<string, { data: { type: string; id: string } }>
}

export interface Listed {
  data: Item[]
  included?: Item[]
  meta: { matching: number; next_token: string | null }
}

interface Seeded {
  account: string
  user: string
  kind: string
  session: { cookies: { name: string; value: string }[] }
}

export interface Effect {
  account: string
  action: string
  body: Fields
}

/** Somebody with a session in one studio. */
export class Photographer {
  readonly base: string
  readonly account: string
  readonly user: string
  readonly #cookie: string
  #proof: string | undefined

  constructor(sandboxUrl: string, { account, user, session }: Seeded) {
    this.base = `${sandboxUrl}/photo-gallery`
    this.account = account
    this.user = user
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

  async read<T = Listed>(path: string): Promise<T> {
    const answer = await this.get(`/api${path}`)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  async item(path: string): Promise<Item> {
    return (await this.read<{ data: Item }>(path)).data
  }

  async studio(): Promise<{ zone: string; plan: string; quota_kb: number; used_kb: number; money: string }> {
    const me = await this.read<{ data: { attributes: Awaited<ReturnType<Photographer['studio']>> } }>('/me')
    return me.data.attributes
  }

  async proof(): Promise<string> {
    this.#proof ??= (await this.read<{ meta: { proof: string } }>('/me')).meta.proof
    return this.#proof
  }

  async form(path: string, fields: Record<string, string> | [string, string][] = {}): Promise<Response> {
    const pairs = Array.isArray(fields) ? fields : Object.entries(fields)
    const body = new URLSearchParams([['proof', await this.proof()], ...pairs]).toString()
    return this.send('POST', `/studio${path}`, { 'content-type': 'application/x-www-form-urlencoded' }, body)
  }

  async post(path: string, data: unknown): Promise<Response> {
    const headers = { 'content-type': 'application/vnd.api+json', 'x-proof': await this.proof() }
    return this.send('POST', `/api${path}`, headers, JSON.stringify({ data }))
  }

  /** Makes one resource; answers it. */
  async make(type: string, attributes: Fields, relationships?: Fields): Promise<Item> {
    const answer = await this.post(`/${type}`, { type, attributes, relationships })
    if (answer.status !== 201) throw new Error(`${type}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: Item }).data
  }

  upload(gallery: string, sources: string[]): Promise<Response> {
    const frames = sources.map((source) => ({ type: 'frames', attributes: { source } }))
    return this.post(`/galleries/${gallery}/frames`, frames)
  }

  /** Reads a list to its end, with something happening after each page. */
  async all(path: string, size = 100, meanwhile?: (seen: Item[]) => Promise<unknown>): Promise<Item[]> {
    const seen: Item[] = []
    const joint = path.includes('?') ? '&' : '?'
    for (let token = ''; ;) {
      const { data, meta } = await this.read(`${path}${joint}page[size]=${size}${token}`)
      seen.push(...data)
      if (meta.next_token === null) return seen
      token = `&page[token]=${meta.next_token}`
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

export const ids = (items: readonly Item[]): string[] => items.map(({ id }) => id)

export interface Prooflight extends AsyncDisposable {
  named(): Promise<Photographer[]>
  newcomer(kind?: 'studio' | 'starter'): Promise<Photographer>
  reset(): Promise<unknown>
  /** What was written by this account, or by guests: action and body. */
  effects(account: string): Promise<Pick<Effect, 'action' | 'body'>[]>
}

/** A sandbox with this app alone, on a free port and in a folder that goes away with it. */
export async function prooflight(): Promise<Prooflight> {
  const dataDir = await mkdtemp(join(tmpdir(), 'prooflight-test-'))
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', dataDir, apps: [photoGallery] })
  const control = `${sandbox.url}/_sandbox/photo-gallery`
  const accounts = async (answer: Response): Promise<Photographer[]> =>
    ((await answer.json()) as { accounts: Seeded[] }).accounts.map((one) => new Photographer(sandbox.url, one))
  return {
    named: async () => accounts(await fetch(`${control}/accounts`)),
    reset: () => fetch(`${sandbox.url}/_sandbox/reset`, { method: 'POST' }),
    async newcomer(kind = 'studio') {
      const body = JSON.stringify({ kind, count: 1 })
      const [photographer] = await accounts(await fetch(`${control}/accounts`, { method: 'POST', body }))
      if (!photographer) throw new Error('No account was made.')
      return photographer
    },
    async effects(account) {
      const { effects } = (await (await fetch(`${control}/effects`)).json()) as { effects: Effect[] }
      return effects.filter((line) => line.account === account).map(({ action, body }) => ({ action, body }))
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
