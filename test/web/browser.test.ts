import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askForWatch } from '../../core/watch/watches.ts'
import { approveButton, desk, expectTidy, openPage, phone, readOn, shoot, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { lengths } from './lengths.ts'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
import type { Owner, TestSite } from './site.ts'

let site: TestSite
let owner: Owner
let running: RunningBrowser

beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx)
  running = await startBrowser()
})
afterAll(async () => {
  await running.close()
  await site.stop()
})

async function visit(where: BrowserContextOptions, address: string): Promise<{ page: Page; problems: string[] }> {
  const { page, problems } = await openPage(running.browser, { timezoneId: 'Asia/Tokyo', ...where })
  await page.goto(`${site.url}${address}`)
  return { page, problems }
}

async function signIn(page: Page, { email, password } = owner): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'What will be sent' }).waitFor()
}

test.for([
  ['on a phone', phone],
  ['on a desk', desk],
  ['on a phone without scripts', { ...phone, javaScriptEnabled: false }],
] as const)('a person signs in, reads and approves a call %s', async ([name, where]) => {
  const body = 'A longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong word.\n'.repeat(40)
  const id = await askFor(site.ctx, owner, { subject: name, body })
  const { page, problems } = await visit(where, `/confirm/${id}`)
  await signIn(page)

  const approve = approveButton(page)
  const box = await approve.boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(44)
  expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual(where.viewport.height)
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width).toBe(where.viewport.width)
  const asked = await page.locator('time').first().textContent()
  expect(asked).toMatch('javaScriptEnabled' in where ? /UTC$/ : /GMT\+9$/)

  await readOn(page)
  await approve.click()
  await page.getByText('Approved by you').waitFor()
  expect(await statusOf(site.ctx, id)).toBe('running')
  expect(problems).toEqual([])
})

test('each line of a text runs in its own direction', async () => {
  const body = 'שלום, הדירה פנויה.\nSee you!\nمرحبا!'
  const id = await askFor(site.ctx, owner, { subject: 'Directions', body })
  const { page } = await visit(phone, `/confirm/${id}`)
  await signIn(page)
  const text = page.locator('.value bdi', { hasText: 'See you' })
  /** Where the first and the last character of a line stand, in px from the left. */
  const ends = (line: string) =>
    text.evaluate(
      ({ firstChild }, [first, last]) =>
        [first, last].map((at = 0) => {
          const range = document.createRange()
          range.setStart(firstChild!, at)
          range.setEnd(firstChild!, at + 1)
          return range.getBoundingClientRect().left
        }),
      [body.indexOf(line), body.indexOf(line) + line.length - 1],
    )
  const [s = 0, mark = 0] = await ends('See you!')
  expect(s).toBeLessThan(mark)
  const [first = 0, last = 0] = await ends('مرحبا!')
  expect(first).toBeGreaterThan(last)
})

test('a page of a running call shows the end by itself', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Looks again' })
  const { page } = await visit(phone, `/confirm/${id}`)
  await signIn(page)
  await readOn(page)
  await approveButton(page).click()
  await page.getByText('Approved by you').waitFor()
  await site.ctx.db.query(`UPDATE calls SET status = 'unknown' WHERE id = $1`, [id])
  await page.getByText('It may or may not have happened').waitFor()
})

test('what is piled up on letters stays within its word, and covers nothing', async () => {
  const piled = `Zalgo${'\u0301'.repeat(60)} \u0440\u0430\u0443pal.com s\u0336e\u0336n\u0336d https://google.com\u2044evil.example/`
  const id = await askFor(site.ctx, owner, { subject: piled })
  const { page, problems } = await visit(phone, `/confirm/${id}`)
  await signIn(page)
  const marks = page.locator('main mark')
  expect(await marks.count()).toBeGreaterThanOrEqual(3)
  await shoot(page, 'piled')
  await marks.first().scrollIntoViewIfNeeded()
  const box = (await marks.first().boundingBox())!
  /** The pixels above and below the first mark. */
  const around = async () => {
    const at = async (y: number) =>
      (await page.screenshot({ clip: { x: box.x, y, width: box.width, height: 6 }, animations: 'disabled' })).toString(
        'base64',
      )
    return [await at(box.y - 7), await at(box.y + box.height + 3)]
  }
  const withPile = await around()
  await marks.first().evaluate((mark) => {
    mark.textContent = mark.textContent?.replaceAll(/\p{M}/gu, '') ?? ''
  })
  expect(await around()).toEqual(withPile)
  expect(problems).toEqual([])
})

