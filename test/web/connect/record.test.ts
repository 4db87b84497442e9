import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Trace } from '../../../connectors/authoring/trace.ts'
import { startStack } from '../../harness.ts'
import type { Stack } from '../../harness.ts'
import { boardFiles, noticeBoard, planted } from '../../support/board.ts'
import type { Board } from '../../support/board.ts'
import { phone, shoot, startBrowser } from '../../support/chromium.ts'
import type { RunningBrowser } from '../../support/chromium.ts'
import { connectorCommand, shopPackage } from '../../support/corner-shop.ts'
import type { ShopPackage } from '../../support/corner-shop.ts'
import { askAsOperator } from '../../support/operator.ts'
import type { TestUser } from '../../support/user.ts'

let stack: Stack
let running: RunningBrowser
let board: Board
let source: ShopPackage
let user: TestUser
let page: Page
const lines: string[] = []

beforeAll(async () => {
  stack = await startStack({ logTo: { write: (line: string) => void lines.push(line) } })
  running = await startBrowser()
  board = await noticeBoard()
  source = await shopPackage(boardFiles(board.host))
  user = await stack.user({ accounts: [] })
  const added = await connectorCommand(stack, 'add', source.folder, '--yes')
  expect([added.code, added.said]).toEqual([0, ''])
  await vi.waitUntil(() => stack.ctx.apps.get('notice-board') !== undefined, { timeout: 120_000 })
  page = await (await running.browser.newContext(phone)).newPage()
})
afterAll(async () => {
  await running.close()
  await source[Symbol.asyncDispose]()
  await board[Symbol.asyncDispose]()
  await stack.stop()
})

const operator = (method: string, route: string, body?: object) =>
  askAsOperator(stack, method, `/connectors/notice-board/traces${route}`, body)
const begin = async (name: string) => (await operator('POST', '', { name })).body as { id: string; url: string }
const kept = async (name: string) => (await operator('GET', `?name=${name}`)).body as unknown as readonly Trace[]

async function signInToCallgate(url: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** A click into the upper or the lower half of the picture, which has a button or a link each. */
async function press(half: 'upper' | 'lower'): Promise<void> {
  const box = await page.locator('.glass').boundingBox()
  await page
    .locator('.glass')
    .click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) * (half === 'upper' ? 0.2 : 0.7) } })
}

/** Until the picture is another one. */
async function shows(change: () => Promise<void>): Promise<void> {
  const look = () => page.evaluate<string>(`document.querySelector('.glass canvas').toDataURL('image/jpeg', 0.5)`)
  const before = await look()
  await change()
  await vi.waitUntil(async () => (await look()) !== before, { timeout: 120_000, interval: 200 })
  await page.waitForTimeout(500)
}

async function record(url: string, title: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('button', { name: 'Open Notice board' }).click()
  await page.getByText('Recording what you do').waitFor()
  await page.waitForTimeout(1500)
  await shows(() => press('upper'))
  await shows(() => page.keyboard.type(title))
  await shows(() => press('lower'))
}

it('says nothing before somebody has connected an account, and is that person’s alone once opened', async () => {
  const { url } = await begin('add_note')
  await signInToCallgate(url)
  expect(await page.getByText('Connect your account of Notice board').count()).toBe(1)
  const stranger = await (await stack.user({ accounts: [] })).person()
  expect((await stranger.get(new URL(url).pathname)).status).toBe(404)
  expect((await operator('GET', '')).body).toMatchObject({ traces: [{ name: 'add_note', state: 'opened' }] })
  await page.getByRole('link', { name: 'Connect your account' }).click()
  await page.getByRole('button', { name: 'Sign in to' }).click()
  await page.getByText('Sign in here').waitFor()
  await press('upper')
  await page.getByText('Connected. The browser is gone').waitFor()
})

