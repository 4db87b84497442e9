import { randomBytes } from 'node:crypto'
import type { BrowserContext, Page, Request, Response } from 'playwright-core'
import type { Named, RawExchange } from '../../../connectors/authoring/clean/raw.ts'
import { isHtml, isJson } from '../../../connectors/kit/content-type.ts'
import { asksForSecret } from '../../../connectors/runtime/threads/exchange-threads.ts'
import { isMethod } from '../../../connectors/kit/request-line.ts'

/** Per recording. */
const mostExchanges = 300
/** In characters: per response, and of all responses together. */
const longestText = 1024 * 1024
const longestTexts = 12 * 1024 * 1024

type Slot = { -readonly [K in keyof RawExchange]?: RawExchange[K] }

export interface Captured {
  readonly exchanges: readonly RawExchange[]
  readonly cookies: readonly Named[]
  readonly stored: readonly Named[]
  /** A limit was reached, so something is missing. */
  readonly isCut: boolean
  /** Number of exchanges left out: a password or a code was asked for, or no response arrived. */
  readonly left: number
}

/**
 * Records the exchanges between a browser's pages and the app, in memory only. Leaves out pages
 * that ask for a password or a code, and what they send.
 */
export class Capture {
  readonly startedAt = new Date()
  readonly #id = randomBytes(8).toString('hex')
  readonly #context: BrowserContext
  readonly #mayKeep: (url: string) => boolean
  readonly #slots: Slot[] = []
  readonly #answers: Promise<void>[] = []
  readonly #cookies: Named[] = []
  readonly #stored: Named[] = []
  readonly #onAsking: (asks: boolean) => void
  /** Pages that asked for a password or a code: when loaded, or when such a field got focus. */
  readonly #asking = new Set<string>()
  readonly #byRequest = new Map<Request, Slot>()
  #characters = 0
  #isCut = false

  private constructor(context: BrowserContext, mayKeep: (url: string) => boolean, onAsking: (asks: boolean) => void) {
    this.#context = context
    this.#mayKeep = mayKeep
    this.#onAsking = onAsking
    context.on('request', this.#asked)
    context.on('response', this.#answered)
  }

  /**
   * `mayKeep`: whether a URL is the app's. `onAsking`: receives whether the page loaded last asks
   * for a password or a code.
   */
  static async of(
    context: BrowserContext,
    mayKeep: (url: string) => boolean,
    onAsking: (asks: boolean) => void,
  ): Promise<Capture> {
    const capture = new Capture(context, mayKeep, onAsking)
    // A random name, so that pages cannot guess it.
    const name = `seen${randomBytes(8).toString('hex')}`
    await context.exposeBinding(name, ({ frame }) => {
      capture.#asking.add(pathOf(frame.url()))
      onAsking(true)
    })
    await context.addInitScript(
      ([binding, fields]) => {
        addEventListener(
          'focusin',
          (event) => {
            const at = event.composedPath()[0]
            if (at instanceof Element && at.matches(fields))
              (globalThis as never as Record<string, () => void>)[binding]?.()
          },
          true,
        )
      },
      [name, secretFields] as const,
    )
    return capture
  }

  async end(): Promise<Captured> {
    this.#context.off('request', this.#asked)
    this.#context.off('response', this.#answered)
    await Promise.all(this.#answers)
    const jar = (await this.#context.cookies()).map(({ name, value }): Named => [name, value])
    await this.#readStorage()
    const kept = this.#slots
      .filter(isWhole)
      .filter(({ page, request }) => !this.#asks(page ?? '') && !this.#asks(request.url))
    return {
      exchanges: kept,
      cookies: [...this.#cookies, ...jar],
      stored: this.#stored,
      isCut: this.#isCut,
      left: this.#slots.length - kept.length,
    }
  }

  readonly #asked = (request: Request): void => {
    const kind = request.resourceType()
    const method = request.method()
    if (!['document', 'xhr', 'fetch'].includes(kind) || !this.#mayKeep(request.url()) || !isMethod(method)) return
    if (this.#slots.length >= mostExchanges) {
      this.#isCut = true
      return
    }
    const isDocument = kind === 'document'
    const by = isDocument ? (method === 'GET' ? 'navigation' : 'form') : 'script'
    const page = askingPage(request)
    const slot: Slot = {
      ...{ at: Date.now() - this.startedAt.getTime(), by, page: page ?? null },
      request: { method, url: request.url(), headers: request.headers(), body: request.postData() },
    }
    this.#slots.push(slot)
    this.#byRequest.set(request, slot)
  }

  readonly #answered = (response: Response): void => {
    const slot = this.#byRequest.get(response.request())
    if (slot !== undefined) this.#answers.push(this.#read(response, slot))
  }

  async #read(response: Response, slot: Slot): Promise<void> {
    const headers = await response.headersArray()
    for (const { name, value } of headers) if (name.toLowerCase() === 'set-cookie') this.#cookies.push(cookieOf(value))
    const plain = Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]))
    const type = plain['content-type'] ?? ''
    if (isHtml(type)) await this.#readStorage()
    const isText = isHtml(type) || isJson(type) || type.startsWith('text/plain')
    // A redirect has no body, and that of a closed page is lost.
    const text = isText ? await response.text().catch(() => null) : null
    if (text !== null && isHtml(type)) {
      // A page that cannot be checked is left out.
      const asks = await asksForSecret(this.#id, text).catch(() => true)
      this.#onAsking(asks)
      if (asks) this.#asking.add(pathOf(response.url()))
      if (asks) return
    }
    const fits = text !== null && text.length <= longestText && this.#characters + text.length <= longestTexts
    if (text !== null && !fits) this.#isCut = true
    if (fits) this.#characters += text.length
    slot.answer = { status: response.status(), headers: plain, text: fits ? text : null }
  }

  #asks(address: string): boolean {
    return this.#asking.has(pathOf(address))
  }

  /** Reads storage repeatedly, because values come and go. */
  async #readStorage(): Promise<void> {
    const stored = await Promise.all(this.#context.pages().map(storedBy))
    const known = new Set(this.#stored.map(([, value]) => value))
    this.#stored.push(...stored.flat().filter(([, value]) => !known.has(value)))
  }
}

const secretFields =
  'input[type=password], input[autocomplete~=one-time-code], input[autocomplete~=current-password], input[autocomplete~=new-password]'

function askingPage(request: Request): string | undefined {
  try {
    const address = request.frame().url()
    return /^https?:/.test(address) ? address : undefined
  } catch {
    // A worker has no frame, and a window that is just opening has none yet.
    return undefined
  }
}

async function storedBy(page: Page): Promise<readonly Named[]> {
  try {
    return await page.evaluate<[string, string][]>(
      '[...Object.entries({ ...localStorage }), ...Object.entries({ ...sessionStorage })]',
    )
  } catch {
    // A page without an origin has no storage.
    return []
  }
}

function cookieOf(line: string): Named {
  const [pair = ''] = line.split(';', 1)
  const at = pair.indexOf('=')
  return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()]
}

function pathOf(address: string): string {
  const url = URL.parse(address)
  return url === null ? address : url.origin + url.pathname
}

function isWhole(slot: { readonly [K in keyof RawExchange]?: RawExchange[K] }): slot is RawExchange {
  return slot.request !== undefined && slot.answer !== undefined
}
