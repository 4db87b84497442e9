import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { connect, openStoredSession } from '../../../core/accounts/sessions.ts'
import { ask } from '../../api/http/gateway.ts'
import { startStack } from '../../harness.ts'
import type { RunningApi, Stack } from '../../harness.ts'
import { desk, openPage, phone, shoot, startBrowser } from '../../support/chromium.ts'
import type { RunningBrowser } from '../../support/chromium.ts'
import { forumConnector, startForum } from '../../support/forum.ts'
import type { Forum } from '../../support/forum.ts'
import type { TestUser } from '../../support/user.ts'

vi.setConfig({ testTimeout: 100_000 })

let here: Forum
let there: Forum
let stack: Stack
let api: RunningApi
let running: RunningBrowser
let user: TestUser
const lines: string[] = []

beforeAll(async () => {
  ;[here, there] = [await startForum(), await startForum()]
  const settings = { APP_ALLOW: '127.0.0.0/8', APP_HTTP_HOSTS: `${here.host},${there.host}` }
  stack = await startStack({ worker: false, settings, logTo: { write: (line) => void lines.push(line) } })
  const connectors = { forum: { spec: forumConnector } }
  api = await stack.apiWith(connectors)
  await stack.startWorker(connectors)
  running = await startBrowser()
  user = await stack.user({ accounts: [] })
})
afterAll(async () => {
  await running.close()
  await stack.stop()
  here.close()
  there.close()
})

async function connectPage(where: typeof phone | typeof desk, who = user): Promise<Page> {
  const { page } = await openPage(running.browser, where)
  onTestFinished(() => page.context().close())
  await page.goto(`${api.url}/connect/forum`)
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Address of your forum').waitFor()
  return page
}

async function open(page: Page, address: string): Promise<void> {
  await page.getByLabel('Address of your forum').fill(address)
  await page.getByLabel('Address of your forum').press('Enter')
}

const run = (path: string, json: object, account?: string, key = user.key) =>
  ask(`${api.url}/api/v1/forum/${path}`, { key, json, ...(account && { headers: { 'X-Callgate-Account': account } }) })

async function accountAt(forum: Forum): Promise<string> {
  const { rows } = await stack.ctx.db.query<{ id: string }>(
    'SELECT id FROM accounts WHERE owner = $1 AND origin = $2',
    [user.id, forum.origin],
  )
  return rows[0]!.id
}

test('says what is wrong with an address, before anything is opened', async () => {
  const page = await connectPage(desk)
  for (const [address, problem] of [
    ['', 'Type the address first.'],
    ['http://example.com/forum', 'must begin with https://'],
    ['not an address', 'This is not such an address'],
    ['https://10.0.0.7/forum', '10.0.0.7 is inside a private network'],
    ['https://no-such-host.invalid/', 'no-such-host.invalid cannot be found'],
  ] as const) {
    await open(page, address)
    await page.getByText(problem).waitFor()
    expect(await page.getByLabel('Address of your forum').getAttribute('aria-invalid')).toBe('true')
  }
  await shoot(page, 'address refused on a desk')
})

test.for([
  ['on a phone', phone, () => here],
  ['on a desk', desk, () => there],
] as const)('a person types where their forum is, %s, and signs in there', async ([name, where, forumOf]) => {
  const forum = forumOf()
  const page = await connectPage(where)
  await shoot(page, `address ${name}`)
  // Pasted from the sign-in page, without the scheme.
  await open(page, `${forum.host}/forum/sign-in?next=/`)
  await page.getByText('Sign in here').waitFor()
  await page.locator('.where').getByText(new URL(forum.origin).host).waitFor()
  await shoot(page, `address open ${name}`)
  await page.locator('.glass').click({ position: { x: 150, y: 150 } })
  await page.getByText('Connected. The browser is gone').waitFor()
  expect(await page.locator('.accounts').innerText()).toContain(forum.origin)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(where.viewport.width)
  await shoot(page, `address connected ${name}`)
  const stored = await openStoredSession(stack.ctx, user.id, await accountAt(forum))
  expect(Object.keys(stored?.tokens ?? {})).toEqual(['access', 'refresh'])
  expect(stored?.cookies).toMatchObject([{ name: 'sid', path: '/forum' }])
})

