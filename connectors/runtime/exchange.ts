import { isDeepStrictEqual } from 'node:util'
import type { AppSession } from '../../schemas/session.ts'
import type { AnswerKind, EncodeContext } from '../kit/define.ts'
import { InputRejected } from '../kit/failures.ts'
import { UnsafePath, address } from '../kit/request-line.ts'
import { isHtml } from '../kit/content-type.ts'
import { UnknownShape } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import { belowRoot, fieldsOf } from './answer.ts'
import type { AnswerOf } from './answer.ts'
import { Asking, belowApp } from './asking.ts'
import type { AskOptions } from './asking.ts'
import { openCursor, sealCursor } from './cursor.ts'
import type { Place } from './cursor.ts'
import type { CallFile } from './file-inputs.ts'
import { excerptOf } from './excerpt.ts'
import { filledFor } from './filled.ts'
import { formAddress, isStill } from './forms/render-form.ts'
import type { RawAnswer } from './http.ts'
import { lookUps } from './look-ups.ts'
import type { LookUp } from './look-ups.ts'
import { Stopped, shaped } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { outputOf } from './output.ts'
import { listInput } from './paging.ts'
import { appInput, render, segmented } from './rendered.ts'
import type { Rendered } from './rendered.ts'

export interface Exchange {
  readonly outcome: Outcome
  /** The session with the cookies that the app changed; null when it changed none. */
  readonly session: AppSession | null
  /** False: certainly no byte of the request that carries the action went out. */
  readonly sent: boolean
  /** Of an answer that was not understood: its structure where the rule looked, without what it says. */
  readonly excerpt?: string
  /** What the app told of its version, where the connector knows how. */
  readonly version?: string
  /** What the request was made of has changed in the app, so nothing was sent: this is what would be sent now. */
  readonly instead?: Rendered
}

export interface ExchangeOptions extends AskOptions {
  /** The request as it was rendered before; absent: it is rendered now. */
  readonly request?: Rendered | undefined
  /** As `parseInput` returned it. */
  readonly input: Readonly<Record<string, unknown>>
  /** Those that the input gives the addresses of, as they were fetched. Default: none. */
  readonly files?: readonly CallFile[]
  readonly cursorKey: Buffer
  /** Says the app's version, too. Default: false. */
  readonly tellsVersion?: boolean
  /** The moment that it is for the connector; default: that of its beginning. */
  readonly now?: Date
}

/** Runs one endpoint once. Tries nothing twice; what to do about an outcome is the caller's business. */
export async function exchange(options: ExchangeOptions): Promise<Exchange> {
  const run = new Run(options)
  const outcome = await run.outcome()
  const { sent, jar, last } = run.app
  const excerpt = outcome.kind === 'changed' && last ? excerptOf(last, outcome.rule) : null
  const version = options.tellsVersion === true && last ? versionIn(options.endpoint, last) : null
  return {
    ...{ outcome, session: jar.changes(), sent },
    ...(run.instead && { instead: run.instead }),
    ...(excerpt !== null && { excerpt }),
    ...(version !== null && { version }),
  }
}

/** What a page tells; a connector that trips over it knows none. */
function versionIn({ version }: AskOptions['endpoint'], { headers, text }: RawAnswer): string | null {
  if (version === null || !isHtml(headers['content-type'] ?? '')) return null
  try {
    return version(text)?.slice(0, 100) ?? null
  } catch (error) {
    if (error instanceof UnknownShape) return null
    throw error
  }
}

/** Renders the request of an endpoint that needs pages of the app for that. Nothing but those is asked for. */
export async function renderInApp(options: Omit<ExchangeOptions, 'fence' | 'request'>): Promise<{
  readonly outcome: { readonly kind: 'rendered'; readonly request: Rendered } | Exclude<Outcome, { kind: 'ok' }>
  readonly session: AppSession | null
}> {
  const run = new Run({ ...options, fence: () => Promise.resolve(false) })
  const outcome = await run.rendered()
  return { outcome, session: run.app.jar.changes() }
}

