import { isDeepStrictEqual } from 'node:util'
import type { AppSession } from '../../schemas/session.ts'
import type { AnswerKind, EncodeContext } from '../kit/define.ts'
import { InputRejected } from '../kit/failures.ts'
import { UnsafePath, address } from '../kit/request-line.ts'
import { isHtml } from '../kit/content-type.ts'
import { UnknownShape } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { fieldsOf } from './answer.ts'
import type { AnswerOf } from './answer.ts'
import { Asking, belowApp } from './asking.ts'
import type { AskOptions } from './asking.ts'
import { openCursor, sealCursor } from './cursor.ts'
import type { Place } from './cursor.ts'
import type { CallFile } from './file-inputs.ts'
import { excerptOf } from './excerpt.ts'
import { filledFor } from './filled.ts'
import { FormRefused } from './forms/refused.ts'
import { formAddress, isStill } from './forms/render-form.ts'
import type { RawAnswer } from './http.ts'
import { harmlessHeaders } from './harmless-headers.ts'
import { StoppedByRule } from './judged.ts'
import { lookUps } from './look-ups.ts'
import type { LookUp } from './look-ups.ts'
import { Stopped, changed, shaped } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { outputOf } from './output.ts'
import { listInput } from './paging.ts'
import { believed, readingOf } from './proof.ts'
import { belowRoot } from './pointed.ts'
import { appInput, render, segmented } from './rendered.ts'
import { mayRenew } from './session-tokens.ts'
import type { Rendered } from './rendered.ts'

export interface Exchange {
  readonly outcome: Outcome
  /** The session with the cookies that the app changed; null if it changed none. */
  readonly session: AppSession | null
  /** False: certainly no byte of the request that carries the action went out. */
  readonly sent: boolean
  /** The host's own rule allows renewing the tokens. */
  readonly mayRenew?: boolean
  /** The structure of an answer that was not understood, where the rule failed, without text. */
  readonly excerpt?: string
  /** The app's version, if the connector can read it. */
  readonly version?: string
  /** The app's data behind the request changed, so nothing was sent: the request as of now. */
  readonly instead?: Rendered
}

export interface ExchangeOptions extends AskOptions {
  /** The request as it was rendered before; absent: it is rendered now. */
  readonly request?: Rendered | undefined
  /** As `parseInput` returned it. */
  readonly input: Readonly<Record<string, unknown>>
  /** The files that the input gives URLs for, already fetched. Default: none. */
  readonly files?: readonly CallFile[]
  readonly cursorKey: Buffer
  /** Also report the app's version. Default: false. */
  readonly tellsVersion?: boolean
  /** The current time that the connector sees; default: the start of the exchange. */
  readonly now?: Date
}

/** One attempt of an endpoint, without retries; the caller acts on the outcome. */
export async function exchange(options: ExchangeOptions): Promise<Exchange> {
  const run = new Run(options)
  const outcome = await run.outcome()
  const { sent, jar, last } = run.app
  const excerpt = outcome.kind === 'changed' && last ? excerptOf(last, outcome.rule) : null
  const version = options.tellsVersion === true && last ? versionIn(options.endpoint, last) : null
  return {
    ...{ outcome, session: jar.changes(), sent },
    ...(run.mayRenew && { mayRenew: true }),
    ...(run.instead && { instead: run.instead }),
    ...(excerpt && { excerpt }),
    ...(version !== null && { version }),
  }
}

/** The version that a page shows; null if the connector cannot read it. */
function versionIn({ version }: AskOptions['endpoint'], { headers, text }: RawAnswer): string | null {
  if (version === null || !isHtml(headers['content-type'] ?? '')) return null
  try {
    return version(text)?.slice(0, 100) ?? null
  } catch (error) {
    if (error instanceof UnknownShape) return null
    throw error
  }
}

