import { CallEndedError, CallgateError } from './errors.ts'
import type { CallRecord, Connection } from './records.ts'
import { Transport } from './transport.ts'
import type { CallgateOptions, Sending } from './transport.ts'

export type { CallgateOptions } from './transport.ts'

/**
 * Types of endpoints, by `app.endpoint`. `import '@callgate/client/apps'` declares the built-in
 * apps, `callgate types` writes the declarations of all apps of a gateway.
 */
export interface Endpoints {
  readonly [undeclared]?: never
}
declare const undeclared: unique symbol
type DeclaredId = Extract<keyof Endpoints, string>

/** Any string, until some endpoints are declared. */
export type EndpointId = [DeclaredId] extends [never] ? string : DeclaredId
export type Input<E extends EndpointId> = E extends keyof Endpoints
  ? MemberOf<E, 'input'>
  : Readonly<Record<string, unknown>>
/** The result type of `JSON.parse` (any) where the endpoint is not declared. */
export type Output<E extends EndpointId> = E extends keyof Endpoints
  ? MemberOf<E, 'output'>
  : ReturnType<typeof JSON.parse>
type MemberOf<E extends keyof Endpoints, Part extends string> =
  Endpoints[E] extends Readonly<Record<Part, infer T>> ? T : never

export interface CallOptions {
  /** Selects one of several accounts of the app. */
  readonly account?: string
  /** Idempotency key: the same key is the same call, however often it is sent. Default: random. */
  readonly idempotencyKey?: string
  /** Shown to the approver as the agent's reason; never sent to the app. At most 500 characters. */
  readonly reason?: string
  /**
   * At most 20 texts to find the call by, 2 KiB in all. They appear in its record, in lists and
   * in webhooks; the app never receives them.
   */
  readonly metadata?: Readonly<Record<string, string>>
  /** Seconds the gateway waits for the result before it answers `running`: 0 to 50, default 25. */
  readonly wait?: number
  readonly signal?: AbortSignal
}

/** The state of a call. Only `executed` has an output. */
export type Call<Output> =
  | { readonly status: 'executed'; readonly callId: string; readonly output: Output; readonly creditsUsed: number }
  | {
      readonly status: 'awaiting_confirmation'
      readonly callId: string
      /** Show it to the user, who sees exactly what would be sent and approves or rejects it. */
      readonly confirmUrl: string
      readonly expiresAt: string
    }
  | { readonly status: 'running' | 'unknown' | 'rejected' | 'expired' | 'cancelled'; readonly callId: string }

export interface WaitOptions {
  /** Milliseconds. The call itself continues after the timeout. Default: no timeout. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** A client of one gateway with one key. */
export class Callgate {
  readonly #transport: Transport

  constructor(options: CallgateOptions) {
    this.#transport = new Transport(options)
  }

  /** Makes a call and returns its state. Throws `CallgateError` when it is refused or fails. */
  async call<E extends EndpointId>(endpoint: E, input: Input<E>, options: CallOptions = {}): Promise<Call<Output<E>>> {
    const [app, name] = endpoint.split('.', 2)
    const { status, body, headers } = await this.#transport.send('POST', `/${app}/${name}`, {
      body: input,
      ...(options.signal && { signal: options.signal }),
      // The idempotency key makes it safe to send it again.
      repeatable: true,
      headers: {
        'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID(),
        ...(options.account !== undefined && { 'X-Callgate-Account': options.account }),
        ...(options.reason !== undefined && { 'X-Callgate-Reason': encodeURIComponent(options.reason) }),
        ...(options.metadata !== undefined && { 'X-Callgate-Metadata': asciiJson(options.metadata) }),
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
   * Makes a call and waits for its output, for days if need be. `onConfirm` receives the URL of the
   * approval page. Throws `CallgateError` when the call is refused or fails, `CallEndedError` when
   * it ends as rejected, expired, cancelled or unknown.
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
    else if (call.status !== 'running')
      throw new CallEndedError(call.callId, call.status, await this.getCall(call.callId))
    const left = end === undefined ? {} : { timeoutMs: Math.max(0, end - Date.now()) }
    return this.waitForApproval<E>(call.callId, { ...options, ...left })
  }

  /**
   * Waits until a call is final and returns its output, typed by its endpoint. Throws as `run`
   * does, and `CallgateError` with code `wait_timed_out` after `timeoutMs`.
   */
  async waitForApproval<E extends EndpointId>(callId: string, options: WaitOptions = {}): Promise<Output<E>> {
    const record = await this.waitForEnd(callId, options)
    if (record.status === 'executed') return record.output as Output<E>
    if (record.status === 'failed') throw new CallgateError(record.error?.http_status ?? 0, record.error ?? {})
    if (record.status === 'running' || record.status === 'awaiting_confirmation')
      throw new CallgateError(0, { error: 'wait_timed_out', message: `${callId} is still ${record.status}.` })
    throw new CallEndedError(callId, record.status, record)
  }

  /**
   * Returns the call's record once it is final, or its current one at the timeout. Outages of a
   * gateway that has answered before are retried until then.
   */
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
      readonly metadata?: Readonly<Record<string, string>> | undefined
    } = {},
  ): Promise<{ readonly calls: readonly CallRecord[]; readonly next_cursor: string | null }> {
    const { metadata = {}, ...rest } = filter
    const named = Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value] as const)
    const query = new URLSearchParams(
      [...Object.entries(rest), ...named].flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    )
    return (await this.#get(`/calls?${query}`)) as { calls: CallRecord[]; next_cursor: string | null }
  }

  /** Cancels a call that has not been sent. */
  async cancel(callId: string): Promise<CallRecord> {
    const path = `/calls/${encodeURIComponent(callId)}`
    return (await this.#transport.send('DELETE', path, { repeatable: false })).body as CallRecord
  }

  async connections(): Promise<readonly Connection[]> {
    return ((await this.#get('/connections')) as { connections: Connection[] }).connections
  }

  async #get(path: string): Promise<unknown> {
    return (await this.#transport.send('GET', path, { repeatable: true })).body
  }
}

/** JSON in ASCII, so that a header can carry it. */
function asciiJson(value: object): string {
  return JSON.stringify(value).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function pending<O>(body: unknown): Call<O> {
  const { status, call_id, confirm_url, expires_at } = body as Record<string, string>
  const callId = call_id ?? ''
  if (status === 'awaiting_confirmation')
    return { status, callId, confirmUrl: confirm_url ?? '', expiresAt: expires_at ?? '' }
  return { status: status as 'running' | 'unknown' | 'rejected' | 'expired' | 'cancelled', callId }
}
