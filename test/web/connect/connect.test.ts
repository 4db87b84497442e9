import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startStack } from '../../harness.ts'
import type { Stack } from '../../harness.ts'
import { shoot, startBrowser } from '../../support/chromium.ts'
import type { RunningBrowser } from '../../support/chromium.ts'
import { makeUser } from '../../support/user.ts'
import type { TestUser } from '../../support/user.ts'
import { openConnectPage, openPicture, signInInPicture } from './picture.ts'

vi.setConfig({ testTimeout: 150_000 })

let stack: Stack
let running: RunningBrowser
let user: TestUser
const lines: string[] = []
const logged = (): string => lines.join('')

beforeAll(async () => {
  stack = await startStack({ logTo: { write: (line: string) => void lines.push(line) } })
  running = await startBrowser()
})
beforeEach(async () => {
  user = await makeUser(stack, { accounts: [] })
})
afterAll(async () => {
  await running.close()
  await stack.stop()
})

const slug = 'property-advertising'

const connectPage = (viewport: { width: number; height: number }, query = ''): Promise<Page> =>
  openConnectPage(running.browser, { publicUrl: stack.publicUrl, user, viewport, query })

async function ownAccounts(): Promise<Record<string, unknown>[]> {
  const answer = await user.send('GET', '/connections')
  return answer.body['connections'] as Record<string, unknown>[]
}

const listings = () => user.call('list_listings', { limit: 1 })

describe('a person', () => {
  test.for([
    ['on a phone', { width: 390, height: 844 }],
    ['on a desk', { width: 1280, height: 900 }],
  ] as const)('signs in to the app themselves, %s, and the agent goes on', async ([name, viewport]) => {
    const account = await stack.sandbox.newAccount('agency')
    const refused = await listings()
    expect([refused.status, refused.body['error']]).toEqual([409, 'AUTH_REQUIRED'])
    expect(refused.body['connect_url']).toBe(`${stack.publicUrl}/connect/${slug}`)

    const page = await connectPage(viewport)
    await openPicture(page, 'Sign in to')
    const picture = await page.locator('.glass').boundingBox()
    expect(picture?.y).toBeGreaterThanOrEqual(0)
    expect((picture?.y ?? 0) + (picture?.height ?? 0)).toBeLessThanOrEqual(viewport.height)
    await shoot(page, `connect ${name}`)
    await signInInPicture(page, account.email, account.password)
    await page.getByText('Connected. The browser is gone').waitFor()
    await shoot(page, `connected ${name}`)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
    expect(await ownAccounts()).toMatchObject([{ app: slug, label: account.label, state: 'connected' }])
    expect((await listings()).status).toBe(200)
    await page.context().close()
    expect(logged()).not.toContain(account.password)
  })

  test('sees the app refuse a wrong password, and tries again', async () => {
    const account = await stack.sandbox.newAccount('agency')
    const page = await connectPage({ width: 800, height: 900 })
    await openPicture(page, 'Sign in to')
    await signInInPicture(page, account.email, 'not this one')
    await page.waitForTimeout(5000)
    expect(await ownAccounts()).toEqual([])
    // The address that was typed is still there: on to the password.
    await page.locator('.glass').click({ position: { x: 600, y: 500 } })
    for (let tab = 0; tab < 4; tab++) await page.keyboard.press('Tab')
    await page.keyboard.type(account.password)
    await page.keyboard.press('Enter')
    await page.getByText('Connected. The browser is gone').waitFor()
    await page.context().close()
  })

  test('signs in again to the same account, or adds another one', async () => {
    const [account, other] = [await stack.sandbox.newAccount('agency'), await stack.sandbox.newAccount('private')]
    user = await makeUser(stack, { accounts: [] })
    const { connect } = await import('../../../core/accounts/sessions.ts')
    const id = await connect(stack.ctx, {
      owner: user.id,
      app: slug,
      externalId: account.account,
      label: account.label,
      session: { cookies: [], user_agent: null },
    })
    const expired = await listings()
    expect([expired.status, expired.body['error']]).toEqual([409, 'AUTH_EXPIRED'])
    const query = new URL(String(expired.body['connect_url'])).search
    expect(query).toBe(`?account=${id}`)

    const page = await connectPage({ width: 800, height: 900 }, query)
    await openPicture(page, 'Sign in again')
    await signInInPicture(page, other.email, other.password)
    await page.getByText('another account than the one').waitFor()
    expect((await ownAccounts()).map(({ state }) => String(state)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'connected',
      'expired',
    ])

    await shoot(page, 'another account')
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.getByText('another account than the one').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe(query)
    await openPicture(page, 'Sign in again')
    await signInInPicture(page, account.email, account.password)
    await page.getByText('Connected. The browser is gone').waitFor()
    expect((await ownAccounts()).map(({ state }) => state)).toEqual(['connected', 'connected'])
    const again = await user.call('list_listings', { limit: 1 }, { 'X-Callgate-Account': id })
    expect(again.status).toBe(200)
    await page.context().close()
  })

  test('finishes a check of the app without signing in anew', async () => {
    user = await makeUser(stack)
    await stack.sandbox.fault('captcha')
    const asked = await listings()
    expect([asked.status, asked.body['error']]).toEqual([409, 'CAPTCHA_REQUIRED'])
    const page = await connectPage({ width: 800, height: 900 }, new URL(String(asked.body['connect_url'])).search)
    await openPicture(page, 'Sign in again')
    await page.waitForTimeout(500)
    await shoot(page, 'check')
    await stack.sandbox.clearFaults()
    await page.getByText('Connected. The browser is gone').waitFor()
    expect((await listings()).status).toBe(200)
    await page.context().close()
  })
})