test('keyboard alone is enough: skip link first, then Tab to the buttons', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Keyboard' })
  const { page } = await visit(desk, `/confirm/${id}`)
  await signIn(page)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
  await page.getByRole('button', { name: 'Reject' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Rejected by you').waitFor()
  expect(await statusOf(site.ctx, id)).toBe('rejected')
})

test.for([
  ['on a phone', phone],
  ['on a desk', desk],
  ['on a phone with letters of twice the size', { viewport: { width: 195, height: 422 } }],
] as const)('every page of the dashboard fits its screen, and names its fields, %s', async ([name, where]) => {
  const ids = [
    await askFor(site.ctx, owner, { subject: `${name} a` }),
    await askFor(site.ctx, owner, { subject: `${name} b` }),
  ]
  const watched = { app: 'letters', endpoint: 'list_letters', account: owner.account, input: {} }
  await askForWatch(site.ctx, watched, 'operator:ann')
  const { page, problems } = await visit(where, `/confirm/${ids[0]}`)
  await signIn(page)
  for (const address of [
    '/',
    '/waiting',
    `/confirm/${ids[0]}`,
    '/calls',
    `/calls/${ids[1]}`,
    '/apps',
    '/apps/letters',
    '/keys',
    `/keys/${owner.keyId}/actions`,
    '/credits',
    '/account',
    '/notices',
    '/docs/letters',
    '/usage',
    '/play',
    '/play/letters/write_letter',
  ]) {
    await page.goto(`${site.url}${address}`)
    await shoot(page, `${name.at(-1)}${address.replaceAll('/', '-')}`)
    await expectTidy(page, address, where.viewport.width)
  }
  await page.goto(`${site.url}/keys`)
  await page.getByLabel('Name').fill('Made in a browser')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.getByText('Copy it now').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(where.viewport.width)
  expect(problems).toEqual([])
})

test('what cannot be undone takes two steps without scripts, and a long form keeps its Save in sight', async () => {
  const leaving = await makeOwner(site.ctx)
  const id = await askFor(site.ctx, leaving, { subject: 'Two steps' })
  const { page, problems } = await visit({ ...phone, javaScriptEnabled: false }, `/confirm/${id}`)
  await signIn(page, leaving)
  await page.goto(`${site.url}/apps/letters#confirm`)
  const save = page.getByRole('form', { name: 'What asks you first' }).getByRole('button', { name: 'Save' })
  const box = await save.boundingBox()
  expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual(phone.viewport.height)
  const disconnect = page.getByRole('button', { name: 'Disconnect now' })
  expect(await disconnect.isVisible()).toBe(false)
  await page.getByText('Disconnect…').click()
  await page.getByText('You can connect the account again at any time').waitFor()
  await disconnect.click()
  await page.getByText('The account is disconnected').waitFor()
  await page.goto(`${site.url}/account`)
  const everywhere = page.getByRole('button', { name: 'Sign out everywhere now' })
  expect(await everywhere.isVisible()).toBe(false)
  await page.getByText('Sign out everywhere…').focus()
  await page.keyboard.press('Enter')
  await everywhere.click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(problems).toEqual([])
})

test('an open page follows its call without being loaded again, and takes it back while it can', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Followed' })
  const { page, problems } = await visit(phone, `/confirm/${id}`)
  await signIn(page)
  await page.evaluate('window.loadedOnce = true')
  // Decided elsewhere: the buttons go, and what can still be done comes.
  await site.ctx.db.query(`SELECT decide_call($1, 'approved', $2, 'made up', NULL, NULL, false, NULL)`, [id, owner.id])
  await page.getByText('Approved by you').waitFor()
  expect(await approveButton(page).count()).toBe(0)
  expect(await page.title()).toMatch(/^(\(\d+\) )?In progress: Write a letter · Callgate$/)
  await page.getByRole('heading', { name: 'What was asked for' }).waitFor()
  for (const past of [
    'What will be sent',
    'left',
    'Decide by',
    'optional; your agent can read it',
    'does not know what',
  ])
    expect(await page.locator('main').textContent()).not.toContain(past)
  expect(await page.locator('time').first().textContent()).toMatch(/GMT\+9$/)
  expect(await page.evaluate('window.loadedOnce')).toBe(true)
  await page.getByRole('button', { name: 'Take it back' }).click()
  await page.getByText('Taken back. Nothing was sent.').waitFor()
  expect(await statusOf(site.ctx, id)).toBe('cancelled')

  const next = await askFor(site.ctx, owner, { subject: 'Followed to its end' })
  await page.goto(`${site.url}/confirm/${next}`)
  const left = page.locator('[data-until]')
  await expect.poll(() => left.textContent()).toBe('2 days 23 hours left')
  const leaves = async (ms: number): Promise<string | null> => {
    await left.evaluate((place, ahead) => {
      place.dataset['until'] = new Date(Date.now() + ahead).toISOString()
      document.dispatchEvent(new Event('visibilitychange'))
    }, ms)
    return left.textContent()
  }
  expect(await leaves(-1_000)).toBe('the time is over')
  for (const [seconds, words] of lengths.slice(1)) expect(await leaves(seconds * 1_000 + 900)).toBe(`${words} left`)
  await page.goto(`${site.url}/calls/${next}`)
  await page.evaluate('window.loadedOnce = true')
  await site.ctx.db.query(`UPDATE calls SET status = 'unknown', updated_at = clock_timestamp() WHERE id = $1`, [next])
  await page.getByRole('button', { name: 'No, it did not' }).waitFor()
  await page.getByText('Ended: uncertain').waitFor()
  expect(await page.evaluate('window.loadedOnce')).toBe(true)
  expect(problems).toEqual([])
})

