import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage, phone, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { makeOwner, startTestSite } from './site.ts'
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
