import type { BrowserContext, Page } from 'playwright-core'
import type { SignIn } from '../../../connectors/kit/define.ts'
import type { SessionFill } from '../../../connectors/kit/session-token.ts'
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
import { sessionCookies } from './session-cookies.ts'

/** Whose account it is now, and the session that the app gave. */
export interface SignedInAs {
  readonly id: string
  readonly label: string
  readonly session: AppSession
}

export interface RemoteOptions {
  /** Where the browser is unpacked. */
  readonly dir: string
  /** Root of the app, ending in a slash. The browser gets nowhere else but to the connector's hosts and those that the person allows. */
  readonly origin: string
  /** Finds where to connect to for that address, if somebody typed it. */
  readonly siteReach?: SiteReach | undefined
  readonly signIn: SignIn
  /** Roots of the app's further hosts. */
  readonly hosts?: readonly string[]
  /** What a request is to carry besides cookies, so that the app knows who asks. */
  readonly authorize?: readonly SessionFill[]
  /** What is left of an earlier session, so that a check can be finished without a new sign-in. */
  readonly session: AppSession | null
  /** In CSS pixels, and how many the picture has for each of them: one by default. */
  readonly size: { readonly width: number; readonly height: number; readonly scale?: number }
  readonly onFrame: (jpeg: Buffer) => void
  /** The address of the page that is shown, each time that it may be another one. */
  readonly onAt: (address: string) => void
  /** What a screen reader would say of the page, each time that it is something else, while somebody wants to hear it. */
  readonly onWords: (page: PageInWords | null) => void
  readonly onSignedIn: (as: SignedInAs) => void
  /** The hosts that the page asks for and that only the person can allow, each time that there is another one. */
  readonly onWanted: (wanted: readonly Wanted[]) => void
  /** Chromium's own sandbox does not work on this system. */
  readonly onUnsandboxed: () => void
  /** The page that says who is signed in came, and the connector's code failed to read it. Told once. */
  readonly onUnreadable: (error: unknown) => void
  /** The browser is gone, or cannot be shown any more. */
  readonly onLost: (error: Error) => void
  /** Whether an address is anybody's on the internet. */
  readonly isPublic?: (address: string) => boolean
}

export interface RemoteBrowser {
  /** Root of the app. */
  readonly origin: string
  /** In the order in which they came; what comes faster than it can be done is left out where that changes nothing. */
  apply(input: Input | WordsInput): void
  /** Whether somebody wants to hear what is on the page. */
  listen(isOn: boolean): void
  /** The person allows a host that was wanted, until this browser ends. */
  allow(host: string): void
  /**
   * From now on what the app is asked is captured; the page that is shown is loaded again, so that it is part of it. `onAsking`: whether the page that
   * came last asks for a password or a code, which is left out.
   */
  record(onAsking: (asks: boolean) => void): Promise<Capture>
  /** The session as it is now. */
  session(): Promise<AppSession>
  close(): Promise<void>
}

const lookEveryMs = 1500
const loaded = { waitUntil: 'commit', timeout: 20_000 } as const

/** Opens a page. When it cannot be had, the browser says so first: what is done next must not be undone by that. */
async function openOrFail(page: Page, address: string): Promise<void> {
  try {
    await page.goto(address, loaded)
  } catch (error) {
    await page.waitForURL((url) => !isShown(url.href), { waitUntil: 'commit', timeout: 2_000 })
    throw error
  }
}

/** What a person sees and does of a browser, and the look at whether the app knows them by now. */
export class Remote implements RemoteBrowser {
  readonly #context: BrowserContext
  readonly #userAgent: string
  readonly #reach: Reach
  readonly #options: RemoteOptions
  readonly #closeAll: () => Promise<void>
  /** The page that is shown is the last one: popups come on top. */
  readonly #pages: Page[] = []
  readonly #reader: Reader
  #queue: Promise<void> = Promise.resolve()
  #waiting = 0
  #looking = false
  /** The app has told who signed in; it is told once. */
  #found = false
  #unreadable = false
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
      // What could not be opened is not to be loaded again: the page that asked is.
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
        // The page went away under the hand, or a page to go back to did not come: the person sees the picture as it is.
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
    // Also one that was lost may still run: a page crashed, or led astray.
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

  /** What fails because its page went away has failed for nobody; anything else ends the picture. */
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

  #accountOn(page: string): ReturnType<SignIn['who']['account']> {
    try {
      return this.#options.signIn.who.account(page)
    } catch (error) {
      if (!this.#unreadable) this.#options.onUnreadable(error)
      this.#unreadable = true
      return null
    }
  }

  /** Asks the app, with the browser's cookies, who has signed in. */
  async #look(): Promise<void> {
    if (this.#looking || this.#found || this.#closed) return
    this.#looking = true
    try {
      const { origin, signIn, authorize = [] } = this.#options
      const tokens = await storedTokens(this.#pages, origin, signIn.storage ?? [])
      const headers = authorized(authorize, { cookies: [], user_agent: null, tokens })
      const who = below(origin, signIn.who.page).href
      const answer = await this.#context.request.get(who, { headers, maxRedirects: 0, timeout: 5000 })
      const account = answer.status() === 200 ? this.#accountOn(await answer.text()) : null
      if (account === null || this.#closed) return
      const session = await this.session()
      this.#found = true
      this.#options.onSignedIn({ ...account, session })
    } catch {
      // Not signed in as far as anybody can tell: the next look asks again.
    } finally {
      this.#looking = false
    }
  }
}
