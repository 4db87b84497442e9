import type { AppSession } from '../../schemas/session.ts'
import { fieldsOf, kindOf, otherKind, read } from './answer.ts'
import { CookieJar } from './cookies.ts'
import type { Csrf, CsrfProof } from '../kit/csrf.ts'
import { openCursor, sealCursor } from './cursor.ts'
import type { Place } from './cursor.ts'
import type { Answer } from '../kit/answer.ts'
import type { AnswerKind, EndpointDefinition } from '../kit/define.ts'
import { InputRejected } from '../kit/failures.ts'
import { send } from './http.ts'
import type { HttpLimits } from './http.ts'
import { UnsafePath, address } from '../kit/request-line.ts'
import { body, headers, pairs } from './message.ts'
import type { Message } from './message.ts'
import { withKinds, withNumbers } from '../kit/numbered-ids.ts'
import { listInput } from './paging.ts'
import type { Endpoint } from './app.ts'
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
}

export interface ExchangeOptions {
  readonly endpoint: Endpoint
  /** As `parseInput` returned it. */
  readonly input: Readonly<Record<string, unknown>>
  readonly session: AppSession
  /** Whose session it is: connections that are kept open are kept for this account alone. */
  readonly account?: string
  /** Absolute root of the app, ending in a slash. */
  readonly origin: string
  readonly cursorKey: Buffer
  /** Asked at most once, for writes only, right before the first byte of the action; false means: send nothing. */
  readonly fence: () => Promise<boolean>
  readonly signal?: AbortSignal
  /** Over all requests of the exchange, headers and bodies. Default 15,000. */
  readonly timeoutMs?: number
  /** Of one answer, decoded. Default 2 MiB. */
  readonly maxBytes?: number
}

/** Runs one endpoint once. Tries nothing twice; what to do about an outcome is the caller's business. */
export async function exchange(options: ExchangeOptions): Promise<Exchange> {
  const jar = new CookieJar(options.session)
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 15_000)
  const limits: HttpLimits = {
    signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    timedOut: () => timeout.aborted && options.signal?.aborted !== true,
    maxBytes: options.maxBytes ?? 2 * 1024 * 1024,
  }
  const run = new Run(options, jar, limits)
  const outcome = await run.outcome()
  return { outcome, session: jar.changes(), sent: run.sent }
}

class Run {
  sent = false
  readonly #options: ExchangeOptions
  readonly #jar: CookieJar
  readonly #limits: HttpLimits

  constructor(options: ExchangeOptions, jar: CookieJar, limits: HttpLimits) {
    this.#options = options
    this.#jar = jar
    this.#limits = limits
  }