describe('the picture', () => {
  /** A browser's side of it; what it is told, and how it ends. */
  async function opened(cookie: string, headers: Record<string, string> = {}, path = `/connect/${slug}/live`) {
    const socket = new WebSocket(`${stack.publicUrl.replace(/^http/, 'ws')}${path}`, {
      headers: { cookie, origin: stack.publicUrl, ...headers },
    })
    const told: unknown[] = []
    let frames = 0
    socket.on('message', (data, binary) => {
      if (binary) frames += 1
      else if (Buffer.isBuffer(data)) {
        const word = JSON.parse(data.toString()) as { type: string }
        // Where the page is, is told of each.
        if (word.type !== 'at') told.push(word)
      }
    })
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    const status = await new Promise<number>((resolve) => {
      socket.on('open', () => resolve(101))
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
      socket.on('error', () => resolve(0))
    })
    return { socket, told, status, closed, frames: () => frames }
  }

  /** Shows the app; after a moment in line, where a browser is still on its way out. */
  async function shown(cookie: string) {
    const one = await opened(cookie)
    await expect.poll(one.frames).toBeGreaterThan(0)
    return one
  }

  const isPlaceInLine = (said: unknown): boolean => (said as { type?: string }).type === 'line'
  const cookieOf = async (one: TestUser): Promise<string> => (await one.person()).cookieHeader

  test('is for the signed-in person alone, on a page of ours', async () => {
    const cookie = await cookieOf(user)
    const statuses = [
      (await opened('')).status,
      (await opened('callgate=' + 'x'.repeat(43))).status,
      (await opened(cookie, { origin: 'https://evil.example' })).status,
      (await opened(cookie, { origin: '' })).status,
      (await opened(cookie, {}, '/connect/nothing/live')).status,
      (await opened(cookie, {}, '/elsewhere')).status,
      (await opened('', { authorization: `Bearer ${user.key}` })).status,
    ]
    expect(statuses).toEqual([403, 403, 403, 403, 404, 404, 403])
  })

  test('is one for a person, three at once with a line before them, and what is no input is left out', async () => {
    const others = [user, ...(await Promise.all([1, 2, 3].map(() => makeUser(stack, { accounts: [] }))))]
    const [cookie = '', ...cookies] = await Promise.all(others.map(cookieOf))
    const first = await opened(cookie)
    const second = await opened(cookie)
    await first.closed
    expect(first.told).toEqual([{ type: 'end', reason: 'replaced' }])
    await expect.poll(second.frames).toBeGreaterThan(0)
    for (const rubbish of ['', '{', '[]', '{"type":"move"}', '{"type":"key","key":"F12"}', '{"type":"text","text":""}'])
      second.socket.send(rubbish)
    second.socket.send(Buffer.from('binary'))
    second.socket.send(JSON.stringify({ type: 'key', key: 'Tab' }))
    const [third, fourth] = [await shown(cookies[0] ?? ''), await shown(cookies[1] ?? '')]
    for (const one of [second, third, fourth]) expect(one.told.filter((said) => !isPlaceInLine(said))).toEqual([])

    const fifth = await opened(cookies[2] ?? '')
    await expect.poll(() => fifth.told).toEqual([{ type: 'line', place: 1 }])
    const gauge = 'callgate_sign_in_browsers'
    const metrics = async () => (await (await fetch(`${stack.adminUrl}/metrics`)).text()).split('\n')
    expect(await metrics()).toEqual(
      expect.arrayContaining([`${gauge}{state="open"} 3`, `${gauge}{state="waiting"} 1`]) as string[],
    )
    user = await makeUser(stack, { accounts: [] })
    const page = await connectPage({ width: 390, height: 800 })
    await page.getByRole('button', { name: 'Sign in to' }).click()
    await page.getByText('You are in line, with one person before you').waitFor()
    await shoot(page, 'in line')
    expect([fifth.frames(), fifth.told.length]).toEqual([0, 1])
    second.socket.close()
    await page.getByText('You are in line, with nobody before you').waitFor()
    await expect.poll(fifth.frames).toBeGreaterThan(0)
    // Who leaves the line takes no place.
    await page.context().close()
    await expect.poll(metrics).toContain(`${gauge}{state="waiting"} 0`)
    for (const one of [third, fourth, fifth]) one.socket.close()
  })
})