test('open pages tell what came since, and lists are narrowed where they stand', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'There already' })
  const { page, problems } = await visit(desk, `/confirm/${id}`)
  await signIn(page)
  await page.goto(`${site.url}/waiting`)
  const before = Number(await page.locator('[data-waiting]').first().textContent())
  await askFor(site.ctx, owner, { subject: 'Came since' })
  const ask = (part: string) =>
    page.evaluate(`htmx.trigger(document.querySelector('[hx-get^="/waiting/${part}"]'), 'every')`)
  await ask('count')
  await expect.poll(() => page.title()).toMatch(new RegExp(`^\\(${before + 1}\\) `))
  await ask('news')
  await page.getByText('1 new call waits.').waitFor()
  await page.getByRole('link', { name: 'Show' }).click()
  await page.locator('summary', { hasText: 'Came since' }).waitFor()

  const status = () => new URL(page.url()).searchParams.get('status')
  await page.goto(`${site.url}/calls`)
  await page.getByText('Filter', { exact: true }).click()
  await page.getByLabel('Status').selectOption('failed')
  await page.getByText('No matching calls.').waitFor()
  expect(status()).toBe('failed')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByLabel('Status').selectOption('awaiting_confirmation')
  await page.locator('#calls a').first().waitFor()
  await page.locator('#calls a').first().click()
  await page.goBack()
  expect(status()).toBe('awaiting_confirmation')
  await page.locator('#calls a').first().waitFor()
  expect(problems).toEqual([])
})

test.for([
  ['with scripts', desk],
  ['without scripts', { ...phone, javaScriptEnabled: false }],
] as const)('the playground shows a call as code, and keeps what was typed wrong, %s', async ([name, where]) => {
  const id = await askFor(site.ctx, owner, { subject: `Before the playground ${name}` })
  const { page, problems } = await visit(where, `/confirm/${id}`)
  await signIn(page)
  await page.goto(`${site.url}/play/letters/write_letter`)
  await page.getByLabel('Subject').fill("It's on")
  await page.getByLabel('Recipients').fill('m_1\nm_2')
  await page.getByLabel('Goes out').fill('tomorrow')
  await page.getByLabel('Text body').fill('Come\nall')
  await page.getByRole('button', { name: 'Only update the code' }).click()
  await page.getByText('Nothing was run').waitFor()
  expect(await page.getByLabel('Goes out').inputValue()).toBe('tomorrow')
  expect(await page.getByLabel('Text body').inputValue()).toBe('Come\nall')
  await page.getByLabel('Goes out').fill('')
  await page.getByRole('button', { name: 'Only update the code' }).click()
  await page.locator('#text-curl').waitFor()
  expect(await page.locator('#text-curl').textContent()).toContain(
    String.raw`{"subject":"It'\''s on","recipients":["m_1","m_2"],"body":"Come\nall"}`,
  )
  expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe('javaScriptEnabled' in where ? 0 : 4)
  expect(problems.filter((text) => !text.includes('status of 422'))).toEqual([])
})
