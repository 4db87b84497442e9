import { CookieJar, hidden } from '../../scripts/browsing.ts'

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
  async confirmForm(callId: string): Promise<{ csrf: string; approval_hash: string }> {
    const page = await (await this.get(`/confirm/${callId}`)).text()
    return { csrf: hidden(page, 'csrf'), approval_hash: hidden(page, 'approval_hash') }
  }

  /** Opens the confirm page, reads it, and presses the button. */
  async decide(callId: string, decision: 'approve' | 'reject'): Promise<Response> {
    return this.post(`/confirm/${callId}`, { ...(await this.confirmForm(callId)), decision })
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = { cookie: this.cookieHeader }
    const response = await fetch(`${this.#publicUrl}${path}`, { ...init, headers, redirect: 'manual' })
    this.#cookies.keep(response)
    return response
  }
}
