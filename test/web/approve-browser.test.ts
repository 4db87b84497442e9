import { createServer } from 'node:http'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveButton, desk, openPage, phone, readOn, shoot, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { listen } from '../support/listen.ts'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
import type { Owner, TestSite } from './site.ts'

let site: TestSite
let owner: Owner
let running: RunningBrowser
let session: BrowserContextOptions

beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx)
  running = await startBrowser()
  const { page } = await openPage(running.browser, {})
  await page.goto(`${site.url}/login`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  session = { storageState: await page.context().storageState() }
  await page.context().close()
})
afterAll(async () => {
  await running.close()
  await site.stop()
})

const small = { viewport: { width: 800, height: 640 } }
const large = { viewport: { width: 195, height: 422 } }
const line = 'Dear members, the party is on Saturday, at the old boat house behind the mill.\n'
const tooSoon = 'Hold on: please review first.'

async function visit(
  where: BrowserContextOptions,
  address: string,
  prepare?: (context: BrowserContext) => Promise<void>,
): Promise<{ page: Page; problems: string[] }> {
  const { page, problems } = await openPage(running.browser, { ...session, ...where })
  await prepare?.(page.context())
  await page.goto(`${site.url}${address}`)
  return { page, problems }
}

/** Its pages' time stands until it is told to go: what belongs into their first second is within it, on a busy machine, too. */
async function stopClock({ clock }: BrowserContext): Promise<void> {
  await clock.install()
  await clock.pauseAt(Date.now() + 1_000)
}

const hintOn = (page: Page) => page.locator('#what-is-left').textContent()
const isArmed = async (page: Page) => (await approveButton(page).getAttribute('aria-disabled')) === 'false'
const armed = (page: Page) => expect.poll(() => isArmed(page)).toBe(true)

/** Presses the button where it is, ready or not, as a hand does. */
async function press(page: Page): Promise<void> {
  const { x, y } = (await approveButton(page).boundingBox())!
  await page.mouse.click(x + 20, y + 10)
}

test('a short call is approved a second after it is in front, not before, and a double click is one decision', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Short' })
  const { page, problems } = await visit(phone, `/confirm/${id}`, stopClock)
  // A hand that goes on pressing does not get through, however long.
  for (let n = 0; n < 5; n++) {
    await press(page)
    await page.clock.runFor(300)
  }
  expect(await hintOn(page)).toBe(tooSoon)
  await page.clock.runFor(600)
  expect(await isArmed(page)).toBe(false)
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
  await page.clock.resume()
  await armed(page)
  expect(await hintOn(page), 'gone once the button is ready').not.toContain('Hold on')
  await approveButton(page).dblclick()
  await page.getByText('Approved by you').waitFor()
  expect(await statusOf(site.ctx, id)).toBe('running')
  expect(problems).toEqual([])
})

test('a press that began before all was read approves nothing, though all has been seen when it ends', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Read on', body: line.repeat(20) })
  const { page } = await visit(small, `/confirm/${id}`)
  await expect.poll(() => hintOn(page)).toBe('Read all of it first: there is more below.')
  // So long that a press would count, were all of it read.
  await page.waitForTimeout(1_500)
  const { x, y } = (await approveButton(page).boundingBox())!
  await page.mouse.move(x + 20, y + 10)
  await page.mouse.down()
  while (!(await isArmed(page))) {
    await page.mouse.wheel(0, 200)
    await page.waitForTimeout(150)
  }
  await page.mouse.up()
  await expect.poll(() => hintOn(page)).toBe(tooSoon)
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
  await armed(page)
  await press(page)
  await page.getByText('Approved by you').waitFor()
})

