import { once } from 'node:events'
import type { Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../server/server.ts'
import { freePort } from '../../local-services/dev-server.ts'
import { approveButton, desk, phone, readOn, shoot, signOut, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
import type { Owner, TestSite } from './site.ts'

let site: TestSite
let owner: Owner
let running: RunningBrowser
let server: Server
let address: string

beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx)
  const port = await freePort()
  address = `http://localhost:${port}`
  server = createApp({ ...site.ctx, config: { ...site.ctx.config, publicUrl: address } }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  running = await startBrowser()
})
afterAll(async () => {
  await running.close()
  server.closeAllConnections()
  server.close()
  await site.stop()
})

test('a person adds a passkey, signs out, signs in with it by the button or by what the email field offers, and removes it', async () => {
  const context = await running.browser.newContext(phone)
  const page = await context.newPage()
  // The authenticator below takes at once what the field offers.
  await page.addInitScript(
    `PublicKeyCredential.isConditionalMediationAvailable = async () => sessionStorage.getItem('offers') === 'yes'`,
  )
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const withPassword = async (): Promise<void> => {
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
  }
  await page.goto(`${address}/login?return_to=/account`)
  await withPassword()

  await page.getByLabel('Name of the passkey').fill('Work laptop')
  await page.getByLabel('Your password, to be sure').fill('wrong')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('The password is not right.').waitFor()
  expect(await page.getByLabel('Name of the passkey').inputValue()).toBe('Work laptop')
  await page.getByLabel('Your password, to be sure').fill(owner.password)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('The passkey is added.').waitFor()
  expect((await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toMatchObject([
    { isResidentCredential: true, rpId: 'localhost' },
  ])

  const leave = async (offers: 'yes' | 'no'): Promise<void> => {
    await page.evaluate(`sessionStorage.setItem('offers', 'no')`)
    await signOut(page)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.evaluate(`sessionStorage.setItem('offers', '${offers}')`)
    await page.goto(`${address}/login?return_to=/account`)
  }
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  await leave('no')
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await button.click()
  await page.getByText('Nothing was done').waitFor()
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await button.click()
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
  await page.getByRole('region', { name: 'Passkeys' }).getByText('last used').waitFor()
  await leave('yes')
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  await page.getByText('The passkey is removed').waitFor()
  await leave('no')
  await button.click()
  await page.getByText('does not open an account here').waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('without scripts the password is what there is, and the account page says what a passkey needs', async () => {
  const context = await running.browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${address}/login?return_to=/account`)
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('To add one, use a browser that knows passkeys').waitFor()
  expect(await page.getByRole('button', { name: 'Add a passkey' }).isVisible()).toBe(false)
  await context.close()
})

test('approving needs the passkey that its owner demands, on a phone and without scripts', async () => {
  const demander = await makeOwner(site.ctx)
  const context = await running.browser.newContext(phone)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${address}/login?return_to=/account`)
  await page.getByLabel('Email').fill(demander.email)
  await page.getByLabel('Password').fill(demander.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Name of the passkey').fill('Phone')
  await page.getByLabel('Your password, to be sure').fill(demander.password)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('The passkey is added.').waitFor()

  await page.goto(`${address}/apps/letters`)
  await page.getByLabel('Passkey to approve').selectOption('above an amount')
  await page.getByLabel('Above this amount').fill('20')
  await shoot(page, 'passkey-demand-phone')
  await page.getByRole('region', { name: 'What asks you first' }).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. It applies to new calls.').waitFor()
  expect(await page.getByLabel('Above this amount').inputValue()).toBe('20')

  const id = await askFor(site.ctx, demander, { options: { price: 2_001 } })
  await page.goto(`${address}/confirm/${id}`)
  const approve = approveButton(page)
  await shoot(page, 'passkey-approve-phone')
  await readOn(page)
  // Whoever sits there is not its owner.
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await approve.click()
  await page.getByText('Nothing was done').waitFor()
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await page.getByLabel('Reason').fill('They agreed.')
  await readOn(page)
  await approve.click()
  await page.getByText('Approved by you').waitFor()
  expect(await statusOf(site.ctx, id)).toBe('running')

  const [rejected, plain] = [
    await askFor(site.ctx, demander, { subject: 'No', options: { price: 9_999 } }),
    await askFor(site.ctx, demander, { subject: 'Little', options: { price: 2_000 } }),
  ]
  await page.goto(`${address}/confirm/${rejected}`)
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Rejected by you').waitFor()
  await page.goto(`${address}/confirm/${plain}`)
  const usual = approveButton(page)
  await readOn(page)
  await usual.click()
  await page.getByText('Approved by you').waitFor()
  expect(problems).toEqual([])

  const third = await askFor(site.ctx, demander, { subject: 'Without scripts' })
  const without = await running.browser.newContext({
    ...desk,
    javaScriptEnabled: false,
    storageState: await context.storageState(),
  })
  const bare = await without.newPage()
  await bare.goto(`${address}/confirm/${third}`)
  await bare.getByText('It takes a browser that knows passkeys').waitFor()
  await approveButton(bare).click()
  await bare.getByText('needs one of your passkeys at this very decision').waitFor()
  expect(await statusOf(site.ctx, third)).toBe('awaiting_confirmation')
  await shoot(bare, 'passkey-approve-desk')
  await bare.goto(`${address}/waiting`)
  await bare.getByText('Approving it needs your passkey').waitFor()
  await shoot(bare, 'passkey-waiting-desk')
  await bare.goto(`${address}/apps/letters`)
  await shoot(bare, 'passkey-demand-desk')
  await Promise.all([without.close(), context.close()])
})

test('who gives up their password gets codes, and makes a new passkey with one', async () => {
  const person = await makeOwner(site.ctx)
  const context = await running.browser.newContext(phone)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const authenticator = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options: authenticator })
  await page.goto(`${address}/login?return_to=/account`)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Name of the passkey').fill('Phone')
  await page.getByLabel('Your password, to be sure').fill(person.password)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Take passkeys only…').click()
  await page.getByRole('button', { name: 'Switch the password off now' }).click()
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  await shoot(page, 'codes-phone')
  const [code = ''] = ((await page.locator('#text-once').textContent()) ?? '').split('\n')
  await page.getByRole('link', { name: 'I have kept them' }).click()
  await page.getByText('10 of 10 recovery codes are left.').waitFor()
  await shoot(page, 'passkeys-only-phone')

  // The device is lost.
  await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: authenticator })
  await signOut(page)
  await page.getByRole('link', { name: 'Lost your passkeys?' }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('textbox', { name: 'Recovery code' }).fill('abcde-fghjk-mnpqr-stuvw')
  await page.getByLabel('Name of the new passkey').fill('New phone')
  await page.getByRole('button', { name: 'Make a new passkey' }).click()
  await page.getByText('Email and code do not match').waitFor()
  await shoot(page, 'recover-phone')
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(code)
  await page.getByRole('button', { name: 'Make a new passkey' }).click()
  await page.getByText('The new passkey is added, and you are signed in.').waitFor()
  await page.getByText('9 of 10 recovery codes are left.').waitFor()

  await site.ctx.db.query(`UPDATE web_sessions SET created_at = now() - interval '1 hour' WHERE owner = $1`, [
    person.id,
  ])
  await page.goto(`${address}/account`)
  await page.getByRole('button', { name: 'Add a passkey…' }).click()
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor()
  expect(await page.locator('input[type=password]').count()).toBe(0)
  await shoot(page, 'again-only-phone')
  await page.setViewportSize(desk.viewport)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${address}/account`)
  await shoot(page, 'passkeys-only-desk')
  await context.close()
})
