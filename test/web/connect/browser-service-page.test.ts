import { once } from 'node:events'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../local-services/dev-server.ts'
import { startStack } from '../../harness.ts'
import type { Stack } from '../../harness.ts'
import { browserSecret, startBrowserService } from '../../support/browser-service.ts'
import type { RunningBrowserService } from '../../support/browser-service.ts'
import { startBrowser } from '../../support/chromium.ts'
import type { RunningBrowser } from '../../support/chromium.ts'
import { makeUser } from '../../support/user.ts'
import type { TestUser } from '../../support/user.ts'
import { openConnectPage, openPicture, signInInPicture } from './picture.ts'

const viewport = { width: 800, height: 900 }
const couldNot = 'The browser could not be opened or was lost'

let port: number
let stack: Stack
let running: RunningBrowser
const lines: string[] = []
const reasons = (): unknown[] =>
  lines
    .filter((line) => line.includes('a connect page failed'))
    .map((line) => (JSON.parse(line) as { reason: string }).reason)

beforeAll(async () => {
  port = await freePort()
  // The API's settings of the service stay while it restarts.
  const settings = { CALLGATE_BROWSER_URL: `http://127.0.0.1:${port}`, CALLGATE_BROWSER_SECRET: browserSecret }
  stack = await startStack({ logTo: { write: (line: string) => void lines.push(line) }, settings })
  running = await startBrowser()
})
afterAll(async () => {
  await running.close()
  await stack.stop()
})

async function serve(browsers?: number): Promise<RunningBrowserService> {
  const service = await startBrowserService({ port, ...(browsers !== undefined && { browsers }) })
  onTestFinished(() => service.stop())
  return service
}

const visit = (user: TestUser) => openConnectPage(running.browser, { publicUrl: stack.publicUrl, user, viewport })
const newUser = () => makeUser(stack, { accounts: [] })

test('two people sign in at once, each in a browser of their own that is not where the gateway runs', async () => {
  const service = await serve()
  const people = await Promise.all(
    ['agency', 'private'].map(async (kind) => {
      const [user, account] = [await newUser(), await stack.sandbox.newAccount(kind as 'agency')]
      const page = await visit(user)
      await openPicture(page, 'Sign in to')
      return { user, account, page }
    }),
  )
  const proxies = service.browsers().map((command) => /--proxy-server=([^\0]+)/.exec(command)?.[1])
  expect(new Set(proxies).size).toBe(2)
  expect(new Set(service.browsers().map((command) => /.*--user-data-dir=([^\0]+)/s.exec(command)?.[1])).size).toBe(2)
  for (const { account, page } of people) {
    await signInInPicture(page, account.email, account.password)
    await page.getByText('Connected. The browser is gone').waitFor()
  }
  for (const { user, account, page } of people) {
    const { body } = await user.send('GET', '/connections')
    expect(body['connections']).toMatchObject([{ label: account.label, state: 'connected' }])
    expect((await user.call('list_listings', { limit: 1 })).status).toBe(200)
    await page.context().close()
    expect(lines.join('')).not.toContain(account.password)
  }
  await expect.poll(() => service.browsers()).toEqual([])
  expect(service.leftovers()).toEqual([])
  expect(lines.join('')).not.toContain(service.service.secret())
})

test('a page says when the service is away, and when it dies while somebody signs in; the log says what to do', async () => {
  const user = await newUser()
  const page = await visit(user)
  await page.getByRole('button', { name: 'Sign in to' }).click()
  await page.getByText(couldNot).waitFor()
  expect(reasons().at(-1)).toMatch(/cannot be reached \(ECONNREFUSED\): check CALLGATE_BROWSER_URL/)

  const service = await serve()
  await page.reload()
  await openPicture(page, 'Sign in to')
  expect(service.browsers()).toHaveLength(1)
  service.child.kill('SIGKILL')
  await once(service.child, 'exit')
  await page.getByText(couldNot).waitFor()
  expect(reasons().at(-1)).toBe('the browser ended')
  await expect.poll(() => service.browsers()).toEqual([])
  await page.context().close()
})

test('a page says to come later when the service runs as many browsers as it may, which is no failure', async () => {
  const service = await serve(1)
  const failed = reasons().length
  const [first, second] = [await visit(await newUser()), await visit(await newUser())]
  await openPicture(first, 'Sign in to')
  await second.getByRole('button', { name: 'Sign in to' }).click()
  await second.getByText('Too many people are in line').waitFor()
  expect([service.browsers().length, reasons().length]).toEqual([1, failed])
  await first.context().close()
  await expect.poll(() => service.browsers()).toEqual([])
  await second.reload()
  await openPicture(second, 'Sign in to')
  await second.context().close()
})
