import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../../api/http/api.ts'
import { watchCalls } from '../../web/live/events-hub.ts'
import { askFor, makeOwner, startTestSite } from './site.ts'
import type { TestSite } from './site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.stop())

test('however many watch calls that stand in line, the engine is asked about a few a second, by turns', async () => {
  const owner = await makeOwner(site.ctx)
  const one = await askFor(site.ctx, owner)
  const copies = `'call_' || lpad(n::text, 26, '0')`
  const { rows } = await site.ctx.db.query<{ id: string }>(
    `INSERT INTO calls SELECT (jsonb_populate_record(c, jsonb_build_object('id', ${copies}, 'status', 'running', 'send', 'ready', 'check_at', NULL))).*
     FROM calls c, generate_series(1, 45) n WHERE c.id = $1 RETURNING id`,
    [one],
  )
  const over = new AbortController()
  const watch = watchCalls(createApi(site.ctx, over.signal))
  const looks = new Map<string, number>()
  const leave = rows.map(({ id: callId }, n) =>
    watch.add({
      owner: `owner-${n % 5}`,
      callId,
      look: () => void looks.set(callId, (looks.get(callId) ?? 0) + 1),
      end: () => undefined,
    }),
  )
  const times = (): readonly number[] => rows.map(({ id }) => looks.get(id) ?? 0)
  const all = (): number => times().reduce((sum, each) => sum + each, 0)
  // Each is new at first.
  await expect.poll(() => Math.min(...times()), { timeout: 10_000, interval: 20 }).toBe(1)
  expect(all()).toBe(45)
  for (const rounds of [1, 2, 3]) {
    await expect.poll(all, { timeout: 10_000, interval: 20 }).toBe(45 + 20 * rounds)
    expect(Math.max(...times()) - Math.min(...times())).toBeLessThanOrEqual(1 + (rounds === 3 ? 1 : 0))
  }
  expect(Math.min(...times())).toBe(2)
  // What changes is looked at when it does, in line or not.
  const last = rows[44]?.id ?? ''
  const before = looks.get(last) ?? 0
  await site.ctx.db.query(`UPDATE calls SET status = 'executed', updated_at = now() WHERE id = $1`, [last])
  await expect.poll(() => looks.get(last), { timeout: 10_000, interval: 20 }).toBeGreaterThan(before)
  for (const one of leave) one?.()
  over.abort()
})