  async outcome(): Promise<Outcome> {
    try {
      return await this.#story()
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
    const { endpoint, input: asked, origin, cursorKey } = this.#options
    const { definition, numbered } = endpoint
    const id = `${endpoint.app}.${endpoint.name}`
    const anchor = placeOf(cursorKey, id, asked['cursor'])?.anchor ?? null
    const input = numbered ? withNumbers(definition.input, asked, numbered) : asked
    const named = shaped(undefined, () => segmented(definition, input, origin))
    const url = address(origin, definition.line.path, named)

    const csrf = endpoint.csrf && { ...endpoint.csrf, url: address(origin, endpoint.csrf.page, named) }
    const { proof, before } = csrf ? await this.#token(csrf.url, csrf, url) : { before: {} }
    const context = { anchor, now: new Date(), before }
    const parts = shaped(before, (looked) => definition.encode(input, { ...context, before: looked }))
    const { method } = definition.line
    const message: Message = { method, url, accept: definition.answer, parts }
    const acted = await this.#ask(csrf && proof ? { ...message, proof, referer: csrf.url } : message, true)
    let answer = acted
    let kind = definition.answer
    if (definition.after) {
      kind = definition.afterAnswer
      answer = await this.#after(address(origin, definition.after.path, named), kind)
    }

    const output = shaped(answer.json, (json): unknown => {
      const decoded = definition.decode(fieldsOf({ ...answer, json }, kind), {
        ...context,
        input,
        origin,
        page: kind === 'page' ? answer.text : '',
        location: acted.location ?? '',
        cursor: (next) =>
          next === null ? null : sealCursor(cursorKey, id, { anchor: String(next), input: listInput(asked) }),
      })
      const plain: unknown = JSON.parse(JSON.stringify(decoded))
      return numbered ? withKinds(definition.output, plain) : plain
    })
    if (!isFields(output)) throw changed('the output is no object')
    if (!endpoint.checkOutput(output)) throw changed(endpoint.outputFault(output))
    const another = shaped(undefined, () => nameOfAnother(definition, asked, output, origin))
    if (another !== undefined) throw changed(`${another} is another than the one asked for`)
    return { kind: 'ok', output: { ...output } }
  }

  async #token(url: URL, csrf: Csrf, action: URL): Promise<{ readonly proof: CsrfProof; readonly before: Fields }> {
    const page = await this.#ask({ method: 'GET', url, accept: csrf.answer }, false)
    const proof = shaped(undefined, () => csrf.find(page.text, { page: url, action }))
    if (csrf.before === undefined) return { proof, before: shaped(undefined, () => fieldsOf(page, csrf.answer)) }
    const known = address(this.#options.origin, csrf.before, {})
    const before = await this.#ask({ method: 'GET', url: known, accept: 'json' }, false)
    return { proof, before: shaped(undefined, () => fieldsOf(before, 'json')) }
  }

  /** The action is done by now: no failure of this page may look as if it were not. */
  async #after(url: URL, accept: AnswerKind): Promise<Answer> {
    try {
      return await this.#ask({ method: 'GET', url, accept }, false)
    } catch (error) {
      if (!(error instanceof Stopped) || this.#options.endpoint.access === 'read') throw error
      const { outcome } = error
      if (outcome.kind === 'timeout' || outcome.kind === 'lost') throw error
      throw changed(`after the action: ${outcome.kind === 'changed' ? outcome.rule : outcome.kind}`)
    }
  }

  async #ask(message: Message, isAction: boolean): Promise<Answer> {
    const { endpoint, origin, fence, session, account = '' } = this.#options
    const url = new URL(message.url)
    for (const [name, value] of pairs(message.parts?.query)) url.searchParams.append(name, value)
    const request = {
      url,
      method: message.method,
      headers: headers(message, url, session.user_agent, this.#jar.header(url)),
      body: body(message),
    }
    const guarded = isAction && endpoint.access === 'write'
    const harmless = endpoint.access === 'read' && message.method === 'GET'
    const how = guarded ? { fence } : harmless ? { keptFor: account } : {}
    const result = await send(request, { ...this.#limits, ...how })
    if (isAction) this.sent = result.sent
    if (result.kind === 'changed') throw changed(result.rule)
    if (result.kind !== 'answer') throw new Stopped({ kind: result.kind })
    this.#jar.take(result.answer.setCookies, url)

    const answer = read(result.answer, url, origin)
    const failure = shaped(undefined, () => endpoint.failure(answer))
    if (failure) throw new Stopped(failure)
    if (kindOf(answer) !== message.accept) throw changed(otherKind(answer, message.accept))
    return answer
  }
}

/** Where a list goes on; null on a first page. A cursor that is no longer good must not begin the list again. */
function placeOf(key: Buffer, id: string, cursor: unknown): Place | null {
  if (typeof cursor !== 'string') return null
  const place = openCursor(key, id, cursor)
  if (place === null)
    throw new InputRejected('CURSOR_INVALID', 'This cursor is no longer good: begin with the first page.')
  return place
}

/** The input with its addresses as the segments that they stand for. */
function segmented({ segments }: EndpointDefinition, input: Fields, origin: string): Fields {
  const made = Object.entries(input).map(([name, value]): [string, unknown] => {
    const segment = segments[name]
    return [name, segment && typeof value === 'string' ? segment(value, origin) : value]
  })
  return Object.fromEntries(made)
}
