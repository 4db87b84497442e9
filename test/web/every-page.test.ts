import path from 'node:path'
import { readdirSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createUser } from '../../core/users/rows.ts'
import { startGateway } from '../api/http/gateway.ts'
import type { Gateway } from '../api/http/gateway.ts'
import { pageRules, program } from '../api/ownership/pages.ts'
import { makePerson } from '../api/ownership/things.ts'
import type { Person } from '../api/ownership/things.ts'
import { createDatabase } from '../harness.ts'
import { violationsOn } from '../support/axe.ts'
import { startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { stopClock } from '../support/stopped-clock.ts'
import type { StoppedClock } from '../support/stopped-clock.ts'
import { Album, differenceOf } from './every/album.ts'
import { liveThrough } from './every/history.ts'
import { faultsWithLetters, overflowOf, reachOf, weightOf } from './every/faults.ts'
import { isPictured, pictureNames } from './every/pictured.ts'
import { pictureOf, showAs, steady } from './every/pictures.ts'
import type { Theme, Width } from './every/pictures.ts'
import { Visitor } from './visitor.ts'

vi.setConfig({ testTimeout: 180_000 })

/** When all of it is. */
const now = new Date('2026-11-12T14:35:00Z')
const root = path.resolve(import.meta.dirname, '../..')
const album = new Album({
  isRemade: process.env['PICTURES'] === 'remade',
  faults: path.join(root, '.pictures'),
})

let clock: StoppedClock
let database: Awaited<ReturnType<typeof createDatabase>>
let gateway: Gateway
let running: RunningBrowser
let person: Person
/** The windows of that person, of a newcomer whose lists are all empty, and of who is not signed in. */
const contexts = new Map<string, BrowserContext>()

beforeAll(async () => {
  database = await createDatabase()
  clock = await stopClock(database.url, now)
  gateway = await startGateway({ DATABASE_URL: database.url })
  const { ctx } = gateway
  await ctx.db.query(
    `INSERT INTO oauth_clients (id, name, redirect_uris, auth_method, expires_at)
     VALUES ($1, 'Program', '{https://example.com/callback}', 'none', now() + interval '1 day')`,
    [program],
  )
  person = await makePerson(ctx, 'olivia', (owner) => liveThrough(ctx, clock, owner, now))
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
  await clock.end()
  await database.drop()
})

async function windowOf(who: Pick<Person, 'email' | 'password'> | undefined): Promise<BrowserContext> {
  const context = await running.browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin' })
  await context.clock.setFixedTime(now)
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

/**
 * All that is wrong with a page: on a phone and a desk, in light and dark, on the narrowest screen, with letters twice as large. All of it is
 * asked in one visit; what hangs on colours alone is asked again in the other colours.
 */
async function faultsOf(page: Page, address: string, name: string): Promise<readonly string[]> {
  const faults: string[] = []
  const add = (where: string, found: readonly string[]): void =>
    void faults.push(...found.map((one) => `${name}, ${where}: ${one}`))
  const look = async (width: Width, theme: Theme, rules?: readonly string[]): Promise<void> => {
    await showAs(page, width, theme)
    const where = `${width} px, ${theme}`
    add(where, await violationsOn(page, rules))
    if (!isPictured(name, `${width}-${theme}`)) return steady(page)
    const fault = album.faultOf(`${name}-${width}-${theme}`, await pictureOf(page, width, address.startsWith('/docs')))
    add(where, fault === undefined ? [] : [fault])
  }
  const devtools = await page.context().newCDPSession(page)
  await showAs(page, 390, 'light')
  add('cold', await weightOf(page, devtools, `${gateway.publicUrl}${address}`))
  await look(390, 'light')
  add('on a phone', await overflowOf(page))
  add('on a phone by keyboard', await reachOf(page))
  add('with letters twice as large', await faultsWithLetters(page, devtools, 200))
  await look(390, 'dark', colours)
  await look(1280, 'dark')
  add('on a desk', await overflowOf(page))
  add('on a desk by keyboard', await reachOf(page))
  await look(1280, 'light', colours)
  await page.setViewportSize({ width: 320, height: 640 })
  add('on the narrowest screen', await overflowOf(page))
  return faults
}

const colours = ['color-contrast', 'link-in-text-block']

async function visit(who: string, address: string, name: string): Promise<readonly string[]> {
  const page = await contexts.get(who)!.newPage()
  try {
    return await faultsOf(page, address, name)
  } finally {
    await page.close()
  }
}

const named = (path: string): string => path.replaceAll(/[^a-z]+/gi, '-').replaceAll(/^-|-$/g, '') || 'overview'

test.concurrent.each(pages)('%s can be read and used by everybody, on every screen', async (path, rule) => {
  const who = rule.get === 'everybody' ? 'nobody' : 'person'
  const addresses = rule.at?.(person.things) ?? [path]
  const faults: string[] = []
  for (const [index, address] of addresses.entries()) {
    const name = addresses.length === 1 ? named(path) : `${named(path)}-${index + 1}`
    faults.push(...(await visit(who, address, name)))
  }
  expect(faults).toEqual([])
})

test.concurrent.each(['/', '/waiting', '/calls', '/keys', '/nowhere'])(
  '%s is as good for who has nothing yet',
  async (address) => {
    expect(await visit('newcomer', address, `newcomer-${named(address)}`)).toEqual([])
  },
)

test('the menu of a phone is opened and closed by keys alone, and shows all of its places in every colour', async () => {
  const page = await contexts.get('person')!.newPage()
  const menu = page.locator('#menu')
  const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent')
  const open = async (): Promise<void> => {
    await page.goto(`${gateway.publicUrl}/keys`)
    for (let step = 0; step < 6 && (await focused()) !== 'Menu'; step++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await menu.waitFor()
  }
  await showAs(page, 390, 'light')
  await open()
  await page.keyboard.press('Escape')
  expect([await menu.isVisible(), await focused()]).toEqual([false, 'Menu'])

  const faults: string[] = []
  for (const theme of ['light', 'dark'] as const) {
    await showAs(page, 390, theme)
    await open()
    faults.push(...(await violationsOn(page)))
    // One time in five Chromium draws the text half a pixel higher, until the menu is opened again.
    let fault = album.faultOf(`menu-390-${theme}`, await pictureOf(page, 390, false))
    for (let n = 0; n < 8 && fault !== undefined; n++) {
      await open()
      fault = album.faultOf(`menu-390-${theme}`, await pictureOf(page, 390, false))
    }
    if (fault !== undefined) faults.push(fault)
  }
  expect(faults).toEqual([])

  await page.emulateMedia({ forcedColors: 'active' })
  await open()
  const links = await page.locator('.top .menu a').evaluateAll((all) =>
    all.map((link) => ({
      isMarked: getComputedStyle(link).outlineStyle === 'solid',
      isCurrent: link.getAttribute('aria-current') === 'page',
      isInSight: link.getBoundingClientRect().right <= innerWidth && link.getBoundingClientRect().width > 0,
    })),
  )
  expect(links.filter(({ isCurrent, isMarked }) => isCurrent || isMarked)).toEqual([
    { isMarked: true, isCurrent: true, isInSight: true },
  ])
  expect(links.filter(({ isInSight }) => !isInSight)).toEqual([])
  expect(links).toHaveLength(10)
  await page.close()
})

test('every reference is of a page, and every page that has one was compared with it', () => {
  expect([...album.compared].toSorted()).toEqual(pictureNames.toSorted())
  expect(album.strays(readdirSync(path.join(import.meta.dirname, 'every/references')))).toEqual([])
})

test('a button of another colour, a line that is gone and 8 px of a shift are all seen in a picture', async () => {
  const page = await contexts.get('person')!.newPage()
  await showAs(page, 390, 'light')
  await page.goto(`${gateway.publicUrl}/people`)
  const before = await pictureOf(page, 390, false)
  expect(differenceOf(before, await pictureOf(page, 390, false))).toBeUndefined()
  for (const fault of [
    `document.querySelector('main button.primary').style.background = '#0b5f6b'`,
    `document.querySelector('main .card').style.borderColor = 'transparent'`,
    `document.querySelector('main h1').style.marginLeft = '8px'`,
    `document.querySelector('main').style.marginTop = '8px'`,
    `document.querySelector('main p').remove()`,
  ]) {
    await page.reload()
    await page.evaluate(fault)
    expect(differenceOf(before, await pictureOf(page, 390, false))?.pixels, fault).toBeGreaterThan(100)
  }
  await page.close()
})
