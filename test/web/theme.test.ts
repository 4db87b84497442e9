import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk, expectTidy, openPage, phone, shoot, signOut, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'

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

const ground = (page: Page): Promise<string> => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
const [light, dark] = ['rgb(245, 246, 243)', 'rgb(16, 21, 19)']

test('without a choice pages are as the system has it, in one stylesheet more', async () => {
  for (const [colorScheme, color] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    const { page, problems } = await openPage(running.browser, { ...phone, colorScheme })
    await page.goto(`${site.url}/login`)
    expect(await ground(page), colorScheme).toBe(color)
    expect(problems).toEqual([])
  }
})

test.for([
  ['on a phone', phone, 'dark', dark],
  ['on a desk', { ...desk, javaScriptEnabled: false }, 'light', light],
] as const)('a choice holds against the system, signed out too, %s', async ([name, where, theme, color]) => {
  const system = theme === 'dark' ? 'light' : 'dark'
  const { page, problems } = await openPage(running.browser, { ...where, colorScheme: system })
  await page.goto(`${site.url}/login?return_to=/account`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const choice = page.getByRole('form', { name: 'Light or dark' })
  expect(await choice.getByLabel('Same as this device').isChecked()).toBe(true)
  await choice.getByLabel(theme === 'dark' ? 'Dark' : 'Light').check()
  await choice.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The theme of this browser is changed').waitFor()
  expect(await ground(page)).toBe(color)
  await expectTidy(page, 'account', where.viewport.width)
  await shoot(page, `theme ${theme} ${name}`)
  await signOut(page)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await ground(page)).toBe(color)
  await page.emulateMedia({ media: 'print' })
  expect(await page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme'), 'on paper').toBe(
    'light',
  )
  expect(problems).toEqual([])
})

test('the cookie lasts a year, is forgotten with the choice, and says nothing that we did not', async () => {
  const visitor = await visitorOf(site, owner)
  const choose = async (theme: string) =>
    visitor.post('/account/theme', { csrf: await visitor.csrf('/account'), theme })
  const kept = (await choose('dark')).headers.getSetCookie().find((line) => line.startsWith('callgate-theme='))
  expect(kept).toBe('callgate-theme=dark; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax')
  expect((await visitor.get('/docs')).text).toContain('<html lang="en" data-theme="dark">')
  for (const wrong of ['', 'pink', 'toString']) expect((await choose(wrong)).status, wrong).toBe(422)
  expect((await choose('system')).headers.getSetCookie().join()).toContain('callgate-theme=system; Max-Age=0')
  const forged = new Visitor(site)
  forged.cookies.set('callgate-theme', '"><script>')
  expect((await forged.get('/login')).text).toContain('<html lang="en"><head>')
  const secure = await site.another('https://gate.example')
  const there = await visitorOf(secure, owner)
  const answer = await there.post('/account/theme', { csrf: await there.csrf('/account'), theme: 'light' })
  expect(answer.headers.getSetCookie().join()).toContain(
    'callgate-theme=light; Max-Age=31536000; Path=/; Secure; HttpOnly',
  )
})