/** What is made of the endpoint's definition, from its input to its output. */
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
      const acted = this.app.sent && this.#options.endpoint.access === 'write'
      if (acted && (error instanceof UnsafePath || error instanceof InputRejected))
        return { kind: 'changed', rule: 'what the answer leads to cannot be asked for' }
      if (error instanceof UnsafePath)
        return { kind: 'rejected', appCode: 'invalid_address', appMessage: error.message }
      if (error instanceof InputRejected) return { kind: 'rejected', appCode: error.code, appMessage: error.message }
      throw error
    }
  }

  async #story(): Promise<Outcome> {
    const { endpoint, input: asked, session, cursorKey } = this.#options
    const { root } = this.app
    const { definition } = endpoint
    const id = `${endpoint.app}.${endpoint.name}`
    const anchor = placeOf(cursorKey, id, asked['cursor'])?.anchor ?? null
    const input = this.#appInput()
    const named = segmented(endpoint, input, root, anchor)
    // What cannot be part of an address is refused before the app is asked anything.
    if (this.#options.request === undefined) address(root, definition.line.path, named)
    const context = await this.#context(anchor, this.#now)
    if (this.#options.request) await this.#lookAgain(this.#options.request, context)
    const request = this.#options.request ?? (await this.#render(context))
    const acted = await this.app.act(request, await filledFor(request, { app: this.app, endpoint, session, named }))
    const { answer, kind } = await this.#told(acted, named)

    const wasLed = acted.url.href !== request.url
    const output = outputOf(endpoint, asked, {
      answer,
      kind,
      context: {
        ...context,
        input,
        origin: root,
        page: kind === 'page' ? answer.text : '',
        location: acted.location ?? (wasLed ? belowRoot(root, acted.url) : ''),
        cursor: (next) =>
          next === null ? null : sealCursor(cursorKey, id, { anchor: String(next), input: listInput(asked) }),
      },
    })
    return { kind: 'ok', output }
  }

  /** The answer that tells what came of the action: its own, or the page that is read after it. */
  async #told(acted: AnswerOf, named: Fields): Promise<{ readonly answer: AnswerOf; readonly kind: AnswerKind }> {
    const { answer: kind, after, afterAnswer } = this.#options.endpoint.definition
    if (!after) return { answer: acted, kind }
    const { root } = this.app
    const page = after === 'location' ? belowApp(root, acted.location) : address(root, after.path, named)
    return { answer: await this.app.after(page, afterAnswer), kind: afterAnswer }
  }

  async #context(anchor: string | null, now: Date): Promise<EncodeContext> {
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
    return { anchor, now, before: await lookUps(before, { anchor, now, input, named, origin: root, ask }) }
  }

  async #render(context: EncodeContext): Promise<Rendered> {
    const { endpoint, input, origin, files = [] } = this.#options
    const { root } = this.app
    const { form } = endpoint.definition
    const named = segmented(endpoint, this.#appInput(), root, context.anchor)
    const page = form && (await this.app.formPage(formAddress(root, form, named)))
    return render(endpoint, input, { ...context, origin, page, files })
  }

  /** The input as the connector's words see it. */
  #appInput(): Fields {
    const { endpoint, input, files = [] } = this.#options
    return appInput(endpoint, input, files)
  }

  /**
   * A request that the app's pages would make another one of now, its form or those of `before`, is not sent: the person has to see first what would
   * be sent now.
   */
  async #lookAgain(request: Rendered, context: EncodeContext): Promise<void> {
    const { form, madeAt } = request
    const isFormStill = !form || isStill(request, form, await this.app.formPage(new URL(form.page)))
    if (isFormStill && (!madeAt || (await this.#isStillMade(request, { ...context, now: new Date(madeAt) })))) return
    this.instead = await this.#render(context)
    throw new Stopped({ kind: 'fenced' })
  }

  async #isStillMade(request: Rendered, context: EncodeContext): Promise<boolean> {
    const { form: _now, ...again } = await this.#render(context)
    const { form: _then, ...before } = request
    return isDeepStrictEqual(asJson(again), asJson(before))
  }
}

/** As it is once it was kept. */
function asJson(value: object): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** Where a list goes on; null on a first page. A cursor that is no longer good must not begin the list again. */
function placeOf(key: Buffer, id: string, cursor: unknown): Place | null {
  if (typeof cursor !== 'string') return null
  const place = openCursor(key, id, cursor)
  if (place === null)
    throw new InputRejected('CURSOR_INVALID', 'This cursor is no longer good: begin with the first page.')
  return place
}
