import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
import type { Owner, TestSite } from './site.ts'

let site: TestSite
let owner: Owner
let browser: Browser
let dir: string

beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx)
  // The package trusts whatever lies unpacked in the folder for temporary files: give it a private one.
  dir = await mkdtemp(path.join(tmpdir(), 'callgate-chromium-'))
  process.env['TMPDIR'] = dir
  const { default: packaged } = await import('@sparticuz/chromium')
  browser = await chromium.launch({ executablePath: await packaged.executablePath() })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
  await rm(dir, { recursive: true, force: true })
})

const phone = { viewport: { width: 390, height: 844 } }
const desk = { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' } as const

async function visit(where: BrowserContextOptions, address: string): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', ...where })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(`${site.url}${address}`)
  return { page, problems }
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'What will be sent' }).waitFor()
}

test.for([
  ['on a phone', phone],
  ['on a desk', desk],
  ['on a phone without scripts', { ...phone, javaScriptEnabled: false }],
] as const)('a person signs in, reads and approves a call %s', async ([name, where]) => {
  const body = 'A longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong word.\n'.repeat(40)
  const id = await askFor(site.ctx, owner, { subject: name, body })
  const { page, problems } = await visit(where, `/confirm/${id}`)
  await signIn(page)

  const approve = page.getByRole('button', { name: 'Approve and send' })
  const box = await approve.boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(44)
  expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual(where.viewport.height)
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width).toBe(where.viewport.width)
  const asked = await page.locator('time').first().textContent()
  expect(asked).toMatch('javaScriptEnabled' in where ? /UTC$/ : /GMT\+9$/)

  await approve.click()
  await page.getByText('Approved by you').waitFor()
  expect(await statusOf(site.ctx, id)).toBe('running')
  expect(problems).toEqual([])
})

test('a page of a running call shows the end by itself', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Looks again' })
  const { page } = await visit(phone, `/confirm/${id}`)
  await signIn(page)
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await page.getByText('Approved by you').waitFor()
  await site.ctx.db.query(`UPDATE calls SET status = 'unknown' WHERE id = $1`, [id])
  await page.getByText('It may or may not have happened').waitFor({ timeout: 20_000 })
})

test('keyboard alone is enough: skip link first, then Tab to the buttons', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Keyboard' })
  const { page } = await visit(desk, `/confirm/${id}`)
  await signIn(page)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
  await page.getByRole('button', { name: 'Reject' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Rejected by you').waitFor()
  expect(await statusOf(site.ctx, id)).toBe('rejected')
})

test.for([
  ['on a phone', phone],
  ['on a desk', desk],
] as const)('every page of the dashboard fits its screen, and names its fields, %s', async ([name, where]) => {
  const ids = [
    await askFor(site.ctx, owner, { subject: `${name} a` }),
    await askFor(site.ctx, owner, { subject: `${name} b` }),
  ]
  const { page, problems } = await visit(where, `/confirm/${ids[0]}`)
  await signIn(page)
  for (const address of [
    '/',
    '/waiting',
    '/calls',
    `/calls/${ids[1]}`,
    '/apps',
    '/apps/letters',
    '/keys',
    '/credits',
    '/account',
  ]) {
    await page.goto(`${site.url}${address}`)
    const shots = process.env['SHOTS']
    if (shots)
      await page.screenshot({ path: `${shots}/${name.at(-1)}${address.replaceAll('/', '-')}.png`, fullPage: true })
    expect(await page.evaluate('document.documentElement.scrollWidth'), address).toBe(where.viewport.width)
    const unnamed = await page.evaluate(
      `[...document.querySelectorAll('input:not([type=hidden]), select')].filter((field) => field.labels.length === 0).length`,
    )
    expect(unnamed, address).toBe(0)
    expect(await page.locator('h1').count(), address).toBe(1)
  }
  await page.goto(`${site.url}/keys`)
  await page.getByLabel('Name').fill('Made in a browser')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByText('Copy it now').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(where.viewport.width)
  expect(problems).toEqual([])
})
