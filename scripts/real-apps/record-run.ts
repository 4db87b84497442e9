import { mkdtemp, rm } from 'node:fs/promises'
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

/** Makes the recordings of these connectors anew, each against its app with fresh data; no gateway is needed for that. */
export async function recordRealApps(apps: readonly RealApp[], log: (line: string) => void): Promise<void> {
  const cache = join(cacheFolder(process.env), 'real-apps')
  await makeFolder(cache)
  for (const app of apps) {
    if (app.recordings === undefined) continue
    await app.install(cache, log)
    await using done = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), `callgate-${app.name}-`))
    done.defer(() => rm(folder, { recursive: true, force: true }))
    const running = await app.start({ cache, folder, port: await freePort() })
    done.defer(() => running.stop())
    const browser = await startBrowser(folder)
    done.defer(() => browser.close())
    const made = await recordAll({
      folder: join(root, 'examples/connectors', app.name),
      origin: running.origin,
      shownAs: `https://${app.name}.example.org`,
      session: await sessionOf(browser, app, running.origin),
      runs: app.recordings,
    })
    log(`${app.name}: ${made} recordings`)
  }
}

/** As the app gives it to its person in a browser. */
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
