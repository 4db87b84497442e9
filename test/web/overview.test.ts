import { ulid } from 'ulid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callsByDayAndApp } from '../../core/credits/usage-days.ts'
import { callIdFrom } from '../../schemas/ids.ts'
import { firstDay, latelyOf } from '../../web/home/days.ts'
import { desk, expectTidy, openPage, phone, shoot, startBrowser } from '../support/chromium.ts'
import { withinOneDay } from '../support/one-day.ts'
import { askFor, makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { visitorOf } from './visitor.ts'

const dayMs = 86_400_000

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.stop())

interface Made {
  readonly daysAgo: number
  readonly app?: string
  readonly status?: string
  readonly access?: 'read' | 'write'
  readonly credits?: number
  readonly count?: number
}

async function made(who: Owner, calls: readonly Made[]): Promise<void> {
  for (const { daysAgo, app = 'letters', status = 'executed', access = 'read', credits = 1, count = 1 } of calls) {
    const at = new Date(Date.now() - daysAgo * dayMs)
    const failed = status === 'failed' ? 'app_error' : null
    await site.ctx.db.query(
      `INSERT INTO calls (id, owner, key_id, app, endpoint, account, access, confirm, status, created_at, content_hash, credits, credits_used,
         check_at, error_code)
       SELECT $1 || lpad(n::text, 6, '0'), $2, $3, $4, $5, $6, $7, false, $8, $9, '\\x00', $10, $10, NULL, $11 FROM generate_series(1, $12) n`,
      [
        callIdFrom(at.getTime()) + ulid().slice(16),
        who.id,
        who.keyId,
        app,
        access === 'write' ? 'write_letter' : 'list_letters',
        who.account,
        access,
        status,
        at,
        credits,
        failed,
        count,
      ],
    )
  }
}

test('the figures are of the owner’s last days, by app and by how calls ended', async () => {
  await withinOneDay(10)
  const [owner, other] = [await makeOwner(site.ctx), await makeOwner(site.ctx)]
  await made(owner, [
    { daysAgo: 0, count: 3 },
    { daysAgo: 0, status: 'failed', credits: 0 },
    { daysAgo: 6, app: 'crm', access: 'write', credits: 3 },
    { daysAgo: 7, status: 'unknown', credits: 0 },
    { daysAgo: 13, count: 2 },
    { daysAgo: 14, count: 50 },
  ])
  await made(other, [{ daysAgo: 0, count: 70 }])
  const first = firstDay(Date.now())
  const { days, series, apps, otherApps, week } = latelyOf(
    await callsByDayAndApp(site.ctx.db, { owner: owner.id, from: first }),
    first,
  )
  expect(days).toHaveLength(14)
  expect(days.at(-1)?.toISOString().slice(0, 10)).toBe(new Date().toISOString().slice(0, 10))
  expect(series.map(({ id, values }) => [id, values.at(-1), values.at(-7), values.at(-8), values[0]])).toEqual([
    ['executed', 3, 1, 0, 2],
    ['failed', 1, 0, 0, 0],
    ['unknown', 0, 0, 1, 0],
  ])
  expect(apps.map(({ app, calls, credits }) => [app, calls, credits])).toEqual([
    ['letters', 7, 5],
    ['crm', 1, 3],
  ])
  expect(otherApps).toBe(0)
  expect(week).toMatchObject({ all: 5, executed: 4, failed: 1, uncertain: 0, credits: 6 })
})

