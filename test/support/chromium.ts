import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { writeFontConfig } from './fonts.ts'

export const phone = { viewport: { width: 390, height: 844 } }
export const desk = { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' } as const

/** A browser as people have one. */
export interface RunningBrowser {
  readonly browser: Browser
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

let unpacked: Promise<{ readonly executablePath: string; readonly fonts: string }> | undefined

export async function startBrowser(): Promise<RunningBrowser> {
  unpacked ??= unpack()
  const { executablePath, fonts } = await unpacked
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, LANGUAGE: 'en', FONTCONFIG_FILE: fonts },
  })
  // As for what else tests wait for: it ends what is wrong, not what is slow.
  browser.on('context', (context) => context.setDefaultTimeout(120_000))
  const close = (): Promise<void> => browser.close()
  return { browser, close, [Symbol.asyncDispose]: close }
}

/** Once for all test files of this process. It goes away with the folder for temporary files. */
async function unpack(): Promise<{ readonly executablePath: string; readonly fonts: string }> {
  // The package trusts whatever lies unpacked in the folder for temporary files: give it a private one.
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-chromium-'))
  await chmod(dir, 0o711)
  const { env } = process
  const before = env['TMPDIR'] ?? ''
  env['TMPDIR'] = dir
  try {
    const { default: packaged } = await import('@sparticuz/chromium')
    return { executablePath: await packaged.executablePath(), fonts: writeFontConfig(dir) }
  } finally {
    env['TMPDIR'] = before
  }
}

/** A page in a window of its own, and what goes wrong in it. */
export async function openPage(
  browser: Browser,
  where: BrowserContextOptions,
): Promise<{ readonly page: Page; readonly problems: string[] }> {
  const page = await (await browser.newContext(where)).newPage()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  return { page, problems }
}

/** Keeps a picture of the page in the folder `SHOTS`, where there is one. */
export async function shoot(page: Page, name: string): Promise<void> {
  const shots = process.env['SHOTS']
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
}

/** At one go: a button that has become ready meanwhile would approve. */
const pressToReadOn = `(() => {
  const button = document.querySelector('form[data-guard] [aria-describedby="what-is-left"][aria-disabled="true"]')
  const leads = document.querySelector('#what-is-left').textContent.includes('there is more')
  if (leads) button?.click()
  return leads && button !== null
})()`

/** Its label is the act. */
export const approveButton = (page: Page): Locator => page.locator('button[name="decision"][value="approve"]')

/** Reads on to where the button leads, until it is ready: everything has been in view. Returns the places on the page. */
export async function readOn(page: Page, approve = approveButton(page)): Promise<readonly number[]> {
  const places = []
  while ((await approve.getAttribute('aria-disabled')) === 'true') {
    if (await page.evaluate<boolean>(pressToReadOn)) places.push(await page.evaluate<number>('scrollY'))
    await page.waitForTimeout(300)
  }
  return places
}

/** The page is as wide as its screen, names its fields, and has one main heading. */
export async function expectTidy(page: Page, name: string, width: number): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(width)
  const unnamed = await page.evaluate(
    `[...document.querySelectorAll('input:not([type=hidden]), select, textarea')].filter((field) => field.labels.length === 0).length`,
  )
  expect(unnamed, name).toBe(0)
  expect(await page.locator('h1').count(), name).toBe(1)
}

/** By the button at the side, or in the menu of a phone. */
export async function signOut(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
}
