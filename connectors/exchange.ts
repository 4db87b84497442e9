import type { AppSession } from '../schemas/session.ts'
import { CookieJar } from './cookies.ts'
import { openCursor, sealCursor } from './cursor.ts'
import type { Answer, AnswerKind, Parts } from './define.ts'
import type { Csrf, CsrfProof } from './csrf.ts'
import type { Failure } from './failures.ts'
import { send } from './http.ts'
import type { HttpLimits, RawAnswer } from './http.ts'
import { UnsafePath, address, within } from './line.ts'
import type { Method } from './line.ts'
import type { Endpoint } from './registry.ts'
import { UnknownShape, isFields } from './wire.ts'
import type { Fields } from './wire.ts'

/** What came of talking to an app once. */
export type Outcome =
  | { readonly kind: 'ok'; readonly output: Record<string, unknown> }
  /** `changed`: an answer of unknown shape, or too big. */
  | Failure
  /** No connection: refused, or no such host. No byte was sent. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'timeout' }
  /** Closed or reset without a full answer. */
  | { readonly kind: 'lost' }
  /** `fence` said no: nothing was sent. */
  | { readonly kind: 'fenced' }

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

/** An answer that is not what the endpoint waits for. */
class Stopped extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super(outcome.kind)
    this.outcome = outcome
  }
}

interface Message {
  readonly method: Method
  readonly url: URL
  readonly accept: AnswerKind
  readonly parts?: Parts
  readonly proof?: CsrfProof
  readonly referer?: URL
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
      if (error instanceof UnsafePath)
        return { kind: 'rejected', appCode: 'invalid_address', appMessage: error.message }
      throw error
    }
  }

  async #story(): Promise<Outcome> {
    const { endpoint, input, origin, cursorKey } = this.#options
    const { definition } = endpoint
    const cursor = input['cursor']
    const id = `${endpoint.app}.${endpoint.name}`
    const anchor = typeof cursor === 'string' ? openCursor(cursorKey, id, cursor) : null
    const context = { anchor, now: new Date() }
    const url = address(origin, definition.line.path, input)
    const parts = definition.encode(input, context)

    const csrf = endpoint.csrf && { ...endpoint.csrf, url: address(origin, endpoint.csrf.page, input) }
    const proof = csrf && (await this.#proof(csrf.url, csrf))
    const { method } = definition.line
    const message: Message = { method, url, accept: definition.answer, parts }
    let answer = await this.#ask(csrf && proof ? { ...message, proof, referer: csrf.url } : message, true)
    let kind = definition.answer
    if (definition.after) {
      kind = definition.afterAnswer
      answer = await this.#after(address(origin, definition.after.path, input), kind)
    }

    const output = shaped(() =>
      definition.decode(fieldsOf(answer, kind), {
        ...context,
        input,
        page: kind === 'page' ? answer.text : '',
        location: answer.location ?? '',
        cursor: (next) => (next === null ? null : sealCursor(cursorKey, id, String(next))),
      }),
    )
    const plain: unknown = JSON.parse(JSON.stringify(output))
    return isFields(plain) && endpoint.checkOutput(plain) ? { kind: 'ok', output: { ...plain } } : { kind: 'changed' }
  }

  async #proof(url: URL, csrf: Csrf): Promise<CsrfProof> {
    const page = await this.#ask({ method: 'GET', url, accept: csrf.answer }, false)
    return shaped(() => csrf.find(page.text))
  }

  /** The action is done by now: no failure of this page may look as if it were not. */
  async #after(url: URL, accept: AnswerKind): Promise<Answer> {
    try {
      return await this.#ask({ method: 'GET', url, accept }, false)
    } catch (error) {
      if (!(error instanceof Stopped) || this.#options.endpoint.access === 'read') throw error
      const { kind } = error.outcome
      throw new Stopped({ kind: kind === 'timeout' || kind === 'lost' ? kind : 'changed' })
    }
  }

  async #ask(message: Message, isAction: boolean): Promise<Answer> {
    const { endpoint, origin, fence } = this.#options
    const url = new URL(message.url)
    for (const [name, value] of pairs(message.parts?.query)) url.searchParams.append(name, value)
    const request = { url, method: message.method, headers: this.#headers(message, url), body: body(message) }
    const guarded = isAction && endpoint.access === 'write'
    const result = await send(request, guarded ? { ...this.#limits, fence } : this.#limits)
    if (isAction) this.sent = result.sent
    if (result.kind !== 'answer') throw new Stopped({ kind: result.kind })
    this.#jar.take(result.answer.setCookies, url)

    const answer = read(result.answer, url, origin)
    const failure = endpoint.failure(answer)
    if (failure) throw new Stopped(failure)
    if (kindOf(answer) !== message.accept) throw new Stopped({ kind: 'changed' })
    return answer
  }

  #headers(message: Message, url: URL): Record<string, string> {
    const userAgent = this.#options.session.user_agent
    const cookie = this.#jar.header(url)
    const type = message.parts?.form || message.proof?.form ? 'application/x-www-form-urlencoded' : 'application/json'
    return {
      accept: message.accept === 'json' ? 'application/json' : 'text/html,application/xhtml+xml',
      'accept-encoding': 'identity',
      ...(userAgent === null ? {} : { 'user-agent': userAgent }),
      ...(cookie === '' ? {} : { cookie }),
      ...(message.method === 'GET' ? {} : { origin: url.origin }),
      ...(message.referer ? { referer: message.referer.href } : {}),
      ...(body(message) === null ? {} : { 'content-type': type }),
      ...message.proof?.headers,
    }
  }
}