/** Renders the request of an endpoint that needs pages of the app for it. Requests nothing else. */
export async function renderInApp(options: Omit<ExchangeOptions, 'fence' | 'request'>): Promise<{
  readonly outcome: { readonly kind: 'rendered'; readonly request: Rendered } | Exclude<Outcome, { kind: 'ok' }>
  readonly session: AppSession | null
  readonly mayRenew?: boolean
}> {
  const run = new Run({ ...options, fence: () => Promise.resolve(false) })
  const outcome = await run.rendered()
  return { outcome, session: run.app.jar.changes(), ...(run.mayRenew && { mayRenew: true }) }
}

/** One run of an endpoint: input → request → answer → output. */
class Run {
  readonly app: Asking
  instead: Rendered | undefined
  readonly #options: ExchangeOptions
  readonly #now: Date

  constructor(options: ExchangeOptions) {
    this.app = new Asking(options)
    this.#options = options
    this.#now = options.now ?? new Date()
  }

  get mayRenew(): boolean {
    const { endpoint, session } = this.#options
    return mayRenew(endpoint.authorize, session, this.app.last?.status)
  }

  outcome(): Promise<Outcome> {
    return this.#caught(() => this.#story())
  }

  rendered(): Promise<{ readonly kind: 'rendered'; readonly request: Rendered } | Exclude<Outcome, { kind: 'ok' }>> {
    return this.#caught(async () => {
      const context = await this.#context(null, this.#now, true)
      return { kind: 'rendered', request: await this.#render(context) } as const
    })
  }

  async #caught<T>(story: () => Promise<T>): Promise<T | Exclude<Outcome, { kind: 'ok' }>> {
    try {
      return await story()
    } catch (error) {
      if (error instanceof Stopped) return error.outcome
      // Bytes of a write are out: an unsendable follow-up does not show what the app did.
      const acted = this.app.sent && this.#options.endpoint.access === 'write'
      if (acted && (error instanceof UnsafePath || error instanceof InputRejected))
        return { kind: 'changed', rule: 'what the answer leads to cannot be asked for' }
      if (error instanceof UnsafePath)
        return { kind: 'rejected', appCode: 'invalid_address', appMessage: error.message }
      if (error instanceof InputRejected)
        return {
          ...{ kind: 'rejected', appCode: error.code, appMessage: error.message },
          ...(error instanceof FormRefused && { isOwn: true }),
        }
      throw error
    }
  }

  async #story(): Promise<Outcome> {
    const { endpoint, session } = this.#options
    const { root } = this.app
    const { definition } = endpoint
    const id = `${endpoint.app}.${endpoint.name}`
    const anchor = placeOf(this.#options, id)?.anchor ?? null
    const input = this.#appInput()
    const named = segmented(endpoint, input, root, anchor)
    // Refuse values that cannot be part of an address before any request to the app.
    if (this.#options.request === undefined) address(root, definition.line.path, named)
    const context = await this.#context(anchor, this.#now)
    if (this.#options.request) await this.#lookAgain(this.#options.request, context)
    const request = this.#options.request ?? (await this.#render(context))
    const filled = await filledFor(request, { app: this.app, endpoint, session, named })
    const acted = await this.app.act(request, filled).catch((error: unknown) => {
      if (endpoint.access === 'read' || !(error instanceof StoppedByRule)) throw error
      const make = (one: AnswerOf): unknown =>
        this.#output(one, { kind: definition.answer, context, location: one.location ?? one.made ?? '' })
      throw believed(error, {
        wasSignedIn: this.app.hasRead,
        readingOf: () => readingOf(error.answer, definition, make),
      })
    })
    const { answer, kind } = await this.#told(acted, named)
    const wasLed = acted.url.href !== request.url
    const location = acted.location ?? (wasLed ? belowRoot(root, acted.url) : (acted.made ?? ''))
    return { kind: 'ok', output: this.#output(answer, { kind, context, location }) }
  }

  #output(
    answer: AnswerOf,
    {
      kind,
      context,
      location,
    }: { readonly kind: AnswerKind; readonly context: EncodeContext; readonly location: string },
  ): Record<string, unknown> {
    const { endpoint, input: asked, cursorKey, account } = this.#options
    const id = `${endpoint.app}.${endpoint.name}`
    return outputOf(endpoint, asked, {
      answer,
      kind,
      context: {
        ...context,
        input: this.#appInput(),
        origin: this.app.root,
        status: answer.status,
        headers: harmlessHeaders(answer.headers),
        page: kind === 'page' ? answer.text : '',
        text: kind === 'text' || kind === 'any' ? answer.text : '',
        location,
        cursor: (next) =>
          next === null ? null : sealCursor(cursorKey, id, { anchor: String(next), input: listInput(asked), account }),
      },
    })
  }

  /** The answer that shows the action's result: its own, or the page that is read after it. */
  async #told(acted: AnswerOf, named: Fields): Promise<{ readonly answer: AnswerOf; readonly kind: AnswerKind }> {
    const { answer: kind, after, afterAnswer } = this.#options.endpoint.definition
    if (!after) return { answer: acted, kind }
    const { root } = this.app
    const led = acted.location ?? acted.made
    if (after === 'location' && led === null) throw changed('it led nowhere, where the page after it was to be read')
    const page = after === 'location' ? belowApp(root, led) : address(root, after.path, named)
    return { answer: await this.app.after(page, afterAnswer), kind: afterAnswer }
  }

  async #context(anchor: string | null, now: Date, isAhead = false): Promise<EncodeContext> {
    const { endpoint } = this.#options
    const { root } = this.app
    const { before } = endpoint.definition
    if (before === null) return { anchor, now, before: {} }
    if (typeof before === 'string') {
      const page = await this.app.page(address(root, before, {}), 'json')
      return { anchor, now, before: shaped(undefined, () => fieldsOf(page, 'json')) }
    }
    const input = this.#appInput()
    const named = segmented(endpoint, input, root, anchor)
    const ask = (one: LookUp): Promise<AnswerOf> => this.app.lookUp(one)
    return { anchor, now, before: await lookUps(before, { anchor, now, input, named, origin: root, ask, isAhead }) }
  }

  async #render(context: EncodeContext): Promise<Rendered> {
    const { endpoint, input, origin, files = [] } = this.#options
    const { root } = this.app
    const { form } = endpoint.definition
    const named = segmented(endpoint, this.#appInput(), root, context.anchor)
    const page = form && (await this.app.formPage(formAddress(root, form, named)))
    return render(endpoint, input, { ...context, origin, page, files })
  }

  /** The input as connector code sees it. */
  #appInput(): Fields {
    const { endpoint, input, files = [] } = this.#options
    return appInput(endpoint, input, files)
  }

  /**
   * The recheck: if the app's form or `before` pages would now produce another request, nothing is
   * sent, because the approver has to see the new one first.
   */
  async #lookAgain(request: Rendered, context: EncodeContext): Promise<void> {
    const { form, madeAt } = request
    const said = { definition: this.#options.endpoint.definition, asked: this.#appInput() }
    const isFormStill = !form || isStill(request, form, { ...said, page: await this.app.formPage(new URL(form.page)) })
    if (isFormStill && (!madeAt || (await this.#isStillMade(request, { ...context, now: new Date(madeAt) })))) return
    this.instead = await this.#render(context)
    throw new Stopped({ kind: 'fenced' })
  }

  async #isStillMade(request: Rendered, context: EncodeContext): Promise<boolean> {
    const { form: _now, ...again } = await this.#render(context)
    const { form: _then, by: _version, ...before } = request
    return isDeepStrictEqual(asJson(again), asJson(before))
  }
}

/** The value after a JSON round trip, as stored requests are. */
function asJson(value: object): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** The position in a list; null on a first page. An invalid cursor must not restart the list. */
function placeOf({ cursorKey, input, account }: ExchangeOptions, id: string): Place | null {
  const { cursor } = input
  if (typeof cursor !== 'string') return null
  const place = openCursor(cursorKey, id, cursor)
  if (place === null || (place.account !== undefined && place.account !== account))
    throw new InputRejected('CURSOR_INVALID', 'This cursor is no longer good: begin with the first page.')
  return place
}
