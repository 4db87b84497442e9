import type { BrowserContext, Page } from 'playwright-core'
import type { SignIn } from '../../connectors/define.ts'
import type { AppSession } from '../../schemas/session.ts'
import { startChromium } from './chromium.ts'
import { applyInput } from './input.ts'
import type { Input } from './input.ts'

/** Whose account it is now, and the session that the app gave. */
export interface SignedInAs {
  readonly id: string
  readonly label: string
  readonly session: AppSession
}

export interface RemoteOptions {
  /** Where the browser is unpacked. */
  readonly dir: string
  /** Root of the app, ending in a slash. The browser gets nowhere else. */
  readonly origin: string
  readonly signIn: SignIn
  /** What is left of an earlier session, so that a check can be finished without a new sign-in. */
  readonly session: AppSession | null
  readonly size: { readonly width: number; readonly height: number }
  readonly onFrame: (jpeg: Buffer) => void
  readonly onSignedIn: (as: SignedInAs) => void
  /** The browser is gone, or cannot be shown any more. */
  readonly onLost: (error: Error) => void
}

export interface RemoteBrowser {
  /** In the order in which they came; what comes faster than it can be done is left out where that changes nothing. */
  apply(input: Input): void
  close(): Promise<void>
}

const lookEveryMs = 1500

/** Opens the app's own sign-in page in a fresh browser, and looks until the app says who has signed in. */
export async function openRemoteBrowser(options: RemoteOptions): Promise<RemoteBrowser> {
  const browser = await startChromium(options.dir, new URL(options.origin).hostname)
  try {
    const context = await browser.newContext({
      viewport: options.size,
      userAgent: options.session?.user_agent ?? userAgent(browser.version()),
      acceptDownloads: false,
      serviceWorkers: 'block',
    })
    await confine(context, options.origin)
    if (options.session) await context.addCookies(options.session.cookies.map((cookie) => ({ ...cookie })))
    const remote = new Remote(context, options)
    await remote.open()
    return remote
  } catch (error) {
    await browser.close()
    throw error
  }
}

class Remote implements RemoteBrowser {
  readonly #context: BrowserContext
  readonly #options: RemoteOptions
  /** The page that is shown is the last one: popups come on top. */
  readonly #pages: Page[] = []
  #queue: Promise<void> = Promise.resolve()
  #waiting = 0
  #looking = false
  /** The app has told who signed in; it is told once. */
  #found = false
  #closed = false
  #timer: NodeJS.Timeout | undefined

  constructor(context: BrowserContext, options: RemoteOptions) {
    this.#context = context
    this.#options = options
  }

  async open(): Promise<void> {
    const { origin, session } = this.#options
    this.#context.browser()?.on('disconnected', () => this.#lost(new Error('the browser ended')))
    this.#context.on('page', (page) => this.#unlessGone(page, this.#show(page)))
    const page = await this.#context.newPage()
    await page.goto(session === null ? this.#signInPage : origin, { waitUntil: 'commit', timeout: 20_000 })
    this.#timer = setInterval(() => void this.#look(), lookEveryMs)
  }

  apply(input: Input): void {
    if (this.#closed || (input.type === 'move' && this.#waiting > 4) || this.#waiting > 500) return
    this.#waiting += 1
    this.#queue = this.#queue.then(async () => {
      try {
        const page = this.#pages.at(-1)
        if (page && !this.#closed) await applyInput(page, input)
      } catch {
        // The page went away under the hand, or a page to go back to did not come: the person sees the picture as it is.
      } finally {
        this.#waiting -= 1
      }
    })
  }

  async close(): Promise<void> {
    // Also one that was lost may still run: a page crashed, or led astray.
    this.#end()
    await this.#context.browser()?.close()
  }

  #end(): void {
    this.#closed = true
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
    page.on('close', () => void this.#pages.splice(this.#pages.indexOf(page), 1))
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame()) return
      if (isBelow(this.#options.origin, frame.url()) || frame.url() === 'about:blank') void this.#look()
      else this.#unlessGone(page, page.goto(this.#signInPage, { waitUntil: 'commit' }))
    })
    page.on('crash', () => this.#lost(new Error('a page crashed')))
    await page.screencast.start({
      size: this.#options.size,
      quality: 70,
      onFrame: ({ data }) => {
        if (this.#pages.at(-1) === page && !this.#closed) this.#options.onFrame(data)
      },
    })
  }

  get #signInPage(): string {
    return below(this.#options.origin, this.#options.signIn.page)
  }

  /** Asks the app, with the browser's cookies, who has signed in. */
  async #look(): Promise<void> {
    if (this.#looking || this.#found || this.#closed) return
    this.#looking = true
    try {
      const { origin, signIn } = this.#options
      const answer = await this.#context.request.get(below(origin, signIn.who.page), { maxRedirects: 0, timeout: 5000 })
      const account = answer.status() === 200 ? signIn.who.account(await answer.text()) : null
      if (account === null || this.#closed) return
      const cookies = (await this.#context.cookies(origin)).map(({ name, value, domain, path }) => {
        return { name, value, domain, path }
      })
      const user_agent = (await this.#pages.at(-1)?.evaluate(() => navigator.userAgent)) ?? null
      this.#found = true
      this.#options.onSignedIn({ ...account, session: { cookies, user_agent } })
    } catch {
      // Not signed in as far as anybody can tell: the next look asks again.
    } finally {
      this.#looking = false
    }
  }
}

/** Nothing outside the app's root is loaded, by a page, a frame, a popup or a script. */
async function confine(context: BrowserContext, origin: string): Promise<void> {
  await context.route('**/*', async (route) => {
    try {
      await (isBelow(origin, route.request().url()) ? route.continue() : route.abort('blockedbyclient'))
    } catch {
      // The page that asked is gone, and its request with it: nothing was let through.
    }
  })
  const sockets = origin.replace(/^http/, 'ws')
  await context.routeWebSocket(/.*/, (socket) => {
    if (isBelow(sockets, socket.url())) socket.connectToServer()
    else void socket.close()
  })
}

/** Whether an address is the app's root or below it. */
export function isBelow(root: string, address: string): boolean {
  const url = URL.parse(address)
  const base = new URL(root)
  return url !== null && url.origin === base.origin && `${url.pathname}/`.startsWith(base.pathname)
}

const below = (origin: string, page: string): string => new URL(page.replace(/^\//, ''), origin).href

/** As this very browser names itself to everybody, but for the word that says that nobody sits before it. */
function userAgent(version: string): string {
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version.split('.', 1)[0]}.0.0.0 Safari/537.36`
}