function shaped<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    // A decoder that meets a shape it does not know throws UnknownShape, or trips over it.
    if (error instanceof UnknownShape || error instanceof TypeError || error instanceof RangeError)
      throw new Stopped({ kind: 'changed' })
    throw error
  }
}

function read(raw: RawAnswer, url: URL, origin: string): Answer {
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(raw.headers['content-type'] ?? '')
  return { ...raw, json: isJson ? parsed(raw.text) : undefined, location: redirect(raw, url, origin) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where a redirect points, below the app's root. One that leaves it is never followed. */
function redirect(raw: RawAnswer, url: URL, origin: string): string | null {
  if (raw.status < 300 || raw.status > 399) return null
  const target = URL.parse(raw.headers['location'] ?? '', url.href)
  if (target === null || raw.headers['location'] === undefined || !within(origin, target))
    throw new Stopped({ kind: 'changed' })
  return target.pathname.slice(new URL(origin).pathname.length) + target.search
}

function kindOf(answer: Answer): AnswerKind | undefined {
  if (answer.location !== null) return 'redirect'
  if (answer.status < 200 || answer.status > 299) return undefined
  if (answer.json !== undefined) return 'json'
  if (answer.status === 204) return 'json'
  return /^text\/html\b/i.test(answer.headers['content-type'] ?? '') ? 'page' : undefined
}

function fieldsOf(answer: Answer, kind: AnswerKind): Fields {
  if (kind !== 'json' || answer.json === undefined) return {}
  if (Array.isArray(answer.json)) return { items: answer.json }
  if (!isFields(answer.json)) throw new Stopped({ kind: 'changed' })
  return answer.json
}

function body({ method, parts, proof }: Message): string | null {
  if (method === 'GET') return null
  if (parts?.form || proof?.form) return new URLSearchParams(pairs({ ...parts?.form, ...proof?.form })).toString()
  return parts?.json === undefined ? null : JSON.stringify(parts.json)
}

/** Names and values as text, lists as repeated names, empty values left out. */
function pairs(values: Fields | undefined): [string, string][] {
  return Object.entries(values ?? {}).flatMap(([name, value]) => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    return list
      .filter((item) => item !== undefined && item !== null)
      .map((item): [string, string] => [name, flat(item)])
  })
}

function flat(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return JSON.stringify(value)
}
