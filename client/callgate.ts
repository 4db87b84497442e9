import { reads } from './endpoints/index.ts'
import type { Endpoints } from './endpoints/index.ts'
import { CallEndedError, CallgateError } from './errors.ts'
import { Transport } from './transport.ts'
import type { CallgateOptions, Sending } from './transport.ts'

export type { CallgateOptions } from './transport.ts'

export type EndpointId = keyof Endpoints
export type Input<E extends EndpointId> = Endpoints[E]['input']
export type Output<E extends EndpointId> = Endpoints[E]['output']

export interface CallOptions {
  /** Which of several accounts of the app. */
  readonly account?: string
  /** The same key is the same call, however often it is sent. Writes get a random one. */
  readonly idempotencyKey?: string
  /** Why, for the person who approves it: shown as the agent's words, never sent to the app. At most 500 characters. */
  readonly reason?: string
  /** Seconds that the gateway waits for the call's end before it says `running`: 0 to 50, 25 by default. */
  readonly wait?: number
  readonly signal?: AbortSignal
}

/** What became of a call so far. */
export type Call<Output> =
  | { readonly status: 'executed'; readonly callId: string; readonly output: Output; readonly creditsUsed: number }
  | {
      readonly status: 'awaiting_confirmation'
      readonly callId: string
      /** Give it to the person: they see exactly what would be sent, and approve or reject it. */
      readonly confirmUrl: string
      readonly expiresAt: string
    }
  | { readonly status: 'running' | 'unknown' | 'rejected' | 'expired' | 'cancelled'; readonly callId: string }

/** The body of `GET /calls/{call_id}`. */
export interface CallRecord {
  readonly call_id: string
  readonly app: string
  readonly endpoint: string
  readonly account: string
  readonly status:
    | 'awaiting_confirmation'
    | 'running'
    | 'executed'
    | 'failed'
    | 'unknown'
    | 'rejected'
    | 'expired'
    | 'cancelled'
  readonly waiting_for?: string
  readonly created_at: string
  readonly updated_at: string
  /** Until when the person may decide. */
  readonly expires_at?: string
  /** How often the person was asked once more, as what matters had changed in the app after they approved. */
  readonly asked_again?: number
  readonly rounds?: readonly { readonly by: string; readonly approved_at: string; readonly ended_at: string }[]
  /** When a call that is `blocked` is tried again. */
  readonly retry_at?: string
  readonly confirm_url?: string
  readonly connect_url?: string
  readonly credits_used: number
  readonly output?: unknown
  readonly error?: Readonly<Record<string, unknown>> & { readonly http_status: number }
  /** What the person said, once they have. */
  readonly decision?: {
    /** `owner`, or the id of the standing approval. */
    readonly by: string
    readonly at: string
    readonly decision: 'approved' | 'rejected'
    readonly reason?: string
    /** JSON paths of the input that the person changed before. */
    readonly changed?: readonly string[]
  }
  /** What somebody found out about a call that is `unknown`: whether it happened. */
  readonly resolution?: { readonly happened: boolean; readonly by: string; readonly at: string }
}

export interface WaitOptions {
  /** Milliseconds; the call goes on after it. Default: for ever. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** A client of one gateway with one key. */
export class Callgate {
  readonly #transport: Transport

  constructor(options: CallgateOptions) {
    this.#transport = new Transport(options)
  }

