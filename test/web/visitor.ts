import { CookieJar, hidden } from '../../scripts/browsing.ts'
import type { Owner, Site } from './site.ts'

export interface Page {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Someone with a browser: keeps cookies, follows nothing by itself, and can be made to send any header. */
export class Visitor {
  readonly cookies = new CookieJar()
  readonly #url: string

  constructor(site: Pick<Site, 'url'>) {
    this.#url = site.url
  }

  async send(
    method: string,
    path: string,
    options: { form?: Form; headers?: Record<string, string> } = {},
  ): Promise<Page> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      redirect: 'manual',
      headers: { cookie: this.cookies.header, ...options.headers },
      ...(options.form && { body: new URLSearchParams(options.form) }),
    })
    this.cookies.keep(response)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  get(path: string): Promise<Page> {
    return this.send('GET', path)
  }

  /** The token of the page's forms. */
  async csrf(path: string): Promise<string> {
    return hidden((await this.get(path)).text, 'csrf')
  }

  post(path: string, form: Form, headers: Record<string, string> = {}): Promise<Page> {
    return this.send('POST', path, { form, headers })
  }

  /** Fills in the sign-in form. */
  async signIn(who: { readonly email: string; readonly password: string }, returnTo = '/docs'): Promise<Page> {
    const page = await this.get(`/login?return_to=${encodeURIComponent(returnTo)}`)
    const { email, password } = who
    return this.post('/login', { email, password, csrf: hidden(page.text, 'csrf'), return_to: returnTo })
  }
}

type Form = Readonly<Record<string, string>>

/** The owner in a browser, signed in. */
export async function visitorOf(site: Site, owner: Owner): Promise<Visitor> {
  const visitor = new Visitor(site)
  const answer = await visitor.signIn(owner)
  if (answer.status !== 303) throw new Error(`the sign-in answered ${answer.status}`)
  return visitor
}
