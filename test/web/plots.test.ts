import { afterAll, beforeAll, expect, test } from 'vitest'
import { ulid } from 'ulid'
import { callsByApp, callsByDay, decisionsByDay } from '../../core/credits/usage-days.ts'
import { roundCount, roundSpan } from '../../web/parts/plot-scale.ts'
import { makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'
import { withinOneDay } from '../support/one-day.ts'

const dayMs = 86_400_000
let today: number

let site: TestSite
let owner: Owner
let other: Owner
beforeAll(async () => {
  site = await startTestSite()
  await withinOneDay(30)
  today = Math.floor(Date.now() / dayMs) * dayMs
  owner = await makeOwner(site.ctx)
  other = await makeOwner(site.ctx)
})
afterAll(() => site.stop())

interface Made {
  readonly daysAgo: number
  readonly app?: string
  readonly status?: string
  readonly decision?: string
  readonly by?: string
  /** Seconds from asked to decided. */
  readonly waited?: number
}

async function made(who: Owner, calls: readonly Made[]): Promise<void> {
  for (const { daysAgo, app = 'letters', status = 'executed', decision, by = who.id, waited = 60 } of calls) {
    const at = new Date(today - daysAgo * dayMs + 3_600_000)
    await site.ctx.db.query(
      `INSERT INTO calls (id, owner, key_id, app, endpoint, account, access, confirm, status, created_at, expires_at, decision,
         decided_by, decided_at, content_hash, credits)
       VALUES ('call_' || $1, $2, $3, $4, 'write_letter', $5, 'write', $6, $7, $8, $9, $10, $11, $12, '\\x00', 3)`,
      [
        ulid(at.getTime()),
        who.id,
        who.keyId,
        app,
        who.account,
        decision !== undefined,
        status,
        at,
        decision === undefined ? null : new Date(at.getTime() + 3 * dayMs),
        decision ?? null,
        decision === undefined ? null : by,
        decision === undefined ? null : new Date(at.getTime() + waited * 1000),
      ],
    )
  }
}

const day = (daysAgo: number): string => new Date(today - daysAgo * dayMs).toISOString().slice(0, 10)

test('the figures are those of the owner and of the days, no more and no less', async () => {
  await made(owner, [
    { daysAgo: 0 },
    { daysAgo: 0, status: 'failed' },
    { daysAgo: 29, app: 'crm' },
    { daysAgo: 30 },
    { daysAgo: 2, decision: 'approved', waited: 10 },
    { daysAgo: 2, decision: 'approved', waited: 20 },
    { daysAgo: 2, decision: 'rejected', status: 'rejected', waited: 30 },
    { daysAgo: 2, decision: 'expired', status: 'expired', by: 'expiry', waited: 9_999 },
    { daysAgo: 2, decision: 'approved', by: 'sta_1', waited: 0 },
    // Asked before the first day, decided within.
    { daysAgo: 31, decision: 'approved', waited: 5 * 86_400 },
  ])
  await made(other, [{ daysAgo: 0 }, { daysAgo: 2, decision: 'approved' }])
  const span = { owner: owner.id, from: new Date(today - 29 * dayMs) }
  const byDay = await callsByDay(site.ctx.db, span)
  expect(byDay.toSorted((a, b) => (a.day + a.status < b.day + b.status ? -1 : 1))).toEqual([
    { day: day(29), status: 'executed', count: 1 },
    { day: day(2), status: 'executed', count: 3 },
    { day: day(2), status: 'expired', count: 1 },
    { day: day(2), status: 'rejected', count: 1 },
    { day: day(0), status: 'executed', count: 1 },
    { day: day(0), status: 'failed', count: 1 },
  ])
  expect(await callsByApp(site.ctx.db, span)).toEqual([
    { app: 'letters', count: 7 },
    { app: 'crm', count: 1 },
  ])
  const decided = await decisionsByDay(site.ctx.db, span)
  const none = { approved: 0, approved_ahead: 0, rejected: 0, expired: 0, cancelled: 0 }
  expect(decided.toSorted((a, b) => (a.day < b.day ? -1 : 1))).toEqual([
    { ...none, day: day(26), approved: 1, median: 432_000, p90: 432_000 },
    { ...none, day: day(2), approved: 2, approved_ahead: 1, rejected: 1, expired: 1, median: 20, p90: 28 },
  ])
})

test('the page draws them, with a text and a table for who cannot see the drawing', async () => {
  const page = (await (await visitorOf(site, owner)).get('/usage')).text
  expect(page).toContain('8 calls in the last 30 days')
  expect(page).toMatch(/<svg[^>]*role="img" aria-labelledby="calls-title calls-desc"/)
  expect(page).toMatch(/<desc id="calls-desc">[^<]*at most 5, on /)
  expect(page).toMatch(/<title>[^<]*: done 3, rejected 1, expired 1<\/title>/)
  expect(page).toMatch(/<td>20 s<\/td>/)
  expect(page).not.toMatch(/ style="/)
  // The bars of a day stand on each other and reach as high as its sum says: 5 of 6.
  const bars = /done 3, rejected 1, expired 1<\/title>([^]*?)<\/g>/.exec(page)?.[1] ?? ''
  const boxes = [...bars.matchAll(/class="of-(\w+)"[^>]*y="([\d.]+)"[^>]*height="([\d.]+)"/g)].map(
    ([, id, y, tall]) => [id, Number(y), Number(tall)],
  )
  expect(boxes).toEqual([
    ['executed', 50, 50],
    ['rejected', 33.33, 16.67],
    ['expired', 16.67, 16.67],
  ])
})

test('of an owner without calls it says so, and who is not signed in is asked to', async () => {
  const fresh = await makeOwner(site.ctx)
  const page = (await (await visitorOf(site, fresh)).get('/usage')).text
  expect(page.match(/Nothing in these days/g)).toHaveLength(4)
  expect((await new Visitor(site).get('/usage')).headers.get('location')).toBe('/login?return_to=%2Fusage')
})

test('a month of 100,000 calls is read by an index that begins with the owner', async () => {
  const busy = await makeOwner(site.ctx)
  await site.ctx.db.query(
    `INSERT INTO calls (id, owner, key_id, app, endpoint, account, access, confirm, status, created_at, content_hash,
       credits, check_at)
     SELECT 'call_' || $1::text || lpad(n::text, 16, '0'), $2, $3, 'app-' || n % 12, 'e', $4, 'read', false, 'executed',
       now() - interval '10 days', '\\x00', 1, NULL
     FROM generate_series(1, 100000) n`,
    [ulid(Date.now() - 10 * dayMs).slice(0, 10), busy.id, busy.keyId, busy.account],
  )
  await site.ctx.db.query('ANALYZE calls')
  const page = await (await visitorOf(site, busy)).get('/usage')
  expect(page.text).toContain('100,000 calls in the last 30 days')
  expect(page.text).toContain('4 others')
  const { rows } = await site.ctx.db.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT app, count(*) FROM calls WHERE owner = '${owner.id}' AND id >= 'call_0' GROUP BY app`,
  )
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/calls_(owner|app)/)
})

test('scales end at numbers that people say', () => {
  expect([0, 1, 2, 3, 5, 7, 11, 13, 104, 480, 1_001].map(roundCount)).toEqual([
    2, 2, 2, 4, 6, 8, 12, 16, 120, 500, 1_200,
  ])
  expect([0, 31, 4_000, 90_000, 9_999_999].map(roundSpan)).toEqual([10, 60, 7_200, 172_800, 2_592_000])
})