  /** Makes a call and says what became of it so far. Throws `CallgateError` when it was refused or failed. */
  async call<E extends EndpointId>(endpoint: E, input: Input<E>, options: CallOptions = {}): Promise<Call<Output<E>>> {
    const [app, name] = endpoint.split('.', 2)
    const key = options.idempotencyKey ?? (reads.has(endpoint) ? undefined : crypto.randomUUID())
    const { status, body, headers } = await this.#transport.send('POST', `/${app}/${name}`, {
      body: input,
      ...(options.signal && { signal: options.signal }),
      // What has a key, or changes nothing, is the same call when it is sent again.
      repeatable: true,
      headers: {
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...(options.account !== undefined && { 'X-Callgate-Account': options.account }),
        ...(options.reason !== undefined && { 'X-Callgate-Reason': encodeURIComponent(options.reason) }),
        ...(options.wait !== undefined && { Prefer: `wait=${options.wait}` }),
      },
    })
    const callId = headers.get('x-request-id') ?? ''
    if (status === 200)
      return {
        status: 'executed',
        callId,
        output: body as Output<E>,
        creditsUsed: Number(headers.get('x-credits-used')),
      }
    return pending(body)
  }

  /**
   * Makes a call and waits for its output, also for days: `onConfirm` gets the page for the person.
   * Throws `CallgateError` when it was refused or failed, `CallEndedError` when it ended otherwise.
   */
  async run<E extends EndpointId>(
    endpoint: E,
    input: Input<E>,
    options: CallOptions & WaitOptions & { readonly onConfirm?: (confirmUrl: string, callId: string) => void } = {},
  ): Promise<Output<E>> {
    const { timeoutMs } = options
    const end = timeoutMs === undefined ? undefined : Date.now() + timeoutMs
    const wait = timeoutMs === undefined ? undefined : Math.min(options.wait ?? 25, Math.ceil(timeoutMs / 1000))
    const call = await this.call(endpoint, input, { ...options, ...(wait !== undefined && { wait }) })
    if (call.status === 'executed') return call.output
    if (call.status === 'awaiting_confirmation') options.onConfirm?.(call.confirmUrl, call.callId)
    else if (call.status !== 'running') throw new CallEndedError(call.callId, call.status)
    const left = end === undefined ? {} : { timeoutMs: Math.max(0, end - Date.now()) }
    return (await this.waitForApproval(call.callId, { ...options, ...left })) as Output<E>
  }

  /** Waits until a call is final and returns its output; throws as `run` does. */
  async waitForApproval(callId: string, options: WaitOptions = {}): Promise<unknown> {
    const record = await this.waitForEnd(callId, options)
    if (record.status === 'executed') return record.output
    if (record.status === 'failed') throw new CallgateError(record.error?.http_status ?? 0, record.error ?? {})
    if (record.status === 'running' || record.status === 'awaiting_confirmation')
      throw new CallgateError(0, { error: 'wait_timed_out', message: `${callId} is still ${record.status}.` })
    throw new CallEndedError(callId, record.status)
  }

  /** The call's record once it is final, or when the time is over. A gateway that has answered before is waited for, too. */
  async waitForEnd(
    callId: string,
    { timeoutMs = Number.POSITIVE_INFINITY, signal }: WaitOptions = {},
  ): Promise<CallRecord> {
    const end = Date.now() + timeoutMs
    for (let misses = 0; ;) {
      const wait = Math.min(50, Math.ceil(Math.max(0, end - Date.now()) / 1000))
      try {
        const record = await this.#read(callId, { wait, signal, repeatable: false })
        if ((record.status !== 'running' && record.status !== 'awaiting_confirmation') || Date.now() >= end)
          return record
        misses = 0
      } catch (error) {
        await this.#transport.beforeAnother(error, misses++, { signal, until: end })
      }
    }
  }

  async getCall(
    callId: string,
    options: { readonly wait?: number; readonly signal?: AbortSignal } = {},
  ): Promise<CallRecord> {
    return this.#read(callId, { ...options, repeatable: true })
  }

  async #read(callId: string, { wait, ...sending }: Sending & { readonly wait?: number }): Promise<CallRecord> {
    const query = wait === undefined ? '' : `?wait=${wait}`
    const path = `/calls/${encodeURIComponent(callId)}${query}`
    return (await this.#transport.send('GET', path, sending)).body as CallRecord
  }

  async listCalls(
    filter: {
      readonly status?: CallRecord['status'] | undefined
      readonly app?: string | undefined
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    } = {},
  ): Promise<{ readonly calls: readonly CallRecord[]; readonly next_cursor: string | null }> {
    const query = new URLSearchParams(
      Object.entries(filter).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    )
    return (await this.#get(`/calls?${query}`)) as { calls: CallRecord[]; next_cursor: string | null }
  }

  /** Takes back a call that has not been sent. */
  async cancel(callId: string): Promise<CallRecord> {
    const path = `/calls/${encodeURIComponent(callId)}`
    return (await this.#transport.send('DELETE', path, { repeatable: false })).body as CallRecord
  }

  async connections(): Promise<readonly Readonly<Record<string, string | null>>[]> {
    const { connections } = (await this.#get('/connections')) as {
      connections: Readonly<Record<string, string | null>>[]
    }
    return connections
  }

  async #get(path: string): Promise<unknown> {
    return (await this.#transport.send('GET', path, { repeatable: true })).body
  }
}

function pending<O>(body: unknown): Call<O> {
  const { status, call_id, confirm_url, expires_at } = body as Record<string, string>
  const callId = call_id ?? ''
  if (status === 'awaiting_confirmation')
    return { status, callId, confirmUrl: confirm_url ?? '', expiresAt: expires_at ?? '' }
  return { status: status as 'running' | 'unknown' | 'rejected' | 'expired' | 'cancelled', callId }
}
