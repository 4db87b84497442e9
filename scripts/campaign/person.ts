import { setTimeout as pause } from 'node:timers/promises'
import { CookieJar, findHidden } from '../browsing.ts'
import type { Journal } from './journal.ts'
import type { User } from './people.ts'
import type { Random } from './random.ts'

/** A user with a browser: opens the approval page and presses a button, with retries. */
export class Person {
  readonly #user: User
  readonly #apis: readonly string[]
  readonly #journal: Journal
  readonly #cookies = new CookieJar()

  constructor(user: User, apis: readonly string[], journal: Journal) {
    this.#user = user
    this.#apis = apis
    this.#journal = journal
  }

  async decide(callId: string, decision: 'approve' | 'reject', random: Random): Promise<void> {
    const deadline = Date.now() + 40_000
    while (Date.now() < deadline) {
      const status = await this.#try(callId, decision, random).catch(() => undefined)
      if (status === 303) this.#journal.wasTold(callId, decision === 'approve' ? 'approved' : 'rejected')
      if (status === 404) this.#journal.complain(`the confirm page of ${callId} is gone`)
      // 409: already decided, perhaps by our own press whose answer was lost. Null: no button left.
      if (status === 303 || status === 404 || status === 409 || status === null) return
      await pause(random.between(100, 700))
    }
  }

  /** Status after pressing the button; null: no button; undefined: signed in now, or retry. */
  async #try(callId: string, decision: 'approve' | 'reject', random: Random): Promise<number | null | undefined> {
    const path = `/confirm/${callId}`
    const page = await this.#fetch(path, random)
    if (page.status === 303 || page.status === 302) return this.#signIn(random)
    if (page.status === 404) return 404
    if (page.status !== 200) return undefined
    const [csrf, hash] = [findHidden(page.text, 'csrf'), findHidden(page.text, 'approval_hash')]
    if (csrf === undefined || hash === undefined) return null
    if (decision === 'approve') this.#journal.pressed.add(callId)
    const answer = await this.#fetch(path, random, { csrf, approval_hash: hash, decision })
    this.#journal.count(`${decision} ${answer.status}`)
    return answer.status >= 500 || answer.status === 403 ? undefined : answer.status
  }

  async #signIn(random: Random): Promise<undefined> {
    const { text } = await this.#fetch('/login', random)
    const { email, password } = this.#user
    await this.#fetch('/login', random, { email, password, csrf: findHidden(text, 'csrf') ?? '' })
  }

  async #fetch(path: string, random: Random, form?: Readonly<Record<string, string>>) {
    const response = await fetch(`${random.of(this.#apis)}${path}`, {
      headers: { cookie: this.#cookies.header },
      redirect: 'manual',
      signal: AbortSignal.timeout(20_000),
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    this.#cookies.keep(response)
    return { status: response.status, text: await response.text() }
  }
}
