import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { freePort } from '../../local-services/dev-server.ts'
import { cacheFolder, makeFolder } from '../../local-services/temporal.ts'
import type { AppSession } from '../../schemas/session.ts'
import { sessionCookies } from '../../web/connect/browser/session-cookies.ts'
import { root } from '../supervisor/settings.ts'
import { startBrowser } from './browser.ts'
import type { RealApp } from './real-app.ts'
import { recordAll } from './record.ts'

/** The connector in the repository, with its offline examples. */
export const connectorOf = (app: RealApp): string => join(root, 'examples/connectors', app.name)

/**
 * Starts the installed app with fresh data and records its connector against it. Returns the
 * connector's copy with these recordings, below `into`. They contain the app's own pages, so they
 * must not be committed.
 */
export async function recordApp(
  app: RealApp,
  { cache, into, log }: { readonly cache: string; readonly into: string; readonly log: (line: string) => void },
): Promise<string> {
  await using done = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), `callgate-${app.name}-`))
  done.defer(() => rm(folder, { recursive: true, force: true }))
  const [data, browserData] = [join(folder, 'data'), join(folder, 'browser')]
  await mkdir(data)
  const running = await app.start({ cache, folder: data, port: await freePort() })
  done.defer(() => running.stop())
  const browser = await startBrowser(browserData)
  done.defer(() => browser.close())
  const copy = join(into, app.name)
  const made = await recordAll({
    folder: connectorOf(app),
    copy,
    origin: running.origin,
    shownAs: `https://${app.name}.example.org`,
    session: await sessionOf(browser, app, running.origin),
    runs: app.recordings,
  })
  log(`${made} recordings of the running app`)
  return copy
}

/** Records these apps only. Returns the folder of each connector's copy, for `connector test`. */
export async function recordApps(apps: readonly RealApp[], log: (line: string) => void): Promise<readonly string[]> {
  const cache = join(cacheFolder(process.env), 'real-apps')
  await makeFolder(cache)
  const into = await mkdtemp(join(tmpdir(), 'callgate-recorded-'))
  const copies: string[] = []
  for (const app of apps) {
    await app.install(cache, log)
    copies.push(await recordApp(app, { cache, into, log: (line) => log(`${app.name}: ${line}`) }))
  }
  return copies
}

/** The session that the app gives its user in a browser. */
async function sessionOf(browser: Browser, app: RealApp, origin: string): Promise<AppSession> {
  const { page: form, name, button } = app.signInForm
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/${form}`)
  await page.locator(name).click()
  await page.keyboard.type(app.person.name)
  await page.keyboard.press('Tab')
  await page.keyboard.type(app.person.password)
  await page.locator(button).click()
  await page.waitForURL((url) => !url.pathname.endsWith(`/${form}`))
  const user_agent = await page.evaluate<string>('navigator.userAgent')
  return { cookies: sessionCookies(await context.cookies(), [new URL(origin).hostname]), user_agent }
}
