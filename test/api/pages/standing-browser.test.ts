import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
import type { TestSite } from './site.ts'

let site: TestSite
let browser: Browser
let dir: string

beforeAll(async () => {
  site = await startTestSite()
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

async function fits(page: Page, name: string, width: number): Promise<void> {
  const shots = process.env['SHOTS']
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
  expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(width)
  const unnamed = await page.evaluate(
    `[...document.querySelectorAll('input:not([type=hidden]), select, textarea')].filter((field) => field.labels.length === 0).length`,
  )
  expect(unnamed, name).toBe(0)
  expect(await page.locator('h1').count(), name).toBe(1)
}

test.for([
  ['phone', phone],
  ['desk', desk],
  ['phone-without-scripts', { ...phone, javaScriptEnabled: false }],
] as const)('a person approves in advance, sees the use, and revokes it (%s)', async ([name, where]) => {
  const owner = await makeOwner(site.ctx, { label: 'the-secretary-with-a-very-long-address@the-club.example' })
  const { width } = where.viewport
  const page = await (await browser.newContext(where)).newPage()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))

  const first = await askFor(site.ctx, owner, { subject: 'The first' })
  await page.goto(`${site.url}/confirm/${first}`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await page.getByRole('link', { name: 'Approve such calls from now on' }).click()
  await page.getByRole('heading', { name: 'Approve in advance' }).waitFor()
  await fits(page, `${name}-1-form`, width)

  await page.getByLabel('At most so many a day').fill('none')
  await page.getByRole('radio', { name: /^Recipients/ }).check()
  await page.getByLabel('The values, one a line').fill('m_1\nm_2')
  await page.getByRole('button', { name: 'Approve in advance' }).click()
  await page.getByText('Write a whole number').waitFor()
  await fits(page, `${name}-2-wrong`, width)
  problems.splice(0)

  expect(await page.getByLabel('The values, one a line').inputValue()).toBe('m_1\nm_2')
  await page.getByLabel('At most so many a day').fill('1')
  await page.getByLabel('Until').fill('2099-12-24')
  await page.getByRole('button', { name: 'Approve in advance' }).click()
  await page.getByText('Approved in advance. It holds for new calls').waitFor()
  await fits(page, `${name}-3-made`, width)

  const covered = await askFor(site.ctx, owner, { subject: 'Covered' })
  const waits = await askFor(site.ctx, owner, { subject: 'One too many' })
  for (const [shot, address] of [
    ['4-list', '/standing'],
    ['5-app', '/apps/letters'],
    ['6-covered', `/confirm/${covered}`],
    ['7-call', `/calls/${covered}`],
    ['8-waits', `/confirm/${waits}`],
    ['9-waiting', '/waiting'],
  ] as const) {
    await page.goto(`${site.url}${address}`)
    await fits(page, `${name}-${shot}`, width)
  }

  await page.goto(`${site.url}/standing`)
  await page.getByRole('link', { name: 'letters.write_letter' }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('You revoked this.').waitFor()
  await fits(page, `${name}-10-revoked`, width)
  expect(await statusOf(site.ctx, covered)).toBe('cancelled')
  expect(problems).toEqual([])
})
