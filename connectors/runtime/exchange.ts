import type { AppSession } from '../../schemas/session.ts'
import { belowRoot, fieldsOf, kindOf, otherKind, read } from './answer.ts'
import type { AnswerOf } from './answer.ts'
import { CookieJar } from './cookies.ts'
import { openCursor, sealCursor } from './cursor.ts'
import type { Place } from './cursor.ts'
import type { AnswerKind, EncodeContext } from '../kit/define.ts'
import type { Csrf } from '../kit/csrf.ts'
import { InputRejected, rejected } from '../kit/failures.ts'
import type { FailureRule } from '../kit/failures.ts'
import { AppRefused } from '../kit/refusals.ts'
import { send } from './http.ts'
import type { HttpLimits, HttpResult } from './http.ts'
import { UnsafePath, address, within } from '../kit/request-line.ts'
import { pageRequest, samePlace, written } from './message.ts'
import type { Filled, Sender } from './message.ts'
import { lookUps } from './look-ups.ts'
import type { LookUp } from './look-ups.ts'
import { appInput, isPlain, render, segmented, tokensOf } from './rendered.ts'
import { pageForm } from './forms/page-form.ts'
import type { ReadPage } from './forms/page-form.ts'
import { formAddress, formValue, isStill } from './forms/render-form.ts'
import type { RenderedForm } from './forms/render-form.ts'
import type { Rendered } from './rendered.ts'
import { withKinds } from '../kit/numbered-ids.ts'
import { listInput } from './paging.ts'
import type { Endpoint } from './app.ts'
import { authorized, isOfSession, ofSession } from './session-tokens.ts'
import type { Reach } from './site.ts'
import { nameOfAnother } from '../kit/same-thing.ts'
import { Stopped, changed, shaped } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'

export interface Exchange {
  readonly outcome: Outcome
  /** The session with the cookies that the app changed; null when it changed none. */
  readonly session: AppSession | null
  /** False: certainly no byte of the request that carries the action went out. */
  readonly sent: boolean
  /** The form that the request was made of has changed, so nothing was sent: this is what would be sent now. */
  readonly instead?: Rendered
}

export interface ExchangeOptions {
  readonly endpoint: Endpoint
  /** The request as it was rendered before; absent: it is rendered now. */
  readonly request?: Rendered | undefined
  /** As `parseInput` returned it. */
  readonly input: Readonly<Record<string, unknown>>
  readonly session: AppSession
  /** Whose session it is: connections that are kept open are kept for this account alone. */
  readonly account?: string
  /** Absolute root of the app, ending in a slash. */
  readonly origin: string
  /** Finds where to connect to, for an address that somebody typed. */
  readonly reach?: Reach | undefined
  readonly cursorKey: Buffer
  /** Asked at most once, for writes only, right before the first byte of the action; false means: send nothing. */
  readonly fence: () => Promise<boolean>
  readonly signal?: AbortSignal
  /** The moment that it is for the connector; default: that of its beginning. */
  readonly now?: Date
  /** What asks the app, in place of the network. */
  readonly send?: typeof send
  /** Over all requests of the exchange, headers and bodies. Default 15,000. */
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
/** Of a token, in characters: view states are long. */
const longestToken = 65_536

/** Runs one endpoint once. Tries nothing twice; what to do about an outcome is the caller's business. */
export async function exchange(options: ExchangeOptions): Promise<Exchange> {
  const { run, jar } = runOf(options)
  const outcome = await run.outcome()
  return { outcome, session: jar.changes(), sent: run.sent, ...(run.instead && { instead: run.instead }) }
}

/** Renders the request of an endpoint that needs pages of the app for that. Nothing but those is asked for. */
export async function renderInApp(options: Omit<ExchangeOptions, 'fence' | 'request'>): Promise<{
  readonly outcome: { readonly kind: 'rendered'; readonly request: Rendered } | Exclude<Outcome, { kind: 'ok' }>
  readonly session: AppSession | null
}> {
  const { run, jar } = runOf({ ...options, fence: () => Promise.resolve(false) })
  const outcome = await run.rendered()
  return { outcome, session: jar.changes() }
}

function runOf(options: ExchangeOptions): { readonly run: Run; readonly jar: CookieJar } {
  const jar = new CookieJar(options.session)
  return { run: new Run(options, jar, limitsOf(options, options.timeoutMs ?? 15_000)), jar }
}

function limitsOf(options: Pick<ExchangeOptions, 'signal' | 'maxBytes' | 'reach'>, ms: number): HttpLimits {
  const timeout = AbortSignal.timeout(ms)
  return {
    signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    timedOut: () => timeout.aborted && options.signal?.aborted !== true,
    maxBytes: options.maxBytes ?? 2 * 1024 * 1024,
    reach: options.reach,
  }
}

class Run {
  sent = false
  instead: Rendered | undefined
  readonly #options: ExchangeOptions
  /** Below it are the endpoint's pages. */
  readonly #root: string
  readonly #jar: CookieJar
  #limits: HttpLimits
  readonly #send: typeof send
  readonly #now: Date
  /** What was read before the action, by address: each page once. */
  readonly #pages = new Map<string, AnswerOf>()

