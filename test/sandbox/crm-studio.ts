import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crm } from '../../sandbox/crm/app.ts'
import { startSandbox } from '../../sandbox/server.ts'

export type Node = Record<string, unknown> & { id: string }

export interface Connection {
  totalCount: number
  edges: { cursor: string; node: Node }[]
  pageInfo: { endCursor: string | null; hasNextPage: boolean }
}

interface Seeded {
  account: string
  user: string
  kind: string
  session: { cookies: { name: string; value: string }[] }
}

interface Answer {
  data?: Record<string, unknown>
  errors?: { message: string; extensions: { code: string; argument?: string; go?: string } }[]
}

interface Boot {
  xsrf: string
  studio: {
    zone: string
    currency: string
    me: { fullName: string; level: string }
    stages: { id: string; label: string }[]
    packages: { id: string; label: string; rate: { minor: number; currency: string } }[]
  }
}

/** The feeds, and under which name each answers. */
export const feeds = {
  EngagementFeed: 'engagements',
  PeopleFeed: 'people',
  PaperFeed: 'papers',
  BillFeed: 'bills',
} as const
export type Feed = keyof typeof feeds

/** Somebody with a session in one studio. */
export class Member {
  readonly base: string
  readonly account: string
  readonly #cookie: string
  #boot: Boot | undefined

  constructor(sandboxUrl: string, { account, session }: Seeded) {
    this.base = `${sandboxUrl}/crm`
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

  async boot(): Promise<Boot> {
    this.#boot ??= (await (await this.send('GET', '/boot.json')).json()) as Boot
    return this.#boot
  }

  async post(body: unknown, headers?: Record<string, string>): Promise<Response> {
    const { xsrf } = await this.boot()
    const sent = headers ?? { 'content-type': 'application/json', 'x-atelio-xsrf': xsrf }
    return this.send('POST', '/graphql', sent, typeof body === 'string' ? body : JSON.stringify(body))
  }

  /** What stands under `name` in the operation's data. */
  async ask<T>(operationName: string, variables: unknown, name: string): Promise<T> {
    const answer = (await (await this.post({ operationName, variables })).json()) as Answer
    if (answer.errors) throw new Error(`${operationName}: ${JSON.stringify(answer.errors)}`)
    return answer.data?.[name] as T
  }

  /** The code and argument of the refusal. */
  async refused(operationName: string, variables: unknown): Promise<string> {
    const response = await this.post({ operationName, variables })
    const answer = (await response.json()) as Answer
    const [error] = answer.errors ?? []
    if (!error || answer.data !== undefined) throw new Error(`${operationName} was not refused.`)
    return [response.status, error.extensions.code, error.extensions.argument].filter(Boolean).join(' ')
  }

  list(feed: Feed, variables: Record<string, unknown> = {}): Promise<Connection> {
    return this.ask<Connection>(feed, variables, feeds[feed])
  }

  /** To the end, with something happening after each page. */
  async all(feed: Feed, variables: Record<string, unknown> = {}, meanwhile?: () => Promise<unknown>): Promise<Node[]> {
    const seen: Node[] = []
    for (let after: string | null = null; ;) {
      const page: Connection = await this.list(feed, { first: 100, ...variables, after })
      seen.push(...page.edges.map(({ node }) => node))
      if (!page.pageInfo.hasNextPage) return seen
      after = page.pageInfo.endCursor
      await meanwhile?.()
    }
  }

  /** The first one of a list. */
  async one(feed: Feed, variables: Record<string, unknown> = {}): Promise<Node> {
    const [edge] = (await this.list(feed, { ...variables, first: 1 })).edges
    if (!edge) throw new Error(`${feed} ${JSON.stringify(variables)} is empty.`)
    return edge.node
  }

  async form(path: string, fields: Record<string, string> = {}): Promise<Response> {
    const body = new URLSearchParams({ xsrf: (await this.boot()).xsrf, ...fields }).toString()
    return this.send('POST', path, { 'content-type': 'application/x-www-form-urlencoded' }, body)
  }

  async page(path: string): Promise<string> {
    return (await this.send('GET', path)).text()
  }

  /** An engagement whose client has an address. */
  async engagement(person: Record<string, unknown> = { fullName: 'Ada', mail: 'ada@mail.example' }): Promise<Node> {
    const opened = await this.ask<{ engagement: Node }>(
      'OpenEngagement',
      { headline: 'Test', person },
      'openEngagement',
    )
    return opened.engagement
  }
}

export interface Started extends AsyncDisposable {
  url: string
  accounts(): Promise<Seeded[]>
  newcomer(kind?: string): Promise<Member>
  effects(of: Member): Promise<{ action: string; body: Record<string, unknown> }[]>
}

export const numberOf = (id: string): string => Buffer.from(id, 'base64').toString().split(':')[1] ?? ''

/** A sandbox with this app alone, on a free port and a folder that goes away with it. */
export async function started(): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'atelio-test-'))
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', dataDir, apps: [crm] })
  const control = async (path: string, body?: unknown): Promise<Record<string, Seeded[]>> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    return (await (await fetch(`${sandbox.url}/_sandbox/crm/${path}`, init)).json()) as Record<string, Seeded[]>
  }
  return {
    url: sandbox.url,
    accounts: async () => (await control('accounts'))['accounts'] ?? [],
    async newcomer(kind = 'owner') {
      const [account] = (await control('accounts', { kind, count: 1 }))['accounts'] ?? []
      if (!account) throw new Error('No account was made.')
      return new Member(sandbox.url, account)
    },
    async effects(of) {
      const { effects } = (await (await fetch(`${sandbox.url}/_sandbox/crm/effects`)).json()) as {
        effects: { account: string; action: string; body: Record<string, unknown> }[]
      }
      return effects.filter(({ account }) => account === of.account).map(({ action, body }) => ({ action, body }))
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
