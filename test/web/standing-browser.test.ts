import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveButton, desk, expectTidy, openPage, phone, readOn, shoot, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
import type { TestSite } from './site.ts'

let site: TestSite
let running: RunningBrowser

beforeAll(async () => {
  site = await startTestSite()
  running = await startBrowser()
})
afterAll(async () => {
  await running.close()
  await site.stop()
})

async function fits(page: Page, name: string, width: number): Promise<void> {
  await shoot(page, name)
  await expectTidy(page, name, width)
}

test.for([
  ['phone', phone],
  ['desk', desk],
  ['phone-without-scripts', { ...phone, javaScriptEnabled: false }],
] as const)('a person approves in advance, sees the use, and revokes it (%s)', async ([name, where]) => {
  const owner = await makeOwner(site.ctx, { label: 'the-secretary-with-a-very-long-address@the-club.example' })
  const { width } = where.viewport
  const { page, problems } = await openPage(running.browser, where)

  const first = await askFor(site.ctx, owner, { subject: 'The first' })
  await page.goto(`${site.url}/confirm/${first}`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'What will be sent' }).waitFor()
  await readOn(page)
  await approveButton(page).click()
  await page.getByRole('link', { name: 'Approve such calls from now on' }).click()
  await page.getByRole('heading', { name: 'Approve in advance' }).waitFor()
  await fits(page, `${name}-1-form`, width)

  await page.getByLabel('Daily limit').fill('none')
  await page.getByRole('radio', { name: /^Recipients/ }).check()
  await page.getByLabel('Allowed values, one per line').fill('m_1\nm_2')
  await page.getByRole('button', { name: 'Approve in advance' }).click()
  await page.getByText('Write a whole number').waitFor()
  await fits(page, `${name}-2-wrong`, width)
  problems.splice(0)

  expect(await page.getByLabel('Allowed values, one per line').inputValue()).toBe('m_1\nm_2')
  await page.getByLabel('Daily limit').fill('1')
  await page.getByLabel('Until').fill('2099-12-24')
  await page.getByRole('button', { name: 'Approve in advance' }).click()
  await page.getByText('Approved in advance, for new calls').waitFor()
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
  await page.getByRole('link', { name: 'Write a letter · Letters' }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('You revoked this.').waitFor()
  await fits(page, `${name}-10-revoked`, width)
  expect(await statusOf(site.ctx, covered)).toBe('cancelled')
  expect(problems).toEqual([])
})
