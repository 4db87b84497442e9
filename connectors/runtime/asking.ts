import type { AppSession } from '../../schemas/session.ts'
import type { AnswerKind } from '../kit/define.ts'
import type { FailureRule } from '../kit/failures.ts'
import { within } from '../kit/request-line.ts'
import type { AnswerOf } from './answer.ts'
import type { Endpoint } from './app.ts'
import { CookieJar } from './cookies.ts'
import type { ReadPage } from './forms/page-form.ts'
import { send } from './http.ts'
import type { HttpLimits, HttpResult, RawAnswer } from './http.ts'
import { StoppedByEndpoint, expected, judged } from './judged.ts'
import type { LookUp } from './look-ups.ts'
import { pageRequest, written } from './message.ts'
import type { Contents, Filled, Sender } from './message.ts'
import { Stopped, changed } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { isPlain } from './rendered.ts'
import type { Rendered } from './rendered.ts'
import { authorized } from './session-tokens.ts'
import type { Reach } from './site.ts'

export interface AskOptions {
  readonly endpoint: Endpoint
  readonly session: AppSession
  /** Whose session it is: connections that are kept open are kept for this account alone. */
  readonly account?: string
  /** Bytes of the request's files. */
  readonly contents?: Contents
  /** Absolute root of the app, ending in a slash. */
  readonly origin: string
  /** Finds where to connect to, for an address that somebody typed. */
  readonly reach?: Reach | undefined
  /** Asked at most once, for writes only, right before the first byte of the action; false means: send nothing. */
  readonly fence: () => Promise<boolean>
  readonly signal?: AbortSignal
  /** What asks the app, in place of the network. */
  readonly send?: typeof send
  /** Over all requests of the exchange, headers and bodies. Default 15,000, and 400 more for each MiB of files. */
  readonly timeoutMs?: number
  /** Of one answer, decoded. Default 2 MiB. */
  readonly maxBytes?: number
}

/** How long the page after the action is waited for once more, where it was lost, in ms. */
const afterAgainMs = 5_000
/** What a page may meet that is there the next moment. */
const passing: ReadonlySet<Outcome['kind']> = new Set(['lost', 'timeout', 'refused', 'app_error'])
/** A browser gives up later; no page of an app is further away. */
const mostRedirects = 5

/**
 * What an app is asked in one exchange: the request that carries the action, and the pages around it, with the session's cookies as the app changes
 * them. Throws `Stopped` for what is not the answer that was waited for.
 */
export class Asking {
  /** False: certainly no byte of the request that carries the action went out. */
  sent = false
  readonly jar: CookieJar
  /** The answer that came last. */
  last: RawAnswer | undefined
  /** Below it are the endpoint's pages. */
  readonly root: string
  readonly #options: AskOptions
  #limits: HttpLimits
  readonly #send: typeof send
  /** What was read before the action, by address: each page once. */
  readonly #pages = new Map<string, AnswerOf>()

  constructor(options: AskOptions) {
    this.jar = new CookieJar(options.session)
    this.root = options.endpoint.root ?? options.origin
    this.#options = options
    this.#send = options.send ?? send
    this.#limits = limitsOf(options, options.timeoutMs ?? usualMs(options.contents))
  }

  /** The request that carries the action. */
  async act(request: Rendered, filled: readonly Filled[]): Promise<AnswerOf> {
    const { endpoint, fence, session, account = '', contents } = this.#options
    const url = new URL(request.url)
    const { access, definition } = endpoint
    const isGet = request.method === 'GET'
    const how = access === 'write' ? { fence } : isGet ? { keptFor: account } : {}
    const sender = { session, cookie: this.jar.header(url) }
    const result = await this.#send(written(request, filled, sender, contents), { ...this.#limits, ...how })
    this.sent = result.sent
    const answer = this.#understood(result, url, definition.failure)
    const isLed = access === 'read' && isGet
    return isLed ? this.#led(answer, definition.answer, definition.failure) : expected(answer, definition.answer)
  }

  /** A page that is read before the action. One may hold tokens, a form, and what is looked up. */
  async page(url: URL, accept: AnswerKind): Promise<AnswerOf> {
    const known = this.#pages.get(`${accept} ${url.href}`)
    if (known) return known
    const answer = await this.#read(url, accept)
    this.#pages.set(`${accept} ${url.href}`, answer)
    return answer
  }

