import type { AppSession } from '../../schemas/session.ts'
import type { AnswerKind } from '../kit/define.ts'
import type { FailureRule } from '../kit/failures.ts'
import { within } from '../kit/request-line.ts'
import type { AnswerOf, Wanted } from './answer.ts'
import type { Endpoint } from './app.ts'
import { CookieJar } from './cookies.ts'
import type { ReadPage } from './forms/page-form.ts'
import { send } from './http.ts'
import type { HttpLimits, HttpResult, RawAnswer } from './http.ts'
import { StoppedByRule, expected, expectedOfAction, judged } from './judged.ts'
import type { Rules } from './judged.ts'
import type { LookUp } from './look-ups.ts'
import { pageRequest, written } from './message.ts'
import type { Contents, Filled, Sender } from './message.ts'
import { Stopped, changed, shaped } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { isPlain } from './rendered.ts'
import type { Rendered } from './rendered.ts'
import { authorized } from './session-tokens.ts'
import { below } from './site.ts'
import type { Reach } from './site.ts'

export interface AskOptions {
  readonly endpoint: Endpoint
  readonly session: AppSession
  /** The account of the session: keep-alive connections are not shared with other accounts. */
  readonly account?: string
  /** Bytes of the request's files. */
  readonly contents?: Contents
  /** Absolute root of the app, ending in a slash. */
  readonly origin: string
  /** Resolves where to connect to, for an address that a user entered. */
  readonly reach?: Reach | undefined
  /** For writes: called at most once, right before the action's first byte; false: send nothing. */
  readonly fence: () => Promise<boolean>
  readonly signal?: AbortSignal
  /** The author makes or replays a recording: do not check whether a cookie signs in. */
  readonly trustsCookies?: boolean
  /** Sends the requests instead of the network. */
  readonly send?: typeof send
  /** Timeout in ms over all requests. Default 15,000, plus 400 for each MiB of files. */
  readonly timeoutMs?: number
  /** Limit of one decoded answer, in bytes. Default 2 MiB. */
  readonly maxBytes?: number
}

/** Timeout of the second attempt to read the page after the action, in ms. */
const afterAgainMs = 5_000
/** Outcomes that may not recur when the page is read again. */
const passing: ReadonlySet<Outcome['kind']> = new Set(['lost', 'timeout', 'refused', 'app_error'])
/** Browsers allow more; no app's page needs more. */
const mostRedirects = 5

/**
 * The requests of one exchange: the one that carries the action, and the pages around it, with the
 * session's cookies as the app changes them. Throws `Stopped` for an unexpected answer.
 */
export class Asking {
  /** False: certainly no byte of the request that carries the action went out. */
  sent = false
  readonly jar: CookieJar
  /** The most recent answer. */
  last: RawAnswer | undefined
  /** Root URL of the endpoint's pages. */
  readonly root: string
  readonly #options: AskOptions
  #limits: HttpLimits
  readonly #send: typeof send
  /** Pages read before the action, by address: each is read once. */
  readonly #pages = new Map<string, AnswerOf>()

  constructor(options: AskOptions) {
    this.jar = new CookieJar(options.session)
    this.root = options.endpoint.root ?? options.origin
    this.#options = options
    this.#send = options.send ?? send
    this.#limits = limitsOf(options, options.timeoutMs ?? usualMs(options.contents))
  }

  /** Whether a page was read before the action with this session. */
  get hasRead(): boolean {
    return this.#pages.size > 0
  }

  /** Sends the request that carries the action. */
  async act(request: Rendered, filled: readonly Filled[]): Promise<AnswerOf> {
    const { endpoint, fence, session, account = '', contents } = this.#options
    const url = new URL(request.url)
    const { access } = endpoint
    const { answer: kind, statuses, failure: own } = endpoint.definition
    const isGet = request.method === 'GET'
    const how = access === 'write' ? { fence } : isGet ? { keptFor: account } : {}
    const sender = { session, cookie: this.jar.header(url) }
    const result = await this.#send(written(request, filled, sender, contents), { ...this.#limits, ...how })
    this.sent = result.sent
    const answer = this.#understood(result, url, { own, statuses })
    if (access === 'write') return expectedOfAction(answer, { kind, statuses })
    return isGet ? this.#led(answer, { kind, statuses }, own) : expected(answer, { kind, statuses })
  }

  /** A page that is read before the action, for tokens, a form or a preview. */
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

