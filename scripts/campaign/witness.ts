import type { SeededAccount } from '../demo-accounts.ts'

export interface Effect {
  readonly account: string
  readonly action: string
  readonly body: unknown
}

/** The sandbox's control routes: it is never killed and logs what really happened. */
export class Witness {
  readonly #url: string

  constructor(sandboxUrl: string, app: string) {
    this.#url = `${sandboxUrl}/_sandbox/${app}`
  }

  /** Another account with its own data. */
  async newAccount(): Promise<SeededAccount> {
    const { accounts } = (await this.#ask('POST', 'accounts', { kind: 'agency', count: 1 })) as {
      accounts: SeededAccount[]
    }
    const [account] = accounts
    if (account === undefined) throw new Error('the sandbox made no account')
    return account
  }

  async fault(kind: string, settings: Readonly<Record<string, number | string>> = {}): Promise<void> {
    await this.#ask('POST', 'faults', { kind, ...settings })
  }

  async clearFaults(): Promise<void> {
    await this.#ask('DELETE', 'faults')
  }

  async effects(): Promise<readonly Effect[]> {
    return ((await this.#ask('GET', 'effects')) as { effects: Effect[] }).effects
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.#url}/${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`the sandbox answered ${response.status} to ${method} ${path}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}
