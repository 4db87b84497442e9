import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openToken } from '../../core/mails/queue.ts'
import { askForEmail } from '../../core/users/email-changes.ts'
import { makeResetLink } from '../../core/users/password-resets.ts'
import { desk, expectTidy, openPage, phone, shoot, signOut, startBrowser } from '../support/chromium.ts'
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

test.for([
  ['on a phone', phone],
  ['on a desk', desk],
] as const)('the email address is changed and taken back %s', async ([name, where]) => {
  const person = await makeOwner(site.ctx)
  const { page, problems } = await openPage(running.browser, where)
  await signIn(page, person, '/account/email')
  await page.getByLabel('New email address').fill(`new-${person.email}`)
  await page.getByRole('button', { name: 'Mail the link' }).click()
  await page.getByText('A mail is on its way').waitFor()
  await expectTidy(page, 'email', where.viewport.width)
  await shoot(page, `email ${name}`)
  const token = await askForEmail(mailing.ctx, person.id, `new-${person.email}`)
  await page.goto(`${mailing.url}/account/email/${token}`)
  await expectTidy(page, 'confirm', where.viewport.width)
  await shoot(page, `email-confirm ${name}`)
  await page.getByRole('button', { name: 'Change the address' }).click()
  await page.getByText('The email address is changed').waitFor()
  await shoot(page, `account ${name}`)
  const { rows } = await site.ctx.db.query<{ id: string; secret: Buffer }>(
    `SELECT id, secret FROM mails WHERE kind = 'email.changed' AND address = $1`,
    [person.email],
  )
  const undo = rows[0] && openToken(site.ctx, rows[0].id, rows[0].secret)
  await page.goto(`${mailing.url}/email/${undo}`)
  await expectTidy(page, 'undo', where.viewport.width)
  await shoot(page, `email-undo ${name}`)
  await page.getByRole('button', { name: 'Take it back' }).click()
  await page.getByText('The old email address is back').waitFor()
  await expectTidy(page, 'undone', where.viewport.width)
  await shoot(page, `email-back ${name}`)
  expect(problems).toEqual([])
})

test.for([
  ['on a phone', phone],
  ['on a desk', desk],
] as const)('an authenticator app is set up and asked for %s', async ([name, where]) => {
  const person = await makeOwner(site.ctx)
  const { page, problems } = await openPage(running.browser, where)
  await signIn(page, person, '/account/totp')
  await expectTidy(page, 'totp off', where.viewport.width)
  await shoot(page, `totp-off ${name}`)
  await page.getByRole('button', { name: 'Set it up' }).click()
  await page.getByRole('heading', { name: 'Set up the app' }).waitFor()
  await expectTidy(page, 'totp key', where.viewport.width)
  await shoot(page, `totp-key ${name}`)
  expect(await page.evaluate<number>(`document.querySelector('img.qr').naturalWidth`)).toBeGreaterThan(0)
  const key = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? ''
  const totp = new TOTP({ secret: Secret.fromBase32(key) })
  await page.getByLabel('The code that the app shows now').fill(totp.generate())
  await page.getByRole('button', { name: 'Ask for codes' }).click()
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  await expectTidy(page, 'recovery codes', where.viewport.width)
  await shoot(page, `recovery-codes ${name}`)
  await page.getByRole('link', { name: 'I have kept them' }).click()
  await page.getByText('10 recovery codes left').waitFor()
  await shoot(page, `totp-on ${name}`)
  await signOut(page)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Code of the app').fill(totp.generate({ timestamp: Date.now() + 30_000 }))
  await expectTidy(page, 'code', where.viewport.width)
  await shoot(page, `login-code ${name}`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await site.ctx.db.query('UPDATE users SET may_invite = true WHERE id = $1', [person.id])
  await page.goto(`${mailing.url}/people`)
  await page.getByLabel('Email').fill('guest@example.test')
  await shoot(page, `people ${name}`)
  await page.getByRole('button', { name: 'Mail the invitation' }).click()
  await page.getByText('A mail with the link is on its way').waitFor()
  await expectTidy(page, 'invitation', where.viewport.width)
  await shoot(page, `invitation ${name}`)
  expect(problems).toEqual([])
})

async function signIn(page: Page, { email, password }: Owner, address: string): Promise<void> {
  await page.goto(`${mailing.url}/login?return_to=${encodeURIComponent(address)}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`**${address}`)
}