  /**
   * Whether the app still recognizes the user without this cookie. Throws `auth_expired` if it does
   * not even with it, and `changed` if the connector reads an account from a page without a
   * session.
   */
  async isSignedInWithout(cookie: string): Promise<boolean> {
    if (this.#options.trustsCookies === true) return true
    const sender = this.#sender(below(this.#options.origin, this.#options.endpoint.who.page))
    if (!(await this.#isSignedIn({ ...sender, cookie: this.jar.header(sender.url, cookie) }))) {
      if (await this.#isSignedIn(sender)) return false
      throw new Stopped({ kind: 'auth_expired' })
    }
    if (!(await this.#isSignedIn({ ...sender, cookie: '', authorized: {} }))) return true
    throw changed('the page that says who is signed in is understood so without a session, too')
  }

  /** Reads the page that shows who is signed in; cookies that it sets are not kept. */
  async #isSignedIn(sender: Sender & { readonly url: URL }): Promise<boolean> {
    const request = { ...pageRequest(sender.url, 'json', sender), isCheck: true } as const
    const result = await this.#send(request, this.#limits)
    if (result.kind === 'changed') throw changed(result.rule)
    if (result.kind !== 'answer') throw new Stopped({ kind: result.kind })
    const { status, text } = result.answer
    return status === 200 && shaped(undefined, () => this.#options.endpoint.who.account(text)) !== null
  }

  async lookUp({ request, answer }: LookUp): Promise<AnswerOf> {
    const url = new URL(request.url)
    // A plain GET is cached: other values may be read from the same page.
    if (request.method === 'GET' && isPlain(request)) return this.page(url, answer)
    const sender = this.#sender(url)
    const said = this.#understood(await this.#send(written(request, [], sender), this.#limits), url)
    return request.method === 'GET' ? this.#led(said, { kind: answer }) : expected(said, { kind: answer })
  }

  /**
   * Reads the page after the action. The action is done, so no failure here may look as if it were
   * not, unless the endpoint declares it. Reading has no effect, so a lost answer is retried once.
   */
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
      // An error status of this page says nothing about the action.
      const isShown = error instanceof StoppedByRule && error.isOwn && error.answer.status < 400
      if (outcome.kind === 'rejected' && isShown) throw error
      throw changed(`after the action: ${outcome.kind === 'changed' ? outcome.rule : outcome.kind}`)
    }
  }

  /** Session tokens for a request that has no fields of its own for them. */
  #sender(url: URL): Sender & { readonly url: URL } {
    const { endpoint, session } = this.#options
    return { url, session, cookie: this.jar.header(url), authorized: authorized(endpoint.authorize, session) }
  }

  async #read(url: URL, accept: AnswerKind, own: FailureRule | null = null): Promise<AnswerOf> {
    return this.#led(await this.#ask(url, accept, { own }), { kind: accept }, own)
  }

  async #ask(url: URL, accept: AnswerKind, rules: Partial<Rules>): Promise<AnswerOf> {
    const { endpoint, account = '' } = this.#options
    const how = endpoint.access === 'read' ? { keptFor: account } : {}
    const result = await this.#send(pageRequest(url, accept, this.#sender(url)), { ...this.#limits, ...how })
    return this.#understood(result, url, rules)
  }

  /** Follows redirects within the app, as a browser does. */
  async #led(first: AnswerOf, wanted: Wanted, own: FailureRule | null = null): Promise<AnswerOf> {
    const { kind, statuses } = wanted
    let answer = first
    for (let steps = 0; answer.location !== null; steps++) {
      if (kind === 'redirect' || statuses?.includes(answer.status)) break
      if (steps === mostRedirects) throw changed(`${kind} expected, more than ${mostRedirects} redirects came`)
      answer = await this.#ask(belowApp(this.root, answer.location), kind, { own, statuses })
    }
    return expected(answer, wanted)
  }

  /** `rules`: what the endpoint declares about this answer. */
  #understood(result: HttpResult, url: URL, { own = null, statuses }: Partial<Rules> = {}): AnswerOf {
    if (result.kind === 'answer') {
      this.last = result.answer
      this.jar.take(result.answer.setCookies, url)
    }
    return judged(result, url, this.root, { own, statuses, failure: this.#options.endpoint.failure })
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
    ms,
    maxBytes: options.maxBytes ?? 2 * 1024 * 1024,
    reach: options.reach,
  }
}

/** A URL below the app's root, from a redirect's location. */
export function belowApp(origin: string, location: string | null): URL {
  return new URL(`./${location ?? ''}`, origin)
}