  async formPage(url: URL): Promise<ReadPage> {
    if (!within(this.root, url)) throw changed('the page of the form is not of the app')
    const { text, headers, url: at } = await this.page(url, 'page')
    return { url: at, text, type: headers['content-type'] ?? '' }
  }

  async lookUp({ request, answer }: LookUp): Promise<AnswerOf> {
    const url = new URL(request.url)
    // A page that others are read from, too.
    if (request.method === 'GET' && isPlain(request)) return this.page(url, answer)
    const sender = this.#sender(url)
    const said = this.#understood(await this.#send(written(request, [], sender), this.#limits), url)
    return request.method === 'GET' ? this.#led(said, answer) : expected(said, answer)
  }

  /** The action is done by now: no failure of this page may look as if it were not, but for what the endpoint itself declares. To ask for it does nothing, so one that is lost is asked for again. */
  async after(url: URL, accept: AnswerKind, isAgain = false): Promise<AnswerOf> {
    try {
      return await this.#read(url, accept, this.#options.endpoint.definition.failure)
    } catch (error) {
      if (!(error instanceof Stopped) || this.#options.endpoint.access === 'read') throw error
      const { outcome } = error
      if (!isAgain && passing.has(outcome.kind) && this.#options.signal?.aborted !== true) {
        this.#limits = limitsOf(this.#options, afterAgainMs)
        return this.after(url, accept, true)
      }
      if (outcome.kind === 'timeout' || outcome.kind === 'lost') throw error
      if (outcome.kind === 'rejected' && error instanceof StoppedByEndpoint) throw error
      throw changed(`after the action: ${outcome.kind === 'changed' ? outcome.rule : outcome.kind}`)
    }
  }

  /** What goes along with a request that has no places of its own for the session's tokens. */
  #sender(url: URL): Sender {
    const { endpoint, session } = this.#options
    return { session, cookie: this.jar.header(url), authorized: authorized(endpoint.authorize, session) }
  }

  async #read(url: URL, accept: AnswerKind, own: FailureRule | null = null): Promise<AnswerOf> {
    return this.#led(await this.#ask(url, accept, own), accept, own)
  }

  async #ask(url: URL, accept: AnswerKind, own: FailureRule | null): Promise<AnswerOf> {
    const { endpoint, account = '' } = this.#options
    const how = endpoint.access === 'read' ? { keptFor: account } : {}
    const result = await this.#send(pageRequest(url, accept, this.#sender(url)), { ...this.#limits, ...how })
    return this.#understood(result, url, own)
  }

  /** Goes where an answer leads within the app, as a browser does. */
  async #led(first: AnswerOf, accept: AnswerKind, own: FailureRule | null = null): Promise<AnswerOf> {
    let answer = first
    if (accept === 'redirect') return expected(answer, accept)
    for (let steps = 0; answer.location !== null; steps++) {
      if (steps === mostRedirects) throw changed(`${accept} expected, more than ${mostRedirects} redirects came`)
      answer = await this.#ask(belowApp(this.root, answer.location), accept, own)
    }
    return expected(answer, accept)
  }

  /** `own`: what the endpoint says of its failures. */
  #understood(result: HttpResult, url: URL, own: FailureRule | null = null): AnswerOf {
    if (result.kind === 'answer') {
      this.last = result.answer
      this.jar.take(result.answer.setCookies, url)
    }
    return judged(result, url, this.root, { own, failure: this.#options.endpoint.failure })
  }
}

function usualMs(contents: Contents = new Map()): number {
  const bytes = [...contents.values()].reduce((sum, one) => sum + one.length, 0)
  return 15_000 + Math.ceil((400 * bytes) / (1024 * 1024))
}

function limitsOf(options: Pick<AskOptions, 'signal' | 'maxBytes' | 'reach'>, ms: number): HttpLimits {
  const timeout = AbortSignal.timeout(ms)
  return {
    signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    timedOut: () => timeout.aborted && options.signal?.aborted !== true,
    maxBytes: options.maxBytes ?? 2 * 1024 * 1024,
    reach: options.reach,
  }
}

/** A place below the app's root, as a redirect tells it. */
export function belowApp(origin: string, location: string | null): URL {
  return new URL(`./${location ?? ''}`, origin)
}
