import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveButton, desk, expectTidy, openPage, phone, readOn, shoot, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
import type { Owner, TestSite } from './site.ts'

let site: TestSite
let owner: Owner
let running: RunningBrowser

/** In the order in which they were asked. */
const ids: string[] = []
const many = 200

beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx)
  running = await startBrowser()
  for (let n = 0; n < many; n += 1)
    ids.push(await askFor(site.ctx, owner, { subject: `Summer party for the members, part ${n}` }))
  // The last one that was asked expires first.
  await site.ctx.db.query(`UPDATE calls SET expires_at = now() + interval '90 minutes' WHERE id = $1`, [ids.at(-1)])
})
afterAll(async () => {
  await running.close()
  await site.stop()
})

async function visit(where: Parameters<typeof openPage>[1]) {
  const { page, problems } = await openPage(running.browser, where)
  await page.goto(`${site.url}/waiting`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.waits').first().waitFor()
  return { page, problems }
}

test.for([
  ['a phone', phone],
  ['a desk', desk],
] as const)('200 calls wait in short rows on %s, what expires first on top', async ([name, where]) => {
  const { page, problems } = await visit(where)
  await expectTidy(page, name, where.viewport.width)
  await shoot(page, `waiting-${name.replaceAll(' ', '-')}`)
  const rows = page.locator('.waits')
  expect(await rows.count()).toBe(50)
  expect(await rows.first().getAttribute('id')).toBe(`row-${ids.at(-1)}`)
  expect(await rows.first().textContent()).toMatch(/1 hour 2\d minutes left/)
  const tall = await rows.evaluateAll((all) => Math.max(...all.map((row) => row.getBoundingClientRect().height)))
  expect(tall).toBeLessThan(90)
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(5_200)
  const seen = []
  for (let at = 0; at < many / 50; at += 1) {
    if (at > 0) await page.getByRole('link', { name: 'Show those that expire later' }).click()
    await expect.poll(() => rows.first().getAttribute('id')).not.toBe(seen.at(-50))
    seen.push(...(await rows.evaluateAll((all) => all.map(({ id }) => id))))
  }
  expect(new Set(seen).size).toBe(many)
  expect(problems).toEqual([])
})

test('keys go through the list and to the page of a call, decide nothing, and can be switched off', async () => {
  const { page, problems } = await visit(desk)
  const { keyboard } = page
  const focused = () => page.evaluate('document.activeElement.closest(".waits")?.id')
  // Scripts have begun.
  await page.getByText('Keyboard shortcuts').waitFor()
  await keyboard.press('j')
  await keyboard.press('j')
  expect(await focused()).toBe(`row-${ids[0]}`)
  await keyboard.press('k')
  expect(await focused()).toBe(`row-${ids.at(-1)}`)
  await keyboard.press('x')
  await keyboard.press('Enter')
  await page.locator('#what-is-left', { hasText: /^0 of 50/ }).waitFor()
  await keyboard.press('x')
  await page.locator('#what-is-left', { hasText: /Read all of it|1 of 50/ }).waitFor()
  await keyboard.press('?')
  await page.getByText('the one before').waitFor()
  await shoot(page, 'waiting-keys')

  await page.getByRole('checkbox', { name: 'Use these shortcuts' }).uncheck()
  await keyboard.press('j')
  expect(await focused()).toBeUndefined()
  await page.getByRole('checkbox', { name: 'Use these shortcuts' }).check()
  await page.locator('summary').first().focus()
  await keyboard.press('r')
  await page.waitForURL(`**/confirm/${ids.at(-1)}#reason`)
  await page.goBack()
  await page.locator('summary').first().focus()
  await keyboard.press('a')
  await page.waitForURL(`**/confirm/${ids.at(-1)}`)
  await keyboard.press('a')
  await keyboard.press('a')
  expect(await page.evaluate('document.activeElement.value')).toBe('approve')
  await keyboard.press('r')
  await keyboard.type('jar')
  expect(await page.getByLabel('Reason').inputValue()).toBe('jar')
  expect(await statusOf(site.ctx, ids.at(-1) ?? '')).toBe('awaiting_confirmation')

  // Decided on its own page, and on to the next one.
  await readOn(page)
  await approveButton(page).click()
  await page.getByText('Approved by you').waitFor()
  await shoot(page, 'decided-next')
  await keyboard.press('j')
  await page.waitForURL(`**/confirm/${ids[0]}`)
  await page.getByRole('link', { name: 'Skip to the next' }).click()
  await page.waitForURL(`**/confirm/${ids[1]}`)
  expect(problems).toEqual([])
})
