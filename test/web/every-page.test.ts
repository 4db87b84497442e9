import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createUser } from '../../core/users/rows.ts'
import { startGateway } from '../api/http/gateway.ts'
import type { Gateway } from '../api/http/gateway.ts'
import { pageRules, program } from '../api/ownership/pages.ts'
import { makePerson } from '../api/ownership/things.ts'
import type { Person } from '../api/ownership/things.ts'
import { violationsOn } from '../support/axe.ts'
import { shoot, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { Visitor } from './visitor.ts'

vi.setConfig({ testTimeout: 60_000 })

let gateway: Gateway
let running: RunningBrowser
let person: Person
/** The windows of that person, of a newcomer whose lists are all empty, and of who is not signed in. */
const contexts = new Map<string, BrowserContext>()

beforeAll(async () => {
  gateway = await startGateway()
  const { ctx } = gateway
  await ctx.db.query(
    `INSERT INTO oauth_clients (id, name, redirect_uris, auth_method, expires_at)
     VALUES ($1, 'Program', '{https://example.com/callback}', 'none', now() + interval '1 day')`,
    [program],
  )
  person = await makePerson(ctx, 'olivia')
  const newcomer = { email: 'nora@example.com', password: 'a long password' }
  await createUser(ctx, { ...newcomer, plan: 'small' })
  running = await startBrowser()
  for (const [name, who] of [
    ['person', person],
    ['newcomer', newcomer],
    ['nobody', undefined],
  ] as const)
    contexts.set(name, await windowOf(who))
})
afterAll(async () => {
  await running.close()
  await gateway.stop()
})

async function windowOf(who: Pick<Person, 'email' | 'password'> | undefined): Promise<BrowserContext> {
  const context = await running.browser.newContext()
  context.setDefaultTimeout(20_000)
  if (who === undefined) return context
  const visitor = new Visitor({ url: gateway.publicUrl })
  await visitor.signIn(who)
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: gateway.publicUrl })))
  return context
}

/** What is read by programs, or within a page. */
const noPages = new Set([
  ...['/waiting/count', '/waiting/news', '/calls/:call/events', '/confirm/:call/files/:place'],
  ...['/assets/:asset', '/manifest.webmanifest', '/worker.js', '/calls.csv'],
])
const pages = Object.entries(pageRules).filter(([path, { get }]) => get !== undefined && !noPages.has(path))

/** The page does not go beyond its screen to the side. */
async function overflowOf(page: Page, width: number): Promise<readonly string[]> {
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
  if (wide <= width) return []
  const widest = await page.evaluate<string>(
    `[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > ${width} + 1 && getComputedStyle(one).position !== 'absolute').slice(0, 3).map((one) => one.tagName + '.' + one.className + ' ' + Math.round(one.getBoundingClientRect().right)).join(', ')`,
  )
  return [`${wide} px wide at ${width}: ${widest}`]
}

/** Tab leads to the main button of the page, and what has the focus shows that it has. */
async function reachOf(page: Page): Promise<readonly string[]> {
  const main = page.locator('main button.primary:visible').first()
  if ((await main.count()) === 0 || (await main.isDisabled())) return []
  await page.evaluate('document.activeElement?.blur(); window.scrollTo(0, 0)')
  for (let step = 0; step < 200; step++) {
    await page.keyboard.press('Tab')
    const [isThere, isSeen] = await main.evaluate((one) => [
      one === document.activeElement,
      getComputedStyle(one).outlineStyle !== 'none',
    ])
    if (isThere) return isSeen ? [] : ['the main button does not show that it has the focus']
  }
  return [`no Tab leads to ${String(await main.textContent())}`]
}

/** More than this is not sent for a page, its styles and its scripts together, headers too, to who has nothing of it yet. */
const mostBytes = 40 * 1024

/** Opens a page as who has never been there. */
async function weightOf(page: Page, address: string): Promise<readonly string[]> {
  const wire = await page.context().newCDPSession(page)
  await wire.send('Network.enable')
  await wire.send('Network.setCacheDisabled', { cacheDisabled: true })
  let bytes = 0
  wire.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength))
  await page.goto(`${gateway.publicUrl}${address}`)
  await wire.detach()
  expect(bytes).toBeGreaterThan(5_000)
  return bytes > mostBytes ? [`${bytes} bytes were sent`] : []
}

/** All that is wrong with a page, on a light phone, on a dark desk, and on the narrowest screen. */
async function faultsOf(page: Page, address: string): Promise<readonly string[]> {
  const faults: string[] = []
  const add = (where: string, found: readonly string[]): void =>
    void faults.push(...found.map((one) => `${where}: ${one}`))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'light' })
  add('cold', await weightOf(page, address))
  await shoot(page, `phone${address.replaceAll(/[^a-z]+/gi, '-')}`)
  add('on a phone', await violationsOn(page))
  add('on a phone', await overflowOf(page, 390))
  add('by keyboard', await reachOf(page))
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await shoot(page, `desk${address.replaceAll(/[^a-z]+/gi, '-')}`)
  add('on a dark desk', await violationsOn(page))
  add('on a desk', await overflowOf(page, 1280))
  await page.setViewportSize({ width: 320, height: 640 })
  add('on the narrowest screen', await overflowOf(page, 320))
  return faults
}

test.each(pages)('%s can be read and used by everybody, on every screen', async (path, rule) => {
  const context = contexts.get(rule.get === 'everybody' ? 'nobody' : 'person')!
  const page = await context.newPage()
  try {
    for (const address of rule.at?.(person.things) ?? [path]) expect(await faultsOf(page, address), address).toEqual([])
  } finally {
    await page.close()
  }
})

test.each(['/', '/waiting', '/calls', '/keys', '/nowhere'])(
  '%s is as good for who has nothing yet',
  async (address) => {
    const page = await contexts.get('newcomer')!.newPage()
    try {
      expect(await faultsOf(page, address)).toEqual([])
    } finally {
      await page.close()
    }
  },
)

test('with colours of the system the tab of the page still stands out, and all of the menu is in sight', async () => {
  const page = await contexts.get('person')!.newPage()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(`${gateway.publicUrl}/keys`)
  const lines = await page.locator('.top nav a').evaluateAll((links) =>
    links.map((link) => ({
      line: getComputedStyle(link).borderBottomColor,
      isCurrent: link.getAttribute('aria-current') === 'page',
      isInSight: link.getBoundingClientRect().right <= innerWidth,
    })),
  )
  const current = lines.filter(({ isCurrent }) => isCurrent)
  expect(current).toHaveLength(1)
  expect(lines.filter(({ line }) => line === current[0]?.line)).toHaveLength(1)
  expect(lines.filter(({ isInSight }) => !isInSight)).toEqual([])
  await page.close()
})