/** Of another site: a press in its small window sends the page behind it to the call, and closes the window. */
async function playGame(context: BrowserContext, target: string): Promise<Page> {
  const small = `<body style="height:100vh">Double click<script>onmousedown = () => { opener.location = '${target}'; close() }</script>`
  const game = `<button onclick="open('/small', 'small', 'width=300,height=300')">Play</button>`
  const elsewhere = createServer((asked, answer) => {
    answer.setHeader('content-type', 'text/html').end(asked.url === '/small' ? small : game)
  })
  const port = await listen(elsewhere)
  try {
    const page = await context.newPage()
    await page.goto(`http://localhost:${port}/`)
    const [window] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button').click()])
    await window.waitForLoadState()
    await window.mouse.move(100, 100)
    // Its answer does not come when the window is gone first.
    window.mouse.down().catch(() => undefined)
    await page.waitForURL(target, { waitUntil: 'commit' })
    return page
  } finally {
    elsewhere.closeAllConnections()
    elsewhere.close()
  }
}

test.for([
  ['approves nothing', 'awaiting_confirmation'],
  ['would approve if the script did not load: without it the buttons are as they were', 'running'],
] as const)('the second half of a double click that began on another site %s', async ([, status]) => {
  const id = await askFor(site.ctx, owner, { subject: `Stolen click ${status}` })
  const context = await running.browser.newContext({ ...session, ...desk })
  if (status === 'running') await context.route('**/assets/approve.js*', (route) => route.abort())
  await stopClock(context)
  const page = await playGame(context, `${site.url}/confirm/${id}`)
  await press(page)
  // The button gets ready once the clock goes on, and then the hint is another one.
  if (status !== 'running') await expect.poll(() => hintOn(page)).toBe(tooSoon)
  await page.clock.resume()
  if (status === 'running') await page.getByText('Approved by you').waitFor()
  expect(await statusOf(site.ctx, id)).toBe(status)
  await context.close()
})

test.for([
  ['small', small],
  ['phone', { ...phone, reducedMotion: 'reduce' }],
  ['large-letters', large],
] as const)(
  'what is out of sight has to be seen, piece by piece, and the button leads to it (%s)',
  async ([name, where]) => {
    const id = await askFor(site.ctx, owner, { subject: `Long ${name}`, body: line.repeat(where === large ? 8 : 40) })
    const { page, problems } = await visit(where, `/confirm/${id}`)
    await expect.poll(() => hintOn(page)).toBe('Read all of it first: there is more below.')
    await shoot(page, `approve-${name}-unarmed`)
    // The end alone is not all.
    await page.keyboard.press('End')
    await expect.poll(() => hintOn(page)).toBe('Read all of it first: there is more above.')
    await page.waitForTimeout(1_100)
    const places = await readOn(page)
    expect(new Set(places).size).toBe(places.length)
    expect(places.length).toBeGreaterThan(1)
    expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(where.viewport.width)
    await approveButton(page).click()
    await page.getByText('Approved by you').waitFor()
    expect(problems).toEqual([])
  },
)

test('a list that scrolls in a box of its own is read to its end', async () => {
  const recipients = Array.from({ length: 40 }, (_, n) => `m_${n}`)
  const id = await askFor(site.ctx, owner, { subject: 'Many', recipients })
  const { page } = await visit(desk, `/confirm/${id}`)
  await expect.poll(() => hintOn(page)).toContain('there is more in the list.')
  await page.getByRole('region', { name: 'All 40' }).hover()
  for (let n = 0; n < 20; n++) {
    await page.mouse.wheel(0, 60)
    await page.waitForTimeout(100)
  }
  await expect.poll(() => hintOn(page)).not.toContain('in the list')
  await readOn(page)
  await approveButton(page).click()
  await page.getByText('Approved by you').waitFor()
  expect(await statusOf(site.ctx, id)).toBe('running')
})

