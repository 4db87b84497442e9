import { addressOf } from './address.ts'
import { CallgateError, OptionError } from './errors.ts'

export interface CallgateOptions {
  /** `cg_live_…`. */
  readonly apiKey: string
  /** The gateway's: its host alone, or what ends in `/api/v1` or `/mcp`. Default `http://127.0.0.1:8080`. */
  readonly baseUrl?: string | undefined
  /** Tries after the first, for what may safely be sent again. Default 3. Waiting for the end of a call takes as many as it needs. */
  readonly retries?: number
}

export interface Sending {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Sending it twice is the same as once: then it is sent again when no answer came, or when it should wait. */
  readonly repeatable: boolean
  readonly signal?: AbortSignal | undefined
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** The longest wait before another try; what should wait longer is told to the caller. */
const longestWaitMs = 60_000
/** Before another try when nobody said how long to wait, in ms: doubled each time, up to the longest. */
const pauseOfSilence = { first: 1_000, longest: 10_000 }

/** Requests with the key, sent again where that is safe. */
export class Transport {
  readonly #baseUrl: string
  readonly #apiKey: string
  readonly #retries: number
  /** Whether the gateway has ever answered: then silence means that it is away, rather than that the address is wrong. */
  #heard = false

  constructor({ apiKey, baseUrl = 'http://127.0.0.1:8080', retries = 3 }: CallgateOptions) {
    this.#baseUrl = addressOf(baseUrl)
    this.#apiKey = apiKey
    this.#retries = retries
  }

  /** Throws `CallgateError` for every answer from 400 on, and with status 0 when none came in full; `OptionError` for what no header can carry. */
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
   * Waits before another try, after so many; throws the error where a try would come to the same, or the patience is over: that is after
   * `retries`, or at the time `until` (ms since the epoch) when the gateway has answered before.
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
      // The gateway sends nobody elsewhere: what is in the request is for it alone.
      redirect: 'manual',
    })
    const response = await fetch(request).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new CallgateError(0, { error: 'no_answer', message: `No answer from ${this.#baseUrl}.` }, undefined, error)
    })
    const read: unknown = await response.json().catch((error: unknown) => {
      if (signal?.aborted) throw error
      // What refuses in other words than JSON still has its status; half an output is none.
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

/** What it says of a value that cannot be sent does not quote it: it may be the key. */
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

/** Undefined: another try would come to the same. */
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