test('the same admin of two forums is two accounts, and each call goes to its own', async () => {
  here.notes.push('of here')
  there.notes.push('of there')
  const several = await run('list_notes', {})
  expect([several.status, several.body['error']]).toEqual([409, 'account_required'])
  const all = [here, there]
  const told = await Promise.all(all.map(async (forum) => ({ account: await accountAt(forum), origin: forum.origin })))
  expect(several.body['accounts']).toEqual(expect.arrayContaining(told.map((one) => ({ ...one, label: 'The admin' }))))
  const { body: list } = await ask(`${api.url}/api/v1/connections`, { key: user.key })
  expect(list['connections']).toEqual(expect.arrayContaining(told.map((one) => expect.objectContaining(one) as object)))
  for (const [forum, note] of [
    [here, 'of here'],
    [there, 'of there'],
  ] as const) {
    const { status, body } = await run('list_notes', {}, await accountAt(forum))
    expect([status, body]).toEqual([200, { notes: [{ note }] }])
  }
})

test("nobody reaches another's forum", async () => {
  const other = await stack.user({ accounts: [] })
  const before = [...here.asked]
  const { status, body } = await run('list_notes', {}, await accountAt(here), other.key)
  expect([status, body['error']]).toEqual([404, 'unknown_account'])
  expect((await run('list_notes', {}, undefined, other.key)).body['error']).toBe('AUTH_REQUIRED')
  expect(here.asked).toEqual(before)
})

test('what is approved names the address, never a token, and goes there', async () => {
  const { body } = await run('add_note', { note: 'approved' }, await accountAt(there))
  const id = body['call_id'] as string
  const person = (await user.person()).at(api.url)
  const page = await (await person.get(`/confirm/${id}`)).text()
  expect(page).toContain(there.origin)
  expect(page).not.toMatch(/access-\d|refresh-\d/)
  await person.decide(id, 'approve')
  await expect.poll(() => there.notes).toContain('approved')
  expect(here.notes).not.toContain('approved')
})

test('a session that the database says belongs elsewhere is not opened there', async () => {
  const account = await accountAt(here)
  await stack.ctx.db.query('UPDATE accounts SET origin = $2 WHERE id = $1', [account, there.origin])
  const before = there.asked.length
  const { status, body } = await run('list_notes', {}, account)
  expect([status, body['error']]).toEqual([409, 'AUTH_EXPIRED'])
  expect(there.asked).toHaveLength(before)
  await stack.ctx.db.query(`UPDATE accounts SET origin = $2, state = 'connected', reason = NULL WHERE id = $1`, [
    account,
    here.origin,
  ])
})

test('tokens that are over are renewed once, however many calls see it', async () => {
  const account = await accountAt(here)
  here.expire()
  const answers = await Promise.all(Array.from({ length: 4 }, () => run('list_notes', {}, account)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(here.renewals).toEqual({ good: 1, bad: 0 })
})

test('before a write is sent, so that it is sent once', async () => {
  const account = await accountAt(here)
  here.expire()
  const answers = await Promise.all(['one', 'two'].map((note) => run('jot', { note }, account)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(here.renewals).toEqual({ good: 2, bad: 0 })
  expect(here.notes.filter((note) => note === 'one' || note === 'two')).toHaveLength(2)
})

test('a renewal that nobody knows the end of is not tried again: the person signs in', async () => {
  const account = await accountAt(here)
  here.expire()
  await stack.ctx.db.query(
    `UPDATE accounts SET renewal_begun = clock_timestamp() - interval '1 minute' WHERE id = $1`,
    [account],
  )
  const { status, body } = await run('list_notes', {}, account)
  expect([status, body['error']]).toEqual([409, 'AUTH_EXPIRED'])
  expect(here.renewals).toEqual({ good: 2, bad: 0 })
  const session = (await openStoredSession(stack.ctx, user.id, account))!
  const renewed = {
    owner: user.id,
    app: 'forum',
    origin: here.origin,
    externalId: 'admin',
    label: 'The admin',
    session,
  }
  expect(await connect(stack.ctx, renewed)).toBe(account)
  expect((await run('list_notes', {}, account)).status).toBe(200)
  expect(here.renewals).toEqual({ good: 3, bad: 0 })
})

test('no token is in any log', () => {
  expect(lines.join('')).not.toMatch(/access-\d|refresh-\d/)
})