test('the keyboard alone reads and approves; a key that was down before the page came does nothing', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Keys', body: line.repeat(25) })
  const { page } = await visit(small, `/confirm/${id}`)
  await expect.poll(() => hintOn(page)).toContain('there is more below')
  await approveButton(page).focus()
  await page.keyboard.press('Enter')
  expect(await hintOn(page)).toBe('Hold on. Read all of it first: there is more below.')
  // It leads to the first text that was not in sight, from where the keys go on.
  expect(await page.evaluate('document.activeElement.matches("[data-read] *")')).toBe(true)
  for (let n = 0; n < 15 && (await hintOn(page))?.includes('there is more'); n++) {
    await page.keyboard.press((await hintOn(page))?.includes('above') ? 'PageUp' : 'PageDown')
    await page.waitForTimeout(500)
  }
  await armed(page)
  await approveButton(page).focus()
  await page.keyboard.down('Shift')
  await page.keyboard.up('Shift')
  const cdp = await page.context().newCDPSession(page)
  const held = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r', autoRepeat: true } as const
  await cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', ...held })
  await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...held })
  expect(await hintOn(page)).toContain('the press did not begin on the button')
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
  await armed(page)
  await page.keyboard.press('Space')
  await page.getByText('Approved by you').waitFor()
})

test('a click that assistive technology makes counts like any other, and is told what is missing', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'By ear', body: line.repeat(25) })
  const { page } = await visit(phone, `/confirm/${id}`)
  const approve = approveButton(page)
  // In reach and named, not taken away.
  expect(await approve.isVisible()).toBe(true)
  expect(await page.evaluate('document.querySelector("[value=approve]").disabled')).toBe(false)
  expect(await approve.getAttribute('aria-describedby')).toBe('what-is-left')
  const status = page.getByRole('status').filter({ hasText: 'there is more' })
  expect(await status.getAttribute('id')).toBe('what-is-left')
  while ((await hintOn(page))?.includes('there is more')) {
    await approve.evaluate((button: HTMLElement) => button.click())
    await page.waitForTimeout(300)
  }
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
  await armed(page)
  // A modifier that a screen reader keeps down is no press.
  await page.keyboard.down('Control')
  await approve.evaluate((button: HTMLElement) => button.click())
  await page.getByText('Approved by you').waitFor()
})

test('a press that began elsewhere, or before the button was ready, does nothing', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Elsewhere' })
  const { page } = await visit(desk, `/confirm/${id}`, stopClock)
  const { x, y } = (await approveButton(page).boundingBox())!
  await page.mouse.move(x + 20, y + 10)
  await page.mouse.down()
  await page.clock.resume()
  await armed(page)
  await page.mouse.up()
  expect(await hintOn(page)).toBe(tooSoon)
  await armed(page)
  for (const button of ['approve', 'reject']) {
    await page.getByRole('heading', { name: 'What will be sent' }).hover()
    await page.mouse.down()
    const there = (await page.locator(`[value=${button}]`).boundingBox())!
    await page.mouse.move(there.x + 20, there.y + 10)
    await page.mouse.up()
  }
  await page.waitForTimeout(300)
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
})

/** Each happens while the button is ready; a click in the same moment does nothing any more. A headless browser's pages are all in front. */
const breaks: Readonly<Record<string, string>> = {
  'another window comes to the front and goes': `dispatchEvent(new Event('blur')); dispatchEvent(new Event('focus'))`,
  'the page is not in front': `document.hasFocus = () => false; setTimeout(() => delete document.hasFocus, 50)`,
  'the tab is shown again': `document.dispatchEvent(new Event('visibilitychange'))`,
  'another call takes its place': `document.querySelector('#decide [name=approval_hash]').setAttribute('value', 'k1.another')`,
  'a text changes': `[...document.querySelectorAll('.value bdi')].find((one) => one.textContent === 'Come all!').textContent = 'Pay all!'`,
  'a text is added': `document.querySelector('[data-read] dl').insertAdjacentHTML('beforeend', '<div class="field"><dt>Late</dt></div>')`,
}

