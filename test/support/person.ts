import { setTimeout as sleep } from 'node:timers/promises'
import { CookieJar, findHidden, hidden } from '../../scripts/browsing.ts'

/** How long what is not on a page yet is looked for again, in ms. */
const patience = 120_000

export interface ConfirmForm extends Readonly<Record<string, string>> {
  readonly csrf: string
  readonly approval_hash: string
}

/** Someone in a browser without JavaScript: cookies, forms, redirects. */
export class Person {
  readonly #publicUrl: string
  readonly #cookies = new CookieJar()

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl
  }

  static async signIn(publicUrl: string, email: string, password: string): Promise<Person> {
    const person = new Person(publicUrl)
    const page = await (await person.get('/login')).text()
    const answer = await person.post('/login', { email, password, csrf: hidden(page, 'csrf') })
    if (answer.status !== 303) throw new Error(`the sign-in answered ${answer.status}`)
    return person
  }

  get cookies(): readonly string[] {
    return [...this.#cookies.values()]
  }

  get cookieHeader(): string {
    return this.#cookies.header
  }

  /** The same browser at another API process of the gateway. */
  at(publicUrl: string): Person {
    const there = new Person(publicUrl)
    for (const [name, value] of this.#cookies) there.#cookies.set(name, value)
    return there
  }

  get(path: string, method = 'GET'): Promise<Response> {
    return this.#fetch(path, { method })
  }

  post(path: string, form: Readonly<Record<string, string>>): Promise<Response> {
    return this.#fetch(path, { method: 'POST', body: new URLSearchParams(form) })
  }

  /** What the confirm page would post. */
  async confirmForm(callId: string): Promise<ConfirmForm> {
    const form = await this.findConfirmForm(callId)
    if (form === undefined) throw new Error(`nothing can be decided on the page of ${callId}`)
    return form
  }

  /** The same of a page on which nothing may be left to decide. */
  async findConfirmForm(callId: string): Promise<ConfirmForm | undefined> {
    for (const until = Date.now() + patience; ; await sleep(200)) {
      const page = await (await this.get(`/confirm/${callId}`)).text()
      const approvalHash = findHidden(page, 'approval_hash')
      if (approvalHash !== undefined) return { csrf: hidden(page, 'csrf'), approval_hash: approvalHash }
      // It is not known yet what would be sent: a person would look again.
      if (!page.includes('is still asking') || Date.now() > until) return undefined
    }
  }

  /**
   * Opens the confirm page, reads it, and presses the button; once more where the page changed
   * meanwhile. `between`: after the page was read, as that may read from the app.
   */
  async decide(callId: string, decision: 'approve' | 'reject', between?: () => Promise<unknown>): Promise<Response> {
    let form = await this.confirmForm(callId)
    await between?.()
    for (const until = Date.now() + patience; ; form = await this.confirmForm(callId)) {
      const answer = await this.post(`/confirm/${callId}`, { ...form, decision })
      if (answer.status !== 409 || Date.now() > until) return answer
      if (!(await answer.clone().text()).includes('Read it again, then decide')) return answer
    }
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = { cookie: this.cookieHeader }
    const response = await fetch(`${this.#publicUrl}${path}`, { ...init, headers, redirect: 'manual' })
    this.#cookies.keep(response)
    return response
  }
}
