import type { BrowserContext, Page } from 'playwright-core'
import type { BrowserService } from '../../../config.ts'
import type { SignIn } from '../../../connectors/kit/define.ts'
import type { SessionFill } from '../../../connectors/kit/session-token.ts'
import { CookieJar } from '../../../connectors/runtime/cookies.ts'
import { send } from '../../../connectors/runtime/http.ts'
import { pageRequest } from '../../../connectors/runtime/message.ts'
import { authorized } from '../../../connectors/runtime/session-tokens.ts'
import { below } from '../../../connectors/runtime/site.ts'
import type { Reach as SiteReach } from '../../../connectors/runtime/site.ts'
import type { AppSession } from '../../../schemas/session.ts'
import { Capture } from './capture.ts'
import { applyInput, isOfWords } from './input.ts'
import type { Input, WordsInput } from './input.ts'
import { Reader } from '../words/reader.ts'
import type { PageInWords } from '../words/reader.ts'
import type { Reach, Wanted } from './allowed-hosts.ts'
import { ownWords, saysTheSame } from './own-words.ts'
import { Lost } from './lost.ts'
import { isShown } from './request-filter.ts'
import { storedTokens } from './stored-tokens.ts'
import { changeCookies, sessionCookies } from './session-cookies.ts'

/** The account that is signed in, and the session that the app gave. */
export interface SignedInAs {
  readonly id: string
  readonly label: string
  readonly session: AppSession
}

/** The account that a page of the app shows; null if none. */
type Account = ReturnType<SignIn['who']['account']>

export interface RemoteOptions {
  /** Folder where Chromium is unpacked. */
  readonly dir: string
  /** The service that runs the browser instead of this machine. */
  readonly service?: BrowserService | null
  /**
   * Root of the app, ending in a slash. The browser reaches only it, the connector's hosts and
   * hosts that the user allows.
   */
  readonly origin: string
  /** Resolves the root's host, where a user typed it or an operator added its connector. */
  readonly siteReach?: SiteReach | undefined
  /** Whether it also resolves `hosts`. */
  readonly judgesHosts?: boolean
  readonly signIn: Omit<SignIn, 'who'> & {
    readonly who: { readonly page: string; account(page: string): Promise<Account> | Account }
  }
  /** Roots of the app's further hosts. */
  readonly hosts?: readonly string[]
  /** Session tokens that a request carries besides cookies, so that the app knows the user. */
  readonly authorize?: readonly SessionFill[]
  /** What is left of an earlier session, so that a check can be passed without a new sign-in. */
  readonly session: AppSession | null
  /** In CSS pixels; `scale`: pixels of the picture per CSS pixel, 1 by default. */
  readonly size: { readonly width: number; readonly height: number; readonly scale?: number }
  readonly onFrame: (jpeg: Buffer) => void
  /** Receives the address of the shown page whenever it may have changed. */
  readonly onAt: (address: string) => void
  /** Receives each change of the page's text view while that is on. Null: too large. */
  readonly onWords: (page: PageInWords | null) => void
  readonly onSignedIn: (as: SignedInAs) => void
  /** Receives the hosts that the page requests and only the user can allow, on each change. */
  readonly onWanted: (wanted: readonly Wanted[]) => void
  /** Chromium's own sandbox does not work on this system. */
  readonly onUnsandboxed: () => void
  /**
   * The page that names the signed-in account cannot be read: the connector's code or the request
   * fails. Called once.
   */
  readonly onUnreadable: (error: unknown) => void
  /** The browser ended, or cannot be shown any longer. */
  readonly onLost: (error: Error) => void
  /** Whether an IP address is public. */
  readonly isPublic?: (address: string) => boolean
}

export interface RemoteBrowser {
  /** Root of the app. */
  readonly origin: string
  /**
   * Inputs run in order of arrival. Mouse moves are dropped while more than 4 inputs wait, and any
   * input while more than 500 do.
   */
  apply(input: Input | WordsInput): void
  /** Turns the text view (`onWords`) on or off. */
  listen(isOn: boolean): void
  /** The user allows a requested host until this browser ends. */
  allow(host: string): void
  /**
   * Captures the app's exchanges from now on, and reloads the shown page to include it. `onAsking`:
   * receives whether the page loaded last asks for a password or a code, which is left out.
   */
  record(onAsking: (asks: boolean) => void): Promise<Capture>
  /** The current session. */
  session(): Promise<AppSession>
  close(): Promise<void>
}