  constructor(options: ExchangeOptions, jar: CookieJar, limits: HttpLimits) {
    this.#options = options
    this.#root = options.endpoint.root ?? options.origin
    this.#jar = jar
    this.#limits = limits
    this.#send = options.send ?? send
    this.#now = options.now ?? new Date()
  }

  outcome(): Promise<Outcome> {
    return this.#caught(() => this.#story())
  }

  rendered(): Promise<{ readonly kind: 'rendered'; readonly request: Rendered } | Exclude<Outcome, { kind: 'ok' }>> {
    return this.#caught(async () => {
      const context = await this.#context(null, this.#now)
      return { kind: 'rendered', request: await this.#render(context) } as const
    })
  }

  async #caught<T>(story: () => Promise<T>): Promise<T | Exclude<Outcome, { kind: 'ok' }>> {
    try {
      return await story()
    } catch (error) {
      if (error instanceof Stopped) return error.outcome
      // Bytes of a write are out: what is found unsendable now says nothing of what the app did with them.
      const acted = this.sent && this.#options.endpoint.access === 'write'
      if (acted && (error instanceof UnsafePath || error instanceof InputRejected))
        return { kind: 'changed', rule: 'what the answer leads to cannot be asked for' }
      if (error instanceof UnsafePath)
        return { kind: 'rejected', appCode: 'invalid_address', appMessage: error.message }
      if (error instanceof InputRejected) return { kind: 'rejected', appCode: error.code, appMessage: error.message }
      throw error
    }
  }

  async #story(): Promise<Outcome> {
    const { endpoint, input: asked, cursorKey } = this.#options
    const origin = this.#root
    const { definition, numbered } = endpoint
    const id = `${endpoint.app}.${endpoint.name}`
    const anchor = placeOf(cursorKey, id, asked['cursor'])?.anchor ?? null
    const input = appInput(endpoint, asked)
    const named = segmented(endpoint, input, origin, anchor)
    // What cannot be part of an address is refused before the app is asked anything.
    if (this.#options.request === undefined) address(origin, definition.line.path, named)
    const context = await this.#context(anchor, this.#now)
    const request = this.#options.request ?? (await this.#render(context))
    if (this.#options.request?.form) await this.#lookAgain(this.#options.request, this.#options.request.form, context)
    const acted = await this.#act(request, await this.#tokens(request, named))
    let answer = acted
    let kind = definition.answer
    if (definition.after) {
      kind = definition.afterAnswer
      const { after } = definition
      const page = after === 'location' ? belowApp(origin, acted.location) : address(origin, after.path, named)
      answer = await this.#after(page, kind)
    }

    const wasLed = acted.url.href !== request.url
    const output = shaped(answer.json, (json): unknown => {
      const decoded = decodedOrRefused(() =>
        definition.decode(fieldsOf({ ...answer, json }, kind), {
          ...context,
          input,
          origin,
          page: kind === 'page' ? answer.text : '',
          location: acted.location ?? (wasLed ? belowRoot(origin, acted.url) : ''),
          cursor: (next) =>
            next === null ? null : sealCursor(cursorKey, id, { anchor: String(next), input: listInput(asked) }),
        }),
      )
      const plain: unknown = JSON.parse(JSON.stringify(decoded))
      return numbered ? withKinds(definition.output, plain) : plain
    })
    if (!isFields(output)) throw changed('the output is no object')
    if (!endpoint.checkOutput(output)) throw changed(endpoint.outputFault(output))
    const another = shaped(undefined, () => nameOfAnother(definition, asked, output, origin))
    if (another !== undefined) throw changed(`${another} is another than the one asked for`)
    return { kind: 'ok', output: { ...output } }
  }

  async #context(anchor: string | null, now: Date): Promise<EncodeContext> {
    const { endpoint, input: asked } = this.#options
    const origin = this.#root
    const { before } = endpoint.definition
    if (before === null) return { anchor, now, before: {} }
    if (typeof before === 'string') {
      const page = await this.#page(address(origin, before, {}), 'json')
      return { anchor, now, before: shaped(undefined, () => fieldsOf(page, 'json')) }
    }
    const input = appInput(endpoint, asked)
    const named = segmented(endpoint, input, origin, anchor)
    const found = await lookUps(before, { anchor, now, input, named, origin, ask: (one) => this.#lookUp(one) })
    return { anchor, now, before: found }
  }

  async #lookUp({ request, answer }: LookUp): Promise<AnswerOf> {
    const url = new URL(request.url)
    // A page that others are read from, too.
    if (request.method === 'GET' && isPlain(request)) return this.#page(url, answer)
    const sender = this.#sender(url)
    const said = this.#understood(await this.#send(written(request, [], sender), this.#limits), url)
    return request.method === 'GET' ? this.#led(said, answer) : expected(said, answer)
  }

  async #render(context: EncodeContext): Promise<Rendered> {
    const { endpoint, input, origin } = this.#options
    const { form } = endpoint.definition
    const named = segmented(endpoint, appInput(endpoint, input), this.#root, context.anchor)
    const page = form && (await this.#formPage(formAddress(this.#root, form, named)))
    return render(endpoint, input, { ...context, origin, page })
  }

  async #formPage(url: URL): Promise<ReadPage> {
    if (!within(this.#root, url)) throw changed('the page of the form is not of the app')
    const { text, headers, url: at } = await this.#page(url, 'page')
    return { url: at, text, type: headers['content-type'] ?? '' }
  }

  /** A form that is not as it was when its request was approved is not sent: the person has to see first what would be sent now. */
  async #lookAgain(request: Rendered, form: RenderedForm, context: EncodeContext): Promise<void> {
    const page = await this.#formPage(new URL(form.page))
    if (isStill(request, form, page)) return
    this.instead = await this.#render(context)
    throw new Stopped({ kind: 'fenced' })
  }

  /** The tokens that the request has places for, of its form or of other pages. */
  async #tokens({ url, fills, form }: Rendered, named: Fields): Promise<readonly Filled[]> {
    const { endpoint, session } = this.#options
    if (!fills.filter(isOfSession).every((fill) => endpoint.authorize.some((place) => samePlace(fill, place))))
      throw changed('nothing gives the token that the request has a place for')
    const filled: Filled[] = [...ofSession(fills.filter(isOfSession), session)]
    for (const fill of fills) {
      if (isOfSession(fill)) continue
      const source = tokensOf(endpoint).find((one) => samePlace(one.fills, fill))
      if (source) {
        const page = address(this.#root, source.page, named)
        filled.push({ fill, token: await this.#token(source, page, new URL(url)) })
      } else if (form && 'field' in fill) {
        const page = await this.#formPage(new URL(form.page))
        filled.push({ fill, token: shaped(undefined, () => formValue(pageForm(page, form), fill.field)) })
      } else throw changed('nothing gives the token that the request has a place for')
    }
    if (filled.some(({ token }) => token.length > longestToken)) throw changed('a token is too long')
    return filled
  }

  async #token(source: Csrf, page: URL, action: URL): Promise<string> {
    const kept = (): string | undefined => source.cookie && this.#jar.value(source.cookie, action)
    const known = kept()
    if (known !== undefined) return known
    const { text, url } = await this.#page(page, source.answer)
    return kept() ?? shaped(undefined, () => source.find(text, { page: url, action }))
  }

  /** The action is done by now: no failure of this page may look as if it were not, but for what the endpoint itself declares. To ask for it does nothing, so one that is lost is asked for again. */
  async #after(url: URL, accept: AnswerKind, isAgain = false): Promise<AnswerOf> {
    try {
      return await this.#read(url, accept, this.#options.endpoint.definition.failure)
    } catch (error) {
      if (!(error instanceof Stopped) || this.#options.endpoint.access === 'read') throw error
      const { outcome } = error
      if (!isAgain && passing.has(outcome.kind) && this.#options.signal?.aborted !== true) {
        this.#limits = limitsOf(this.#options, afterAgainMs)
        return this.#after(url, accept, true)
      }
      if (outcome.kind === 'timeout' || outcome.kind === 'lost') throw error
      if (outcome.kind === 'rejected' && error instanceof StoppedByEndpoint) throw error
      throw changed(`after the action: ${outcome.kind === 'changed' ? outcome.rule : outcome.kind}`)
    }
  }

  /** The request that carries the action. */
  async #act(request: Rendered, filled: readonly Filled[]): Promise<AnswerOf> {
    const { endpoint, fence, session, account = '' } = this.#options
    const url = new URL(request.url)
    const { access, definition } = endpoint
    const isGet = request.method === 'GET'
    const how = access === 'write' ? { fence } : isGet ? { keptFor: account } : {}
    const sender = { session, cookie: this.#jar.header(url) }
    const result = await this.#send(written(request, filled, sender), { ...this.#limits, ...how })
    this.sent = result.sent
    const answer = this.#understood(result, url, definition.failure)
    const isLed = access === 'read' && isGet
    return isLed ? this.#led(answer, definition.answer, definition.failure) : expected(answer, definition.answer)
  }

  /** A page that is read before the action. One may hold tokens, a form, and what is looked up. */
  async #page(url: URL, accept: AnswerKind): Promise<AnswerOf> {
    const known = this.#pages.get(`${accept} ${url.href}`)
    if (known) return known
    const answer = await this.#read(url, accept)
    this.#pages.set(`${accept} ${url.href}`, answer)
    return answer
  }

  /** What goes along with a request that has no places of its own for the session's tokens. */
  #sender(url: URL): Sender {
    const { endpoint, session } = this.#options
    return { session, cookie: this.#jar.header(url), authorized: authorized(endpoint.authorize, session) }
  }

  /** A page beside it. */
  async #read(url: URL, accept: AnswerKind, own: FailureRule | null = null): Promise<AnswerOf> {
    return this.#led(await this.#ask(url, accept, own), accept, own)
  }

  async #ask(url: URL, accept: AnswerKind, own: FailureRule | null): Promise<AnswerOf> {
    const { endpoint, account = '' } = this.#options
    const how = endpoint.access === 'read' ? { keptFor: account } : {}
    return this.#understood(
      await this.#send(pageRequest(url, accept, this.#sender(url)), { ...this.#limits, ...how }),
      url,
      own,
    )
  }

  /** Goes where an answer leads within the app, as a browser does. */
  async #led(first: AnswerOf, accept: AnswerKind, own: FailureRule | null = null): Promise<AnswerOf> {
    let answer = first
    if (accept === 'redirect') return expected(answer, accept)
    for (let steps = 0; answer.location !== null; steps++) {
      if (steps === mostRedirects) throw changed(`${accept} expected, more than ${mostRedirects} redirects came`)
      answer = await this.#ask(belowApp(this.#root, answer.location), accept, own)
    }
    return expected(answer, accept)
  }

  /** `own`: what the endpoint says of its failures. */
  #understood(result: HttpResult, url: URL, own: FailureRule | null = null): AnswerOf {
    const { endpoint } = this.#options
    if (result.kind === 'changed') throw changed(result.rule)
    if (result.kind !== 'answer') throw new Stopped({ kind: result.kind })
    this.#jar.take(result.answer.setCookies, url)
    const answer = read(result.answer, url, this.#root)
    const declared = own && shaped(undefined, () => own(answer))
    if (declared) throw new StoppedByEndpoint(declared)
    const failure = shaped(undefined, () => endpoint.failure(answer))
    if (failure) throw new Stopped(failure)
    return answer
  }
}

/** By what the endpoint says of its own answers. */
class StoppedByEndpoint extends Stopped {}

function expected(answer: AnswerOf, kind: AnswerKind): AnswerOf {
  if (kindOf(answer) !== kind) throw changed(otherKind(answer, kind))
  return answer
}

/** `decode` may say that the app did nothing. */
function decodedOrRefused<T>(decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof AppRefused)) throw error
    const failure = rejected(error.code, error.message)
    throw failure ? new Stopped(failure) : changed('refused without a code')
  }
}

/** A place below the app's root, as a redirect tells it. */
function belowApp(origin: string, location: string | null): URL {
  return new URL(`./${location ?? ''}`, origin)
}

/** Where a list goes on; null on a first page. A cursor that is no longer good must not begin the list again. */
function placeOf(key: Buffer, id: string, cursor: unknown): Place | null {
  if (typeof cursor !== 'string') return null
  const place = openCursor(key, id, cursor)
  if (place === null)
    throw new InputRejected('CURSOR_INVALID', 'This cursor is no longer good: begin with the first page.')
  return place
}
