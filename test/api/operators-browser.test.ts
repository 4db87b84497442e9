import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorToken } from '../../core/operators/credentials.ts'
import { setEndpointPaused } from '../../core/operators/pauses.ts'
import { noteChange } from '../../core/watch/changes.ts'
import { askForWatch } from '../../core/watch/watches.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { desk, expectTidy, openPage, phone, shoot, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { firstContact } from '../support/contacts.ts'

const app = 'property-advertising'
let stack: Stack
let running: RunningBrowser
let addresses: string[]

beforeAll(async () => {
  stack = await startStack()
  const user = await stack.user()
  const contact = await firstContact(user)
  const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'Hello' })
  await setEndpointPaused(stack.ctx, { app, endpoint: 'list_demands', paused: true }, 'operator:ann')
  await setEndpointPaused(stack.ctx, { app, endpoint: 'add_contact_note', paused: true }, 'operator:ann')
  const note = { contact_id: contact, note: 'Held' }
  const held = await user.call('add_contact_note', note, { Prefer: 'wait=0' })
  const read = await user.call('list_listings', { limit: 1 })
  await stack.sandbox.fault('block', { times: 4 })
  await user.call('list_contacts')
  const { listings } = read.body as { listings: { listing_id: string }[] }
  await stack.sandbox.fault('garbage')
  const unknown = await user.call('deactivate_listing', { listing_id: listings[0]?.listing_id })
  const place = '$.listings[*].a_field_with_quite_a_long_name_that_does_not_end.amount'
  const excerpt =
    '<main#listings.list.wide[data-…]>\n  <ul.rows.rows-of-listings-that-are-published>\n    <li.row[data-id]>'
  await noteChange(stack.ctx.db, {
    app,
    endpoint: 'list_listings',
    kind: 'gone',
    place,
    words: 'was a number',
    version: '0.13',
  })
  await noteChange(stack.ctx.db, {
    app,
    endpoint: 'list_demands',
    kind: 'rule',
    place: 'no #listings > .row',
    words: 'in a call',
    excerpt,
  })
  await askForWatch(
    stack.ctx,
    { app, endpoint: 'list_listings', account: user.account.id, input: { limit: 1 } },
    'operator:ann',
  )
  await stack.ctx.outcomes.flush(stack.ctx.db)
  await stack.ctx.db.query(`UPDATE chores SET done_at = clock_timestamp() - interval '30 hours' WHERE name = 'purge'`)
  await stack.ctx.db.query(
    `INSERT INTO app_controls (app, pacing_due_since) VALUES ('crm', clock_timestamp() - interval '2 minutes')
     ON CONFLICT (app) DO UPDATE SET pacing_due_since = excluded.pacing_due_since`,
  )
  const ids = [asked, held, unknown].map((answer) => String(answer.body['call_id']))
  addresses = ['/', `/apps/${app}`, '/calls', '/log', '/security', '/operators', ...ids.map((id) => `/calls/${id}`)]
  addresses.push(`/calls/${read.headers.get('x-request-id') ?? ''}`, '/nothing')
  running = await startBrowser()
})
afterAll(async () => {
  await running.close()
  await stack.stop()
})

async function open(where: BrowserContextOptions, address: string): Promise<{ page: Page; problems: string[] }> {
  const { page, problems } = await openPage(running.browser, where)
  await page.goto(`${stack.adminUrl}${address}`)
  return { page, problems }
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('ann')
  await page.getByLabel('Operator token').fill(operatorToken(stack.ctx.secrets))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('form.viewer').waitFor({ state: 'attached' })
}

test.for([
  ['phone', phone],
  ['desk', desk],
  ['desk-light', { viewport: desk.viewport }],
] as const)('every page for operators fits its screen, and names its fields: %s', async ([name, where]) => {
  const { page, problems } = await open(where, '/')
  await shoot(page, `${name}-login`)
  await signIn(page)
  for (const [index, address] of addresses.entries()) {
    const answer = await page.goto(`${stack.adminUrl}${address}`)
    expect(answer?.status(), address).toBe(address === '/nothing' ? 404 : 200)
    await shoot(page, `${name}-${index}`)
    await expectTidy(page, address, where.viewport.width)
  }
  // The page that is not there is told as an error by the browser itself.
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
})

test.for([
  ['with scripts', {}],
  ['without scripts', { javaScriptEnabled: false }],
] as const)('the keyboard alone pauses an endpoint, %s', async ([, options]) => {
  const { page, problems } = await open({ ...phone, ...options }, `/apps/${app}`)
  await signIn(page)
  await page.getByRole('button', { name: 'Pause get_listing', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The endpoint is paused').waitFor()
  await page.getByRole('button', { name: 'Resume get_listing', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The endpoint is resumed').waitFor()
  expect(problems).toEqual([])
})

test('a browser without a session is led to the page that it asked for', async () => {
  const { page } = await open(desk, '/calls?look=unresolved')
  await signIn(page)
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/calls?look=unresolved')
  await page.getByRole('link', { name: `${app}.deactivate_listing` }).click()
  await page.getByRole('button', { name: 'Yes, it happened' }).click()
  await page.getByText('Recorded. The status stays.').waitFor()
})
