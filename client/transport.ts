import type { CallgateOptions } from './callgate.ts'
import { CallgateError } from './errors.ts'

export interface Sending {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Sending it twice is the same as once: then it is sent again when no answer came, or when it should wait. */
  readonly repeatable: boolean
  readonly signal?: AbortSignal
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** The longest wait before another try; what should wait longer is told to the caller. */
const longestWaitMs = 60_000

/** Requests with the key, sent again where that is safe. */
export class Transport {
  readonly #baseUrl: string
  readonly #apiKey: string
  readonly #retries: number

  constructor({ apiKey, baseUrl = 'http://127.0.0.1:8080/api/v1', retries = 3 }: CallgateOptions) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '')
    this.#apiKey = apiKey
    this.#retries = retries
  }

  /** Throws `CallgateError` for every answer from 400 on, and with status 0 when none came in full. */
  async send(method: string, path: string, sending: Sending): Promise<Received> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#once(method, path, sending)
      } catch (error) {
        if (!(error instanceof CallgateError) || attempt >= this.#retries || !sending.repeatable) throw error
        const wait = waitBefore(error, attempt)
        if (wait === undefined || wait > longestWaitMs) throw error
        await pause(wait, sending.signal)
      }
    }
  }

  async #once(method: string, path: string, { body, headers, signal }: Sending): Promise<Received> {
    let response: Response
    try {
      response = await fetch(`${this.#baseUrl}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${this.#apiKey}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
        // The gateway sends nobody elsewhere: what is in the request is for it alone.
        redirect: 'manual',
      })
    } catch (error) {
      if (signal?.aborted) throw error
      throw new CallgateError(0, { error: 'no_answer', message: `No answer from ${this.#baseUrl}.` }, undefined, error)
    }
    const read: unknown = await response.json().catch((error: unknown) => {
      if (signal?.aborted) throw error
      // What refuses in other words than JSON still has its status; half an output is none.
      if (!response.ok) return {}
      const message = `The answer of ${this.#baseUrl} ended too early, or is no JSON.`
      throw new CallgateError(0, { error: 'no_answer', message }, undefined, error)
    })
    if (response.ok) return { status: response.status, headers: response.headers, body: read }
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    const known = typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
    throw new CallgateError(response.status, known, Number.isFinite(seconds) ? seconds * 1000 : undefined)
  }
}

/** Undefined: another try would come to the same. */
function waitBefore(error: CallgateError, attempt: number): number | undefined {
  if (error.status === 0) return 250 * 2 ** attempt
  if (error.code === 'rate_limited' || error.code === 'unavailable') return error.retryAfterMs ?? 1000
  return error.code === 'call_in_progress' ? 1000 : undefined
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
