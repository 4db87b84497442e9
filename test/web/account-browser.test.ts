import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeResetLink } from '../../core/users/password-resets.ts'
import { desk, expectTidy, openPage, phone, shoot, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { makeOwner, startTestSite } from './site.ts'
import type { Owner, Site, TestSite } from './site.ts'

let site: TestSite
let mailing: Site
let owner: Owner
let running: RunningBrowser

beforeAll(async () => {
  site = await startTestSite()
  mailing = await site.another('http://127.0.0.1', {
    settings: { SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'gate@example.com' },
  })
  owner = await makeOwner(site.ctx)
  running = await startBrowser()
})
afterAll(async () => {
  await running.close()
  await site.stop()
})

test.for([
  ['on a phone', phone],
  ['on a desk', desk],
] as const)('a lost password is set anew %s', async ([name, where]) => {
  const { page, problems } = await openPage(running.browser, where)
  await page.goto(`${site.url}/forgot`)
  await expectTidy(page, 'no mail', where.viewport.width)
  await shoot(page, `forgot-no-mail ${name}`)
  await page.goto(`${mailing.url}/login`)
  await shoot(page, `login ${name}`)
  await page.getByRole('link', { name: 'Lost your password?' }).click()
  await page.getByLabel('Email').fill(owner.email)
  await expectTidy(page, 'forgot', where.viewport.width)
  await shoot(page, `forgot ${name}`)
  await page.getByRole('button', { name: 'Mail me a link' }).click()
  await page.getByText('a mail is on its way').waitFor()
  await shoot(page, `forgot-sent ${name}`)

  const made = await makeResetLink(site.ctx, owner.email, 'operator:ann')
  await page.goto(`${mailing.url}${new URL(made?.link ?? '').pathname}`)
  await page.getByLabel('New password (12 characters or more)').fill(`seven-brave-otters ${name}`)
  await page.getByLabel('The new password again').fill(`seven-brave-otters ${name}`)
  await expectTidy(page, 'reset', where.viewport.width)
  await shoot(page, `reset ${name}`)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('The password is set').waitFor()
  await shoot(page, `reset-done ${name}`)
  await page.goto(`${mailing.url}${new URL(made?.link ?? '').pathname}`).catch(() => undefined)
  await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor()
  await shoot(page, `reset-over ${name}`)
  expect(problems.filter((problem) => !problem.includes('410'))).toEqual([])
})
