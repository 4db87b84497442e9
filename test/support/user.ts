import { randomBytes } from 'node:crypto'
import { connect } from '../../core/accounts/sessions.ts'
import type { Context } from '../../core/context.ts'
import { createKey } from '../../core/keys/rows.ts'
import { createUser } from '../../core/users/rows.ts'
import type { SeededAccount } from '../../scripts/demo-accounts.ts'
import { Person } from './person.ts'
import type { SandboxControl } from './sandbox.ts'

export interface UserOptions {
  readonly plan?: 'none' | 'small' | 'medium' | 'large'
  /** Fresh sandbox accounts to connect; one agency account by default. */
  readonly accounts?: readonly ('agency' | 'private')[]
  /** A seeded account to connect instead, by its demo user. */
  readonly seeded?: string
  readonly apps?: readonly string[] | null
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // Tests read fields of any answer; a wrong one is undefined and fails its assertion.
  readonly body: Record<string, unknown>
}

export interface ConnectedAccount {
  readonly id: string
  readonly seeded: SeededAccount
}

/** A user with a key, who talks to the gateway as an agent would. */
export class TestUser {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly key: string
  readonly keyId: string
  readonly accounts: readonly ConnectedAccount[]
  readonly publicUrl: string
  #person: Promise<Person> | undefined

  constructor(fields: {
    id: string
    email: string
    password: string
    key: string
    keyId: string
    accounts: readonly ConnectedAccount[]
    publicUrl: string
  }) {
    this.id = fields.id
    this.email = fields.email
    this.password = fields.password
    this.key = fields.key
    this.keyId = fields.keyId
    this.accounts = fields.accounts
    this.publicUrl = fields.publicUrl
  }

  get account(): ConnectedAccount {
    const first = this.accounts[0]
    if (first === undefined) throw new Error('this user has no account')
    return first
  }

  /** Any request below /api/v1 with this user's key. */
  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.publicUrl}/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
  }

  /** Calls an endpoint of property-advertising, and waits as long as a client may (s): a machine may be slow. */
  call(endpoint: string, input: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', `/property-advertising/${endpoint}`, input, { Prefer: 'wait=50', ...headers })
  }

  /** The call's record, after waiting up to `wait` seconds for it to be final. */
  async record(callId: unknown, wait = 0): Promise<Record<string, unknown>> {
    const answer = await this.send('GET', `/calls/${String(callId)}${wait > 0 ? `?wait=${wait}` : ''}`)
    if (answer.status === 429) throw new Error('This key has asked for more records than it may: ask less often.')
    return answer.body
  }

  cancel(callId: unknown): Promise<Answer> {
    return this.send('DELETE', `/calls/${String(callId)}`)
  }

  /** This user in a browser, signed in. */
  person(): Promise<Person> {
    this.#person ??= Person.signIn(this.publicUrl, this.email, this.password)
    return this.#person
  }

  /** `between`: the page was read, and nothing is approved yet. */
  async approve(callId: unknown, between?: () => Promise<unknown>): Promise<Response> {
    return (await this.person()).decide(String(callId), 'approve', between)
  }

  async reject(callId: unknown): Promise<Response> {
    return (await this.person()).decide(String(callId), 'reject')
  }
}

export async function makeUser(
  stack: {
    readonly ctx: Pick<Context, 'db' | 'secrets'>
    readonly publicUrl: string
    readonly sandbox: SandboxControl
  },
  options: UserOptions = {},
): Promise<TestUser> {
  const { ctx, sandbox } = stack
  const email = `${randomBytes(6).toString('hex')}@example.test`
  const password = randomBytes(9).toString('base64url')
  const id = await createUser(ctx, { email, password, plan: options.plan ?? 'large' })
  const key = await createKey(ctx, { owner: id, name: 'Test agent', apps: options.apps ?? null })
  const seeded =
    options.seeded === undefined
      ? await Promise.all((options.accounts ?? ['agency']).map((kind) => sandbox.newAccount(kind)))
      : (await sandbox.accounts()).filter(({ user }) => user === options.seeded)
  const accounts: ConnectedAccount[] = []
  for (const account of seeded) {
    const { account: externalId, label, session } = account
    const accountId = await connect(ctx, { owner: id, app: sandbox.slug, externalId, label, session })
    accounts.push({ id: accountId, seeded: account })
  }
  return new TestUser({ id, email, password, key: key.key, keyId: key.id, accounts, publicUrl: stack.publicUrl })
}
