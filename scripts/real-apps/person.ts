import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'

/** Its label is the act. */
const approves = 'button[name="decision"][value="approve"]'

export interface Login {
  readonly email: string
  readonly password: string
}

/** A Callgate user with their own browser. */
export class Person {
  readonly #browser: Browser
  readonly #url: string
  readonly #login: Login
  #page: Page | undefined

  constructor(browser: Browser, url: string, login: Login) {
    this.#browser = browser
    this.#url = url
    this.#login = login
  }

  /** Opens a page of Callgate, signing in if needed. */
  async open(path: string): Promise<Page> {
    this.#page ??= await (await this.#browser.newContext({ viewport: { width: 1100, height: 1000 } })).newPage()
    const page = this.#page
    await page.goto(`${this.#url}${path}`)
    if (new URL(page.url()).pathname === '/login') {
      await page.getByLabel('Email').fill(this.#login.email)
      await page.getByLabel('Password').fill(this.#login.password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL((url) => url.pathname !== '/login')
    }
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }

  /** The text of the approval page, once it shows what will be sent. */
  async sees(callId: string): Promise<string> {
    const page = await this.#confirm(callId)
    return page.locator('main').innerText()
  }

  /** Reads the page to its end and approves. */
  async approve(callId: string): Promise<void> {
    const page = await this.#confirm(callId)
    const button = page.locator(approves)
    const until = Date.now() + 120_000
    while ((await button.getAttribute('aria-disabled')) === 'true') {
      if (Date.now() > until) throw new Error(`the page of ${callId} cannot be approved after 120 s`)
      if ((await page.locator('#what-is-left').textContent())?.includes('there is more'))
        await button.click({ force: true })
      await pause(200)
    }
    await button.click()
    await button.waitFor({ state: 'detached' })
  }

  async reject(callId: string): Promise<void> {
    const page = await this.#confirm(callId)
    const button = page.getByRole('button', { name: 'Reject' })
    await button.click()
    await button.waitFor({ state: 'detached' })
  }

  async #confirm(callId: string): Promise<Page> {
    const page = await this.open(`/confirm/${callId}`)
    // The preview is read from the app first.
    await page.locator(approves).waitFor({ timeout: 120_000 })
    return page
  }
}