test('whatever comes between the reading and the press, the button has to be ready anew', async () => {
  for (const [what, happens] of Object.entries(breaks)) {
    const id = await askFor(site.ctx, owner, { subject: what })
    const { page } = await visit(desk, `/confirm/${id}`)
    await armed(page)
    // What observes the page hears of a change before any next press.
    const hint = await page.evaluate<string>(
      `${happens}; Promise.resolve().then(() => document.querySelector('[value=approve]').click())
        .then(() => document.querySelector('#what-is-left').textContent)`,
    )
    expect(hint, what).toMatch(/^Hold on/)
    expect(page.url(), what).toBe(`${site.url}/confirm/${id}`)
    expect(await statusOf(site.ctx, id), what).toBe('awaiting_confirmation')
    await page.context().close()
  }
})

test('what is typed into a change cannot be taken for what Approve sends, and a reason goes with the decision', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Correct me' })
  const { page } = await visit({ ...phone, javaScriptEnabled: false }, `/confirm/${id}`)
  await page.getByText('Change it first').click()
  expect(await approveButton(page).isVisible()).toBe(false)
  await page.getByLabel('Subject').fill('Corrected')
  await page.getByRole('button', { name: 'Save the change' }).first().click()
  await page.getByText('You changed what the agent asked for').waitFor()
  expect(await approveButton(page).isVisible()).toBe(true)
  await page.getByLabel('Reason').fill('Not today')
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Not today').waitFor()
  expect(await statusOf(site.ctx, id)).toBe('rejected')
})

test.for([
  ['with scripts', phone],
  ['with scripts on a small screen', small],
  ['without scripts', { ...phone, javaScriptEnabled: false }],
] as const)('of a list only what was unfolded and read is decided, %s', async ([name, where]) => {
  await site.ctx.db.query(`UPDATE calls SET status = 'rejected' WHERE status = 'awaiting_confirmation'`)
  const body = line.repeat(20)
  const left = await askFor(site.ctx, owner, { subject: `Left alone ${name}`, body })
  const first = await askFor(site.ctx, owner, { subject: `First ${name}`, body })
  const second = await askFor(site.ctx, owner, { subject: `Second ${name}` })
  const { page, problems } = await visit(where, '/waiting')
  await shoot(page, `waiting-${name.replaceAll(' ', '-')}`)
  for (const box of await page.getByRole('checkbox', { includeHidden: true }).all())
    expect(await box.isVisible()).toBe(false)

  const row = (subject: string) => page.locator('summary', { hasText: `${subject} ${name}` })
  for (const subject of ['Second', 'First']) {
    await row(subject).click()
    await page.getByRole('checkbox', { name: `${subject} ${name}` }).check()
  }
  if (!('javaScriptEnabled' in where)) {
    // It was jumped over, folded again, and is still not read.
    await row('First').click()
    await expect.poll(() => hintOn(page)).toContain('there is more')
    await page.waitForTimeout(1_100)
    await approveButton(page).click({ force: true })
    expect(await statusOf(site.ctx, second)).toBe('awaiting_confirmation')
    await shoot(page, `waiting-${name.replaceAll(' ', '-')}-refused`)
    await readOn(page)
    expect(await page.locator('details[open]', { hasText: `First ${name}` }).count()).toBe(1)
    await expect.poll(() => hintOn(page)).toBe('2 of 3 ticked.')
  }
  await approveButton(page).click()
  await page.getByText('2 calls decided.').waitFor()
  expect(await statusOf(site.ctx, first)).toBe('running')
  expect(await statusOf(site.ctx, second)).toBe('running')
  expect(await statusOf(site.ctx, left)).toBe('awaiting_confirmation')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(where.viewport.width)

  if ('javaScriptEnabled' in where) {
    await approveButton(page).click()
    await page.getByText('Nothing was decided. Tick at least one call').waitFor()
  } else {
    expect(await hintOn(page)).toBe('0 of 1 ticked.')
    for (const button of ['Approve and send', 'Reject']) {
      await page.getByRole('button', { name: button, exact: true }).click({ force: true })
      expect(await hintOn(page)).toBe('Nothing was decided: unfold a call, read it and tick it first.')
    }
  }
  expect(problems.filter((text) => !text.includes('status of 422'))).toEqual([])
})
