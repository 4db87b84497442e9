import { createHash } from 'node:crypto'
import { ConnectorFailed } from '../../isolate/failed.ts'
import { UnknownShape } from '../../kit/wire.ts'
import { send } from '../http.ts'
import type { HttpLimits, HttpResult } from '../http.ts'
import type { Reach } from '../site.ts'
import { requestOf } from './crossing.ts'
import type { Ask, Fault, JobName, StartStep } from './messages.ts'
import type { CodeSource } from './source.ts'

/** The parts of a job that stay on the main thread. */
export interface OnMain {
  readonly send?: typeof send | undefined
  readonly fence?: (() => Promise<boolean>) | undefined
  readonly signal?: AbortSignal | undefined
  readonly account?: string | undefined
  readonly reach?: Reach | undefined
}

export interface Wanted {
  readonly job: JobName
  readonly source?: CodeSource | undefined
  readonly given: unknown
  readonly lane: string
  /** Limit of one step in ms; absent: the pool's. */
  readonly stepMs?: number
  readonly main?: OnMain
}

/** A sent request and its result. */
interface Sent {
  readonly key: string
  readonly isFenced: boolean
  readonly isGet: boolean
  readonly result: Promise<HttpResult>
  /** The last run that used it. */
  run: number
}

/** Most requests of one exchange; form, token, `before` pages and redirects need far fewer. */
const mostSent = 500
/** An exchange lasts about 20 s, in which other jobs can end four threads at most 16 times. */
const mostRuns = 20

let last = 0

/**
 * A job on the main thread: its input and the answers it got, so that it can run again if another
 * job ended its thread. What it sent is never sent again.
 */
export class Task {
  readonly id = ++last
  readonly wanted: Wanted
  readonly result: Promise<unknown>
  isOver = false
  readonly #settle: PromiseWithResolvers<unknown>
  readonly #sent: Sent[] = []
  /** The app's answers, for their cookies. */
  readonly answers: { readonly url: URL; readonly setCookies: readonly string[] }[] = []
  readonly #budgets = new Map<number, AbortSignal>()
  #run = 0
  #hasActed = false

  constructor(wanted: Wanted) {
    this.wanted = wanted
    this.#settle = Promise.withResolvers<unknown>()
    this.result = this.#settle.promise
  }

  /** Whether a byte of the action of a write went out. */
  get hasActed(): boolean {
    return this.#hasActed
  }

  /** A fenced request is out, or answered. */
  get mayHaveActed(): boolean {
    return this.#sent.some(({ isFenced }) => isFenced)
  }

  /** The step that starts a run; undefined: it was interrupted too often. */
  start(): StartStep | undefined {
    if (++this.#run > mostRuns) return undefined
    const { job, given } = this.wanted
    return { kind: 'start', id: this.id, job, source: null, given }
  }

  done(result: unknown): void {
    this.isOver = true
    this.#settle.resolve(result)
  }

  failed(fault: Fault): void {
    this.fail(errorOf(fault))
  }

  /** Settles once the result of every sent request is known. */
  fail(error: unknown): void {
    if (this.isOver) return
    this.isOver = true
    void this.#failOnceAllIsKnown(error)
  }

  async #failOnceAllIsKnown(reason: unknown): Promise<void> {
    await Promise.allSettled(this.#sent.map(({ result }) => result))
    this.#settle.reject(reason)
  }

  /** The answer to a request; if the job runs again, the stored one. Undefined: it failed. */
  answer(ask: Ask): Promise<HttpResult> | undefined {
    const { request, isFenced } = ask
    const isGet = request.method === 'GET'
    const key = keyOf(ask)
    const known = this.#sent.find((one) => one.run < this.#run && one.key === key)
    if (known) {
      known.run = this.#run
      return known.result
    }
    const isOther = this.#sent.some(
      (one) => (isFenced && one.isFenced) || (!isGet && !one.isGet && one.run < this.#run),
    )
    if (isOther || this.#sent.length === mostSent) {
      this.fail(new ConnectorFailed(isOther ? 'asked for something else when it ran again' : 'asks the app too often'))
      return undefined
    }
    const result = this.#send(ask)
    this.#sent.push({ key, isFenced, isGet, result, run: this.#run })
    // An error of the fence is passed to the caller.
    result.catch((error: unknown) => this.fail(error))
    return result
  }

  async #send({ request, isFenced, isKept, budget, maxBytes }: Ask): Promise<HttpResult> {
    const { send: sendBy = send, fence, account = '', reach, signal } = this.wanted.main ?? {}
    const timeout = this.#budgets.get(budget.number) ?? AbortSignal.timeout(budget.ms)
    this.#budgets.set(budget.number, timeout)
    if (isFenced && fence === undefined) throw new Error('a write without a fence')
    const limits: HttpLimits = {
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      timedOut: () => timeout.aborted && signal?.aborted !== true,
      ms: budget.ms,
      maxBytes,
      reach,
      ...(isFenced && fence ? { fence } : isKept ? { keptFor: account } : {}),
    }
    const read = requestOf(request)
    const result = await sendBy(read, limits)
    if (isFenced && result.sent) this.#hasActed = true
    if (result.kind === 'answer') this.answers.push({ url: read.url, setCookies: result.answer.setCookies })
    return result
  }
}

function keyOf({ request: { method, url, body }, isFenced }: Ask): string {
  const hash = createHash('sha256').update(JSON.stringify([method, url, isFenced, body === null]))
  return hash.update(body ?? '').digest('base64')
}

function errorOf({ name, message, stack, outcome }: Fault): Error {
  if (outcome) return Object.assign(new ConnectorFailed(''), { message, outcome })
  const error = name === 'UnknownShape' ? new UnknownShape(message) : new Error(message)
  return Object.assign(error, { name, ...(stack !== undefined && { stack }) })
}