it('what was done is seen before it is kept, and then is there without any of its secrets', async () => {
  const { url } = await begin('add_note')
  await record(url, 'Ask me')
  await shows(() => press('upper'))
  await page.getByText('Not recorded: this page asks for a password').waitFor()
  await page.keyboard.type(planted.password)
  await page.keyboard.press('Tab')
  await shows(() => page.keyboard.type(planted.code))
  await shows(() => press('lower'))
  expect(board.passwords).toEqual([planted.password, planted.code])
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('heading', { name: 'What would be kept' }).waitFor()
  await shoot(page, 'recording review')
  expect(await page.getByText(/left out, and what they sent: [1-9]/).count()).toBe(1)
  await page.getByLabel(/question/).check()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.getByText(/Kept: \d+ requests/).waitFor()

  const [trace] = await kept('add_note')
  const asked = trace?.exchanges.map(
    ({ request, answer }) => `${request.method} ${new URL(request.url).pathname} ${answer.status}`,
  )
  expect(asked).toEqual(expect.arrayContaining(['GET / 200', 'GET /feed 200', 'GET /new 200', 'POST /notes 302']))
  expect(asked?.join('\n')).not.toMatch(/login|settings/)
  const post = trace?.exchanges.find(({ request }) => request.method === 'POST')?.request
  const form = Object.fromEntries(new URLSearchParams(post?.body ?? ''))
  expect(form).toEqual({ nonce: 'SECRET.nonce', kind: 'question', title: 'Ask me' })
  const source = trace?.exchanges.find(({ request }) => request.url.includes('/new'))?.answer.text ?? ''
  expect(source).toContain('name="nonce" value="SECRET.nonce"')
  const everywhere =
    JSON.stringify(trace) + lines.join('') + (await connectorCommand(stack, 'recordings', 'notice-board')).out
  for (const [where, value] of Object.entries(planted)) expect(everywhere, where).not.toContain(value)
  expect(everywhere).not.toMatch(/berta|bauer/i)
  const raw = await stack.ctx.db.query<{ trace: Buffer }>('SELECT trace FROM traces WHERE trace IS NOT NULL')
  expect(raw.rows.map(({ trace: sealed }) => sealed.includes('exchanges'))).toEqual([false])
})

it('what is thrown away, or closed before it was kept, is gone', async () => {
  const thrown = await begin('throw_away')
  await record(thrown.url, 'No')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Throw it away' }).click()
  await page.getByText('nothing of it was kept').waitFor()
  const closed = await begin('throw_away')
  await record(closed.url, 'Never')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('heading', { name: 'What would be kept' }).waitFor()
  await page.goto('about:blank')
  expect(await kept('throw_away')).toEqual([])
  const { traces } = (await operator('GET', '')).body as { traces: { id: string; state: string }[] }
  expect(traces.filter(({ id }) => id === thrown.id || id === closed.id).map(({ state }) => state)).toEqual([
    'opened',
    'thrown_away',
  ])
})

it('ends with its hour, with its account, and when its author forgets it', async () => {
  const { url, id } = await begin('add_note')
  await stack.ctx.db.query(`UPDATE traces SET expires_at = now() - interval '1 s' WHERE id = $1`, [id])
  expect((await page.goto(url))?.status()).toBe(404)
  const [{ id: first } = { id: '' }] = (
    (await operator('GET', '')).body as { traces: { id: string; state: string }[] }
  ).traces.filter(({ state }) => state === 'kept')
  expect((await connectorCommand(stack, 'recordings', 'notice-board', '--forget', 'nothing')).code).toBe(1)
  await stack.ctx.db.query(`UPDATE accounts SET state = 'disconnected', session = NULL WHERE owner = $1`, [user.id])
  expect(await kept('add_note')).toEqual([])
  expect((await connectorCommand(stack, 'recordings', 'notice-board', '--forget', first)).code).toBe(1)
  expect((await operator('POST', '', { name: 'Not a name' })).status).toBe(400)
})

it('a connector that cannot read who is signed in is told of, on the page and in the log', async () => {
  const source = boardFiles(board.host)['index.ts'] ?? ''
  const faulty = source.replace(
    /signIn: .*/,
    "signIn: { page: 'login', who: { page: 'me', account: (page) => page.one('b') } },",
  )
  const callgate = { connector: './index.ts', api: 1, hosts: [board.host] }
  await using other = await shopPackage({
    'package.json': JSON.stringify({ name: 'faulty-board', version: '1.0.0', type: 'module', callgate }),
    'index.ts': faulty,
  })
  expect((await connectorCommand(stack, 'add', other.folder, '--yes')).code).toBe(0)
  await vi.waitUntil(() => stack.ctx.apps.get('faulty-board') !== undefined, { timeout: 120_000 })
  await page.goto(`${stack.publicUrl}/connect/faulty-board`)
  await page.getByRole('button', { name: 'Sign in to' }).click()
  await page.getByText('Sign in here').waitFor()
  await press('upper')
  await page.getByText('Callgate could not read who you are').waitFor()
  const told = lines.filter((line) => line.includes('signIn.who.account'))
  expect(told).toHaveLength(1)
  expect(told[0]).toMatch(/"app":"faulty-board","problem":"the connector tripped: TypeError/)
})
