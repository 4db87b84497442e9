import { setTimeout as pause } from 'node:timers/promises'
import type { Journal } from './journal.ts'
import { app, type User } from './people.ts'
import type { Random } from './random.ts'

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

/** How long a client retries after its connection broke, in ms. */
const patience = 60_000

/** An agent: sends to either API process and retries where that is safe. */
export class Client {
  readonly #apis: readonly string[]
  readonly #journal: Journal
  readonly #random: Random

  constructor(apis: readonly string[], journal: Journal, random: Random) {
    this.#apis = apis
    this.#journal = journal
    this.#random = random
  }

  /** The call id; undefined if the call was refused before acceptance or the answer was lost. */
  async call(
    user: User,
    endpoint: string,
    input: object,
    options: { readonly key: string | null; readonly wait: number },
  ): Promise<string | undefined> {
    const headers = {
      Prefer: `wait=${options.wait}`,
      ...(options.key !== null && { 'Idempotency-Key': options.key }),
    }
    const send = () => this.#send(user, 'POST', `/${app}/${endpoint}`, headers, input)
    const answer = await this.#untilAnswered(send, options.key !== null)
    if (answer === undefined) return undefined
    const { status, body } = answer
    this.#journal.count(status < 300 ? String(status) : `${status} ${errorOf(answer)}`)
    const callId = String(answer.headers.get('x-request-id'))
    if (!callId.startsWith('call_')) return undefined
    this.#journal.sawCall(callId, options.key)
    if (status === 200) this.#journal.sawStatus(callId, 'executed')
    // The API also answers `running` when it cannot reach the database: no status to record.
    else if (status === 202 && body['status'] !== 'running') this.#journal.sawStatus(callId, body['status'])
    else if (status >= 400) this.#journal.sawStatus(callId, 'failed')
    return callId
  }

  /** Polls the call's record until it is final or the time is over. */
  async follow(user: User, callId: string, withinMs: number): Promise<void> {
    const deadline = Date.now() + withinMs
    while (Date.now() < deadline) {
      const answer = await this.#untilAnswered(() => this.#send(user, 'GET', `/calls/${callId}?wait=10`), true)
      if (answer === undefined) return
      this.#noteRecord(callId, answer)
      if (this.#journal.finals.has(callId)) return
      await pause(500)
    }
  }

  async cancel(user: User, callId: string): Promise<void> {
    const answer = await this.#untilAnswered(() => this.#send(user, 'DELETE', `/calls/${callId}`), true)
    if (answer === undefined) return
    this.#noteRecord(callId, answer)
    if (answer.status === 200) this.#journal.wasTold(callId, 'cancelled')
  }

  /** The user's calls that await a decision. */
  async waiting(user: User): Promise<readonly string[]> {
    const send = () => this.#send(user, 'GET', '/calls?status=awaiting_confirmation&limit=100')
    const answer = await this.#untilAnswered(send, true)
    const calls = (answer?.body['calls'] ?? []) as { readonly call_id: string }[]
    return calls.map(({ call_id }) => call_id)
  }

  #noteRecord(callId: string, { status, body }: Answer): void {
    if (status === 200) this.#journal.sawStatus(callId, body['status'])
    else if (status === 404) this.#journal.complain(`${callId}, returned before, is unknown now`)
  }

  /** Undefined: the connection failed, and retrying was unsafe or did not help. */
  async #untilAnswered(send: () => Promise<Answer>, repeatable: boolean): Promise<Answer | undefined> {
    const deadline = Date.now() + patience
    for (;;) {
      const answer = await send().catch(() => undefined)
      if (answer === undefined) {
        this.#journal.count('no answer')
        if (!repeatable || Date.now() > deadline) return undefined
        await pause(this.#random.between(50, 600))
        continue
      }
      // These guarantee that nothing was accepted.
      const refusedForNow = answer.status === 429 || ['unavailable', 'call_in_progress'].includes(errorOf(answer))
      if (!refusedForNow || Date.now() > deadline) return answer
      this.#journal.count(`${answer.status} ${errorOf(answer)}, again`)
      const seconds = Math.min(Number(answer.headers.get('retry-after') ?? 1), 20)
      await pause(seconds * 1_000 * this.#random.between(0.3, 1))
    }
  }

  async #send(user: User, method: string, path: string, headers = {}, body?: object): Promise<Answer> {
    const response = await fetch(`${this.#random.of(this.#apis)}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${user.key}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    // An id in the headers counts as returned, even if the body never arrives.
    this.#journal.sawCall(response.headers.get('x-request-id'), null)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: JSON.parse(text) as Answer['body'] }
  }
}

function errorOf({ body }: Answer): string {
  return typeof body['error'] === 'string' ? body['error'] : ''
}
