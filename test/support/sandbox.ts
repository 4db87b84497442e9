import type { SeededAccount } from '../../scripts/demo-accounts.ts'

export type FaultKind =
  | 'block'
  | 'expire'
  | 'captcha'
  | 'mfa'
  | 'rate_limit'
  | 'error'
  | 'drop_before'
  | 'drop_after'
  | 'garbage'
  | 'huge'
  | 'slow'

export interface Effect {
  readonly seq: number
  readonly at: string
  readonly account: string
  readonly action: string
  readonly body: unknown
}

/** The sandbox's control routes, for one app. */
export class SandboxControl {
  readonly url: string
  readonly slug: string

  constructor(url: string, slug: string) {
    this.url = url
    this.slug = slug
  }

  async reset(): Promise<void> {
    await this.#send('POST', `${this.url}/_sandbox/reset`)
  }

  async fault(kind: FaultKind, options: { times?: number; path?: string; ms?: number; retry_after?: number } = {}) {
    await this.#send('POST', `${this.url}/_sandbox/${this.slug}/faults`, { kind, ...options })
  }

  async clearFaults(): Promise<void> {
    await this.#send('DELETE', `${this.url}/_sandbox/${this.slug}/faults`)
  }

  /** What the app accepted, oldest first; of one of its accounts when named. */
  async effects(account?: string): Promise<readonly Effect[]> {
    const { effects } = (await this.#send('GET', `${this.url}/_sandbox/${this.slug}/effects`)) as { effects: Effect[] }
    return effects.filter((effect) => account === undefined || effect.account === account)
  }

  /** The seeded accounts, each with a live session. */
  async accounts(): Promise<readonly SeededAccount[]> {
    const answer = await this.#send('GET', `${this.url}/_sandbox/${this.slug}/accounts`)
    return (answer as { accounts: SeededAccount[] }).accounts
  }

  /** A further account with data of its own. */
  async newAccount(kind: 'agency' | 'private'): Promise<SeededAccount> {
    const answer = await this.#send('POST', `${this.url}/_sandbox/${this.slug}/accounts`, { kind, count: 1 })
    const account = (answer as { accounts: SeededAccount[] }).accounts[0]
    if (account === undefined) throw new Error('the sandbox made no account')
    return account
  }

  async #send(method: string, url: string, body?: object): Promise<unknown> {
    const response = await fetch(url, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}
