import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startStack } from '../../harness.ts'
import type { Stack } from '../../harness.ts'
import { expectAccessible } from '../../support/axe.ts'
import { desk, openPage, phone, shoot, startBrowser } from '../../support/chromium.ts'
import type { RunningBrowser } from '../../support/chromium.ts'

let stack: Stack
let running: RunningBrowser
const lines: string[] = []

beforeAll(async () => {
  stack = await startStack({ logTo: { write: (line: string) => void lines.push(line) } })
  running = await startBrowser()
})
afterAll(async () => {
  await running.close()
  await stack.stop()
})

/** Presses a key until what has the focus has that name. */
async function goTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  for (let step = 0; step < 60; step++) {
    const [now] = await page.evaluate<[string]>(
      `[document.activeElement.labels?.[0]?.textContent ?? document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent]`,
    )
    if (typeof name === 'string' ? now.trim() === name : name.test(now)) return
    await page.keyboard.press(key)
  }
  throw new Error(`no ${String(name)} by ${key}`)
}

test.for([
  ['on a sharp phone', { ...phone, deviceScaleFactor: 2 }],
  ['on a desk', desk],
] as const)('whoever sees nothing connects an app by keyboard and words alone, %s', async ([name, where]) => {
  const account = await stack.sandbox.newAccount('agency')
  const user = await stack.user({ accounts: [] })
  const { page, problems } = await openPage(running.browser, where)
  onTestFinished(() => page.context().close())
  /** What the page says to the gateway, and hears of the picture. */
  const sent: { type: string }[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => void sent.push(JSON.parse(String(payload)) as { type: string })),
  )
  await page.goto(`${stack.publicUrl}/connect/property-advertising`)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign in to' }).waitFor()
  await goTo(page, /^Sign in to/)
  await page.keyboard.press('Enter')
  await page.getByText('Sign in here').waitFor()
  const sharp = await page.evaluate<number>(
    `(({ width, clientWidth }) => width / clientWidth)(document.querySelector('.glass canvas'))`,
  )
  expect(sharp).toBeCloseTo('deviceScaleFactor' in where ? 2 : 1, 1)
  await expect.poll(() => page.locator('.where').innerText()).toMatch(/Not encrypted\s+localhost:\d+/)

  await page.keyboard.press('Escape')
  await goTo(page, 'In words', 'Shift+Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('in-words')
  await page.locator('.pieces input').first().waitFor()
  await expect.poll(() => page.locator('[data-news]').textContent()).toMatch(/2 fields/)
  await shoot(page, `in words ${name}`)
  await expectAccessible(page, name)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(where.viewport.width)

  await goTo(page, /^E-mail/)
  await page.keyboard.type(account.email)
  await goTo(page, /^Password/)
  await page.keyboard.type('not this one')
  await page.keyboard.press('Enter')
  // The app's refusal is heard.
  await expect.poll(() => page.locator('[data-news]').textContent()).toMatch(/wrong|not|invalid/i)
  await shoot(page, `in words refused ${name}`)
  await page.locator('.pieces input[type=password]').waitFor()
  await goTo(page, /^E-mail/)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(account.email)
  await goTo(page, /^Password/)
  await page.keyboard.type(account.password)
  await goTo(page, /^(Sign|Log) in$/i)
  expect(await page.locator('.pieces input[type=password]').inputValue()).toBe('')
  await page.keyboard.press('Enter')
  await page.getByText('Connected. The browser is gone').waitFor()
  await expectAccessible(page, `connected ${name}`)
  expect([...new Set(sent.map(({ type }) => type))].toSorted((a, b) => a.localeCompare(b))).toEqual([
    'fill',
    'key',
    'listen',
    'press',
  ])
  const { body } = await user.send('GET', '/connections')
  expect(body['connections']).toMatchObject([{ label: account.label, state: 'connected' }])
  expect(lines.join('')).not.toContain(account.password)
  expect(problems).toEqual([])
})

test('a password goes in by the field beside the picture, at what was chosen in a larger picture, and stays nowhere', async () => {
  const account = await stack.sandbox.newAccount('agency')
  const user = await stack.user({ accounts: [] })
  const { page } = await openPage(running.browser, desk)
  onTestFinished(() => page.context().close())
  await page.goto(`${stack.publicUrl}/connect/property-advertising`)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign in to' }).click()
  await page.getByText('Sign in here').waitFor()
  await page.locator('.where strong').waitFor()
  const glass = page.locator('.glass')
  // Where it stands may change: a button that is pressed is scrolled to.
  const sizeOf = async () => {
    const { width, height } = (await glass.boundingBox()) ?? { width: 0, height: 0 }
    return { width, height }
  }
  const before = await sizeOf()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  expect(await page.locator('[data-zoomed]').textContent()).toBe('225 %')
  expect(await sizeOf()).toEqual(before)
  await glass.evaluate((one) => one.scrollTo(0, 0))
  // The field for the address is at 178, 170 of the page.
  await glass.click({ position: { x: 178 * 2.25, y: 170 * 2.25 } })
  const paste = page.getByLabel('Paste a password or a code here')
  await paste.fill(account.email)
  await page.getByRole('button', { name: 'Put it in' }).click()
  await glass.locator('textarea').focus()
  await page.keyboard.press('Tab')
  await paste.fill(account.password)
  await shoot(page, 'zoomed')
  await paste.press('Enter')
  expect(await paste.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await page.getByRole('button', { name: 'Zoom out' }).click()
  expect(await page.locator('[data-zoomed]').textContent()).toBe('100 %')
  await glass.locator('textarea').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Connected. The browser is gone').waitFor()
  expect(lines.join('')).not.toContain(account.password)
})
