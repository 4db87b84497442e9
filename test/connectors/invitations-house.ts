import { AppCaller } from './app-caller.ts'
import type { Row } from './app-caller.ts'

/** Events of the demo user's seed: the largest of each status, one that is only co-hosted, and one that nobody is invited to. */
export const sent = 'event_100190'
export const draft = 'event_100191'
export const scheduled = 'event_100192'
export const cohosted = { draft: 'event_100179', sent: 'event_100172' } as const
export const empty = 'event_100185'

/** The app's own number in an id. */
export const numberIn = (id: unknown): number => Number(String(id).replace(/^[a-z]+_/, ''))

/** The demo user's sandbox account, also as the app's own pages show it. */
export class House {
  readonly caller: AppCaller

  private constructor(caller: AppCaller) {
    this.caller = caller
  }

  static async open(): Promise<House> {
    return new House(await AppCaller.open('invitations'))
  }

  async read(path: string): Promise<Row> {
    const answer = await fetch(this.#address(path), { headers: { cookie: await this.#cookie() } })
    return (await answer.json()) as Row
  }

  /** Fills in one of the app's forms, in ways that the gateway has no endpoint for. */
  async fill(path: string, form: Readonly<Record<string, string>>): Promise<void> {
    const { formKey } = await this.read('api/whoami')
    const body = new URLSearchParams({ ...form, formKey: String(formKey) })
    const headers = { cookie: await this.#cookie() }
    const answer = await fetch(this.#address(path), { method: 'POST', body, headers, redirect: 'manual' })
    if (answer.status !== 303) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }

  /** What a guest does at the link in their letter. */
  async answer(guest: string, form: Readonly<Record<string, string>>): Promise<void> {
    const letters = (await this.letters()).filter(({ guestNo }) => guestNo === numberIn(guest))
    const link = letters.map(({ words }) => /\/i\/\w+/.exec(String(words))?.[0]).find((found) => found !== undefined)
    const answer = await fetch(this.#address(String(link).slice(1)), {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
    if (answer.status !== 303) throw new Error(`${link}: ${answer.status} ${await answer.text()}`)
  }

  /** What was sent last, or is to be, latest first. */
  async letters(): Promise<Row[]> {
    return (await this.read('api/outbox?pageSize=100'))['letters'] as Row[]
  }

  #address(path: string): string {
    return `${this.caller.sandbox.url}/invitations/${path}`
  }

  async #cookie(): Promise<string> {
    const demo = (await this.caller.sandbox.accounts('invitations')).find(({ user }) => user === 'demo')
    return (demo?.session.cookies ?? []).map(({ name, value }) => `${name}=${value}`).join('; ')
  }
}
