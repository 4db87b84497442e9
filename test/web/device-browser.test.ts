import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage, phone, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { listTargets } from '../../core/notices/list.ts'
import { startPushService } from '../support/push-service.ts'
import { askFor, makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'

let site: TestSite
let owner: Owner
let running: RunningBrowser

beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx)
  running = await startBrowser()
})
afterAll(async () => {
  await running.close()
  await site.stop()
})

const signIn = async (page: Page): Promise<void> => {
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('the pages are a program that a phone can install, and nothing of them is kept on it', async () => {
  const { page, problems } = await openPage(running.browser, phone)
  await page.goto(`${site.url}/login?return_to=/waiting`)
  await signIn(page)
  await page.getByRole('heading', { name: 'Waiting' }).waitFor()
  const devtools = await page.context().newCDPSession(page)
  const told = await devtools.send('Page.getAppManifest')
  expect(told.errors).toEqual([])
  const manifest = JSON.parse(told.data ?? '') as { icons: { src: string; sizes: string; purpose: string }[] }
  expect(manifest).toMatchObject({ id: '/', start_url: '/', scope: '/', display: 'standalone', name: 'Callgate' })
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(
    expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']),
  )
  const drawn = await page.evaluate(
    `Promise.all(${JSON.stringify(manifest.icons)}.map(async ({ src }) => {
      const picture = new Image()
      picture.src = src
      await picture.decode()
      return picture.naturalWidth + 'x' + picture.naturalHeight
    }))`,
  )
  expect(drawn).toEqual(manifest.icons.map(({ sizes }) => sizes))

  expect(
    await page.evaluate('navigator.serviceWorker.ready.then(({ active, scope }) => [active.scriptURL, scope])'),
  ).toEqual([`${site.url}/worker.js`, `${site.url}/`])
  // With the worker in charge of the pages, too.
  for (const path of ['/', '/calls', '/waiting']) await page.goto(`${site.url}${path}`)
  expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
  expect(await page.evaluate('caches.keys()')).toEqual([])
  expect(await page.evaluate('indexedDB.databases()')).toEqual([])
  expect(problems).toEqual([])
})

test('a phone is added, shows what is pushed, and a tap opens the page', { timeout: 90_000 }, async () => {
  const service = await startPushService()
  const endpoint = 'https://push.example.com/of-ann'
  const { json } = service.subscribe()
  const { page, problems } = await openPage(running.browser, phone)
  page.setDefaultTimeout(20_000)
  const context = page.context()
  await context.grantPermissions(['notifications'], { origin: site.url })
  // The browser's own push service is far away: what it would say of a subscription is said here, and what it would bring is brought below.
  await page.addInitScript(
    `PushManager.prototype.subscribe = async () => ({ endpoint: '${endpoint}', toJSON: () => ({ ...${json}, endpoint: '${endpoint}' }) })
     PushManager.prototype.getSubscription = async () => (sessionStorage.getItem('subscribed') === null ? null : { endpoint: '${endpoint}' })`,
  )
  try {
    await page.goto(`${site.url}/login?return_to=/notices`)
    await signIn(page)
    await page.getByLabel('Name of this device').fill('Ann’s phone')
    await page.evaluate(`sessionStorage.setItem('subscribed', 'yes')`)
    await page.getByRole('button', { name: 'Notify me on this device' }).click()
    await page.getByText('This device gets notices now.').waitFor()
    await page.getByText('this device', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Notify me on this device' }).isVisible()).toBe(false)
    expect(await listTargets(site.ctx.db, owner.id)).toMatchObject([{ channel: 'push', name: 'Ann’s phone' }])

    const callId = await askFor(site.ctx, owner)
    const devtools = await context.newCDPSession(page)
    const registered = new Promise<string>((resolve) =>
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        if (registrations[0]) resolve(registrations[0].registrationId)
      }),
    )
    await devtools.send('ServiceWorker.enable')
    const push = async (data: string): Promise<void> => {
      await devtools.send('ServiceWorker.deliverPushMessage', {
        origin: site.url,
        registrationId: await registered,
        data,
      })
    }
    const [worker] = context.serviceWorkers()
    if (worker === undefined) throw new Error('there is no worker')
    // This Chromium has no screen to show a notice on, nor a finger to tap it: what the worker asks the browser for is kept instead.
    await worker.evaluate(`
      self.asked = []
      registration.showNotification = async (title, { body, tag, data }) => void asked.push({ title, body, tag, path: data.path })
      clients.openWindow = async (address) => void asked.push(address)
      self.tap = (path) => dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), {
        notification: { close() {}, data: { path } }, waitUntil() {},
      }))
    `)
    const asked = () => worker.evaluate('asked')
    const message = { title: 'Letters', body: 'Write a letter', path: `/confirm/${callId}`, tag: callId }
    const unread = { title: 'Callgate', body: 'Something waits for you.', path: '/waiting', tag: 'waiting' }
    await push(JSON.stringify(message))
    await expect.poll(asked, { timeout: 20_000 }).toEqual([message])
    // What nobody can read is a notice all the same: browsers take pushing away from who shows none.
    await push('{')
    await expect.poll(asked, { timeout: 20_000 }).toEqual([message, unread])
    await worker.evaluate(`tap(${JSON.stringify(message.path)}), tap('//evil.example/'), tap(undefined)`)
    const addressOf = (path: string) => `${site.url}${path}`
    await expect
      .poll(async () => ((await asked()) as unknown[]).slice(2), { timeout: 20_000 })
      .toEqual([addressOf(message.path), addressOf('/waiting'), addressOf('/waiting')])
    await page.goto(addressOf(message.path))
    await page.getByRole('heading', { name: 'What will be sent' }).waitFor()
    expect(problems).toEqual([])
  } finally {
    await context.close()
    await service.close()
  }
})