const lookEveryMs = 1500
const lookWithinMs = 5000
const mostFailures = 5
const loaded = { waitUntil: 'commit', timeout: 20_000 } as const

/**
 * Opens a page. On failure waits for the browser's error page, which would otherwise override the
 * next navigation.
 */
async function openOrFail(page: Page, address: string): Promise<void> {
  try {
    await page.goto(address, loaded)
  } catch (error) {
    await page.waitForURL((url) => !isShown(url.href), { waitUntil: 'commit', timeout: 2_000 })
    throw error
  }
}

/** The browser as the user sees and controls it, and the polling for who is signed in. */
export class Remote implements RemoteBrowser {
  readonly #context: BrowserContext
  readonly #userAgent: string
  readonly #reach: Reach
  readonly #options: RemoteOptions
  readonly #closeAll: () => Promise<void>
  /** The last page is the one shown: popups come on top. */
  readonly #pages: Page[] = []
  readonly #reader: Reader
  #queue: Promise<void> = Promise.resolve()
  #waiting = 0
  #looking = false
  /** The app reported who signed in; passed on once. */
  #found = false
  #unreadable = false
  /** Failed checks since the last successful one. */
  #failures = 0
  #closed = false
  #timer: NodeJS.Timeout | undefined

  constructor(
    { context, userAgent }: { readonly context: BrowserContext; readonly userAgent: string },
    reach: Reach,
    options: RemoteOptions,
    closeAll: () => Promise<void>,
  ) {
    this.#context = context
    this.#userAgent = userAgent
    this.#reach = reach
    this.#options = options
    this.#closeAll = closeAll
    this.#reader = new Reader(
      () => this.#pages.at(-1),
      options.onWords,
      (error) => this.#lost(error),
    )
  }

  get origin(): string {
    return this.#options.origin
  }

  async open(): Promise<void> {
    const { origin, session } = this.#options
    this.#context.browser()?.on('disconnected', () => this.#lost(new Lost('the browser ended')))
    this.#context.on('page', (page) => this.#unlessGone(page, this.#show(page)))
    const page = await this.#context.newPage()
    await saysTheSame(page, this.#userAgent)
    await page.goto(session === null ? this.#signInPage : origin, { waitUntil: 'commit', timeout: 20_000 })
    this.#timer = setInterval(() => void this.#look(), lookEveryMs)
  }

  apply(input: Input | WordsInput): void {
    if (input.type === 'move' && this.#waiting > 4) return
    this.#next((page) => (isOfWords(input) ? this.#reader.act(page, input) : applyInput(page, input)))
  }

  listen(isOn: boolean): void {
    if (!this.#closed) this.#reader.listen(isOn)
  }

  allow(host: string): void {
    if (this.#closed) return
    const then = this.#reach.allow(host)
    if (then === undefined) return
    this.#next(async (page) => {
      // A page that failed to open cannot be reloaded: return to the page that requested the host.
      const to = then.open ?? (isShown(page.url()) ? null : then.asker)
      if (to === null) await page.reload(loaded)
      else await openOrFail(page, to)
    })
  }

  #next(doing: (page: Page) => Promise<void>): void {
    if (this.#closed || this.#waiting > 500) return
    this.#waiting += 1
    this.#queue = this.#queue.then(async () => {
      try {
        const page = this.#pages.at(-1)
        if (page && !this.#closed) await doing(page)
      } catch {
        // The page closed, or one of the history failed to load: the user sees the picture as is.
      } finally {
        this.#waiting -= 1
      }
    })
  }

  async record(onAsking: (asks: boolean) => void): Promise<Capture> {
    const { origin, hosts = [] } = this.#options
    const isOfApp = (url: string): boolean => [origin, ...hosts].some((root) => url.startsWith(root))
    const capture = await Capture.of(this.#context, isOfApp, onAsking)
    this.#next(async (page) => {
      await page.goto(isShown(page.url()) ? page.url() : origin, loaded)
    })
    return capture
  }

  async session(): Promise<AppSession> {
    const { origin, signIn, hosts = [] } = this.#options
    const tokens = await storedTokens(this.#pages, origin, signIn.storage ?? [])
    const names = [origin, ...hosts].map((host) => new URL(host).hostname)
    const cookies = sessionCookies(await this.#context.cookies(), names)
    const shown = this.#pages.at(-1)
    const words = shown ? await ownWords(shown) : { user_agent: null }
    return { cookies, ...words, ...(signIn.storage && { tokens }) }
  }

  async close(): Promise<void> {
    // A lost browser may still run, such as after a page crash.
    this.#end()
    await this.#closeAll()
  }

  #end(): void {
    this.#closed = true
    this.#reader.listen(false)
    clearInterval(this.#timer)
  }

  #lost(error: Error): void {
    if (this.#closed) return
    this.#end()
    this.#options.onLost(error)
  }

  /** Ignores failures of a page that closed; any other failure ends the live view. */
  #unlessGone(page: Page, doing: Promise<unknown>): void {
    doing.catch((error: unknown) => {
      if (!page.isClosed()) this.#lost(error instanceof Error ? error : new Error('unknown'))
    })
  }

  async #show(page: Page): Promise<void> {
    this.#pages.push(page)
    this.#sayWhere()
    page.on('close', () => {
      this.#pages.splice(this.#pages.indexOf(page), 1)
      this.#sayWhere()
    })
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame()) return
      this.#sayWhere()
      if (this.#reach.mayShow(frame.url()) || frame.url() === 'about:blank') void this.#look()
      else this.#unlessGone(page, page.goto(this.#signInPage, { waitUntil: 'commit' }))
    })
    page.on('crash', () => this.#lost(new Lost('a page crashed')))
    await saysTheSame(page, this.#userAgent)
    const { width, height, scale = 1 } = this.#options.size
    await page.screencast.start({
      size: { width: Math.round(width * scale), height: Math.round(height * scale) },
      quality: 70,
      onFrame: ({ data }) => {
        if (this.#pages.at(-1) === page && !this.#closed) this.#options.onFrame(data)
      },
    })
  }

  #sayWhere(): void {
    const page = this.#pages.at(-1)
    if (page && !this.#closed) this.#options.onAt(page.url())
  }

  get #signInPage(): string {
    return below(this.#options.origin, this.#options.signIn.page).href
  }

  async #accountOn(page: string): Promise<Account> {
    try {
      return await this.#options.signIn.who.account(page)
    } catch (error) {
      this.#tellUnreadable(error)
      return null
    }
  }

  #tellUnreadable(error: unknown): void {
    if (!this.#unreadable) this.#options.onUnreadable(error)
    this.#unreadable = true
  }

  async #look(): Promise<void> {
    if (this.#looking || this.#found || this.#closed) return
    this.#looking = true
    try {
      const account = await this.#askWho()
      this.#failures = 0
      if (account === null || this.#closed) return
      const session = await this.session()
      this.#found = true
      this.#options.onSignedIn({ ...account, session })
    } catch (error) {
      // A page may close during a check, so the next one retries. Repeated failures are reported.
      this.#failures += 1
      if (this.#failures === mostFailures) this.#tellUnreadable(error)
    } finally {
      this.#looking = false
    }
  }

  /**
   * Requests `who.page` with the browser's cookies, to learn who is signed in. Uses the HTTP client
   * of calls: Playwright's sends no cookies outside Latin-1, and decodes received ones differently
   * from Chromium.
   */
  async #askWho(): Promise<Account> {
    const { origin, signIn, authorize = [] } = this.#options
    const who = below(origin, signIn.who.page)
    const tokens = await storedTokens(this.#pages, origin, signIn.storage ?? [])
    const cookies = sessionCookies(await this.#context.cookies(who.href), [who.hostname])
    const session = { cookies, user_agent: this.#userAgent, tokens }
    const jar = new CookieJar(session)
    const sender = { session, cookie: jar.header(who), authorized: authorized(authorize, session) }
    const result = await send(pageRequest(who, 'json', sender), {
      signal: AbortSignal.timeout(lookWithinMs),
      timedOut: () => true,
      ms: lookWithinMs,
      maxBytes: 1024 * 1024,
      reach: (url) => this.#reach.addressesOf(url.origin),
    })
    if (result.kind === 'changed') throw new Error(result.rule)
    if (result.kind !== 'answer' || this.#closed) return null
    jar.take(result.answer.setCookies, who)
    await changeCookies(this.#context, [who.hostname], { before: cookies, after: jar.changes()?.cookies ?? cookies })
    return result.answer.status === 200 ? this.#accountOn(result.answer.text) : null
  }
}
