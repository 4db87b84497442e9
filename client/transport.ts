import { addressOf } from './address.ts'
import { CallgateError, OptionError } from './errors.ts'

export interface CallgateOptions {
  /** `cg_live_…`. */
  readonly apiKey: string
  /** The gateway's URL, bare or up to `/api/v1` or `/mcp`. Default `http://127.0.0.1:8080`. */
  readonly baseUrl?: string | undefined
  /** Retries of requests that are safe to repeat. Default 3. Waiting for a call is not limited. */
  readonly retries?: number
}

export interface Sending {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Safe to send twice: retried when no answer came, or when the gateway says to wait. */
  readonly repeatable: boolean
  readonly signal?: AbortSignal | undefined
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Longest wait before a retry (ms); when the gateway asks for more, the caller gets the error. */
const longestWaitMs = 60_000
/** Backoff without a Retry-After, in ms: doubles from `first` up to `longest`. */
const pauseOfSilence = { first: 1_000, longest: 10_000 }

/** Requests with the API key, retried where that is safe. */
export class Transport {
  readonly #baseUrl: string
  readonly #apiKey: string
  readonly #retries: number
  /** Whether the gateway ever answered: silence then means an outage, not a wrong URL. */
  #heard = false

  constructor({ apiKey, baseUrl = 'http://127.0.0.1:8080', retries = 3 }: CallgateOptions) {
    this.#baseUrl = addressOf(baseUrl)
    this.#apiKey = apiKey
    this.#retries = retries
  }

  /**
   * Throws `CallgateError` for every status from 400 on, and with status 0 when no complete answer
   * came; `OptionError` for a value that no header can carry.
   */
  async send(method: string, path: string, sending: Sending): Promise<Received> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.#once(method, path, sending)
      } catch (error) {
        if (!sending.repeatable) throw error
        await this.beforeAnother(error, tries, sending)
      }
    }
  }

  /**
   * Backs off before a retry; `tries` counts the retries so far. Throws the error where a retry is
   * useless or the retries are used up: after `retries`, or at `until` (ms since the epoch) if the
   * gateway has answered before.
   */
  async beforeAnother(
    error: unknown,
    tries: number,
    { signal, until }: { readonly signal?: AbortSignal | undefined; readonly until?: number },
  ): Promise<void> {
    const wait = error instanceof CallgateError ? waitBefore(error, tries) : undefined
    const left = until !== undefined && this.#heard ? until - Date.now() : undefined
    if (wait === undefined || wait > longestWaitMs) throw error
    if (left === undefined ? tries >= this.#retries : left <= 0) throw error
    await pause(Math.min(wait, left ?? wait), signal)
  }

  async #once(method: string, path: string, { body, headers, signal }: Sending): Promise<Received> {
    const request = new Request(`${this.#baseUrl}${path}`, {
      method,
      headers: headersOf({
        Authorization: `Bearer ${this.#apiKey}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      // The gateway never redirects, and no other host may receive the request.
      redirect: 'manual',
    })
    const response = await fetch(request).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new CallgateError(0, { error: 'no_answer', message: `No answer from ${this.#baseUrl}.` }, undefined, error)
    })
    const read: unknown = await response.json().catch((error: unknown) => {
      if (signal?.aborted) throw error
      // An error that is not JSON keeps its status; a truncated success is no answer.
      if (!response.ok) return {}
      const message = `The answer of ${this.#baseUrl} ended too early, or is no JSON.`
      throw new CallgateError(0, { error: 'no_answer', message }, undefined, error)
    })
    if (response.ok) {
      this.#heard = true
      return { status: response.status, headers: response.headers, body: read }
    }
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    const said = typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
    const message = `${this.#baseUrl} answered ${response.status}, and not as Callgate does. Is that the gateway's address?`
    const known = typeof said['error'] === 'string' ? said : { message }
    throw new CallgateError(response.status, known, Number.isFinite(seconds) ? seconds * 1000 : undefined)
  }
}

/** Its error does not quote the value, which may be the API key. */
function headersOf(given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    try {
      headers.set(name, value)
    } catch {
      const what = name === 'Authorization' ? 'The API key' : name
      throw new OptionError(`${what} has characters that cannot be sent.`)
    }
  }
  return headers
}

/** Milliseconds to wait; undefined when a retry would yield the same error. */
function waitBefore(error: CallgateError, tries: number): number | undefined {
  if (isAway(error)) return error.retryAfterMs ?? Math.min(pauseOfSilence.first * 2 ** tries, pauseOfSilence.longest)
  if (error.code === 'rate_limited' || error.code === 'unavailable') return error.retryAfterMs ?? 1000
  return error.code === 'call_in_progress' ? 1000 : undefined
}

/** No answer came, or a proxy answered in the gateway's place. */
function isAway({ status, code }: CallgateError): boolean {
  return status === 0 || (code === 'unreadable_answer' && status >= 502 && status <= 504)
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