test('tells what waits, went wrong and was done, which account needs its owner, and what it cost', async () => {
  const owner = await makeOwner(site.ctx)
  await made(owner, [
    { daysAgo: 1, status: 'failed', credits: 0 },
    { daysAgo: 2, status: 'expired', access: 'write', credits: 0 },
    { daysAgo: 9, status: 'failed', credits: 0 },
    { daysAgo: 3, access: 'write', credits: 3 },
    { daysAgo: 1, count: 12 },
  ])
  const id = await askFor(site.ctx, owner, { subject: 'It waits' })
  await site.ctx.db.query(`UPDATE accounts SET state = 'expired', reason = 'AUTH_EXPIRED' WHERE id = $1`, [
    owner.account,
  ])
  await site.ctx.db.query(`UPDATE calls SET waiting_for = 'reconnect' WHERE id = $1`, [id])
  const text = (await (await visitorOf(site, owner)).get('/')).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  expect(text).toMatch(/1 call waits for your approval.*It waits/)
  expect(text).toMatch(/Sign in again secretary@club.example Letters 1 call waits for it/)
  expect(text).toMatch(/What went wrong in the last 7 days.*1 call failed · 1 call expired/)
  expect(text.match(/The app itself failed/g)).toHaveLength(1)
  expect(text).toMatch(/What was done for you.*Write a letter.*Looked up last.*Letters/)
  expect(text).toContain('16 calls in the last 7 days: 13 done, 1 failed, 0 uncertain.')
  expect(text).toMatch(/Cost: 15 credits in 7 days, 0 this month/)
  expect(text).toMatch(/By app, 14 days Letters 17 calls, 2 failed, 1 expired, 15 credits/)
  expect(text).not.toContain('nothing needs you right now')
})

test('what an app refuses for now is told with when it is tried again, to its owner alone', async () => {
  const [owner, other] = [await makeOwner(site.ctx), await makeOwner(site.ctx)]
  await site.ctx.db.query(
    `INSERT INTO pauses (account, endpoint, until, seconds) VALUES ($1, 'write_letter', now() + interval '30 minutes', 60)`,
    [owner.account],
  )
  await made(owner, [{ daysAgo: 0 }])
  const home = async (who: Owner) => (await (await visitorOf(site, who)).get('/')).text
  expect(await home(owner)).toMatch(/Refused by the app.*Write a letter.*(29|30) minutes left/s)
  expect(await home(owner)).toContain('nothing needs you right now')
  expect(await home(other)).not.toContain('Refused by the app')
})

test('an owner of 100,000 calls of these days has it at once', async () => {
  const busy = await makeOwner(site.ctx)
  for (let day = 0; day < 10; day += 1)
    await made(busy, [
      { daysAgo: day, count: 9_900 },
      { daysAgo: day, status: 'failed', count: 100 },
    ])
  await site.ctx.db.query('ANALYZE calls')
  const visitor = await visitorOf(site, busy)
  await visitor.get('/')
  const times = []
  for (let n = 0; n < 3; n += 1) {
    const began = performance.now()
    expect((await visitor.get('/')).text).toContain('70,000 calls in the last 7 days: 69,300 done, 700 failed')
    times.push(performance.now() - began)
  }
  expect(Math.min(...times)).toBeLessThan(1_500)
})

test('on a phone and a desk', async () => {
  const owner = await makeOwner(site.ctx)
  for (let day = 0; day < 13; day += 1)
    await made(owner, [
      { daysAgo: day, count: 3 + ((day * 5) % 7) },
      { daysAgo: day, access: 'write', credits: 3, count: 1 + (day % 3), app: day % 2 === 0 ? 'letters' : 'crm' },
      { daysAgo: day, status: 'failed', credits: 0, count: 1 + (day % 2) },
    ])
  for (const subject of ['Summer party', 'Invitation to the boat race']) await askFor(site.ctx, owner, { subject })
  const running = await startBrowser()
  for (const [name, where] of [
    ['phone', phone],
    ['phone-dark', { ...phone, colorScheme: 'dark' }],
    ['desk', desk],
  ] as const) {
    const { page, problems } = await openPage(running.browser, where)
    await page.goto(`${site.url}/login`)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'What was done for you' }).waitFor()
    await expectTidy(page, name, where.viewport.width)
    await shoot(page, `home-${name}`)
    expect(problems).toEqual([])
    await page.context().close()
  }
  await running.close()
})
