import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCall } from '../../core/calls/rows.ts'
import { placeOf, sealPayload } from '../../core/calls/payload.ts'
import { approveButton, desk, expectTidy, openPage, phone, readOn, shoot, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
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

const told = { of: 'recipients', read: 'get_member', at: 'member', id: 'm_1' }
const anna = { name: 'Anna Maier', email: 'anna@example.test', dues: 125_000, currency: 'EUR' }
const rows = Array.from({ length: 9 }, (_, at) => ({ name: `Lesson ${at + 1}`, dues: 4500, currency: 'EUR' }))
const things = [
  { ...told, values: { ...anna, rows, note: 'Plays on Sundays. '.repeat(12) } },
  { ...told, id: 'm_2', problem: 'blocked' },
]

/** The app has told something. */
async function tell(id: string, what: readonly object[], set: string): Promise<void> {
  const row = await findCall(site.ctx.db, owner.id, id)
  if (row === undefined) throw new Error('no call')
  const preview = sealPayload(site.ctx.secrets, placeOf(row), 'preview', { things: what, omitted: 2 })
  await site.ctx.db.query(
    `UPDATE calls SET preview = $2, previewed_at = now(), revision = revision + 1, updated_at = clock_timestamp(), ${set} WHERE id = $1`,
    [id, preview],
  )
}

async function visit(where: Parameters<typeof openPage>[1], address: string) {
  const { page, problems } = await openPage(running.browser, where)
  await page.goto(`${site.url}${address}`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('h1').waitFor()
  return { page, problems }
}

const notReady = `UPDATE calls SET request = NULL, prepare_at = now() + interval '1 hour' WHERE id = $1`
const aFewLines = (page: Page) => page.getByLabel('Reason')

test.for([
  ['a phone', phone],
  ['a desk', desk],
] as const)('on %s each state of a call is tidy, and what comes meanwhile is shown', async ([name, where]) => {
  const id = await askFor(site.ctx, owner, { subject: name })
  const { rows: found } = await site.ctx.db.query<{ request: Buffer }>('SELECT request FROM calls WHERE id = $1', [id])
  await site.ctx.db.query(notReady, [id])
  const { page, problems } = await visit(where, `/confirm/${id}`)
  const look = async (state: string): Promise<void> => {
    await expectTidy(page, state, where.viewport.width)
    await shoot(page, `told-${name.replace(' ', '-')}-${state}`)
  }
  await page.getByText('is still asking Letters').waitFor()
  await look('not-yet')

  await site.ctx.db.query('UPDATE calls SET request = $2 WHERE id = $1', [id, found[0]?.request])
  await tell(id, things, 'prepare_at = NULL')
  await page.getByRole('heading', { name: 'Anna Maier', level: 3 }).waitFor()
  await look('told')

  await site.ctx.db.query(
    `INSERT INTO rounds (call_id, round, decided_by, decided_at, request, preview)
     SELECT id, 1, owner, now(), request, preview FROM calls WHERE id = $1`,
    [id],
  )
  await tell(id, [{ ...told, values: { ...anna, dues: 99_900, rows: rows.slice(1) } }], 'round = 2')
  await page.getByText('since then it has changed in Letters').waitFor()
  await look('again')
  await page.goto(`${site.url}/waiting`)
  await page.locator('.waits summary').first().click()
  await look('waiting')
  await page.goto(`${site.url}/confirm/${id}`)
  await readOn(page)
  await approveButton(page).click()
  await page.getByText('Approved by you').waitFor()
  expect(await statusOf(site.ctx, id)).toBe('running')
  await look('approved')
  expect(problems).toEqual([])
})

test('what somebody has typed stays when more is told, and they are told so', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Typed' })
  const { page } = await visit(phone, `/confirm/${id}`)
  await aFewLines(page).fill('Because I said so.')
  await page.locator('h1').click()
  await tell(id, things, 'prepare_at = NULL')
  await page.getByText('There is more to see about this call now').waitFor()
  await expectTidy(page, 'more to see', phone.viewport.width)
  expect(await aFewLines(page).inputValue()).toBe('Because I said so.')
  expect(await page.getByRole('heading', { name: 'Anna Maier', level: 3 }).count()).toBe(0)
  await page.getByRole('link', { name: 'Show it' }).click()
  await page.getByRole('heading', { name: 'Anna Maier', level: 3 }).waitFor()
})
