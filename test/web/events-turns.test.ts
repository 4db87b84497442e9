import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../../core/http/api.ts'
import { watchCalls } from '../../web/live/events-hub.ts'
import { askFor, makeOwner, startTestSite } from './site.ts'
import type { TestSite } from './site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.stop())

test('calls that are watched are looked at when something about them changes, and not while they stand in line', async () => {
  const { ctx } = site
  const owner = await makeOwner(ctx)
  const one = await askFor(ctx, owner)
  const copies = `'call_' || lpad(n::text, 26, '0')`
  const { rows } = await ctx.db.query<{ id: string; account: string; endpoint: string }>(
    `INSERT INTO calls SELECT (jsonb_populate_record(c, jsonb_build_object('id', ${copies}, 'status', 'running', 'send', 'ready', 'check_at', NULL))).*
     FROM calls c, generate_series(1, 45) n WHERE c.id = $1 RETURNING id, account, endpoint`,
    [one],
  )
  const over = new AbortController()
  const watch = watchCalls(createApi(ctx, over.signal))
  const looks = new Map<string, number>()
  const leave = rows.map(({ id: callId }, n) =>
    watch.add({
      owner: `owner-${n % 5}`,
      callId,
      unsure: false,
      look: () => void looks.set(callId, (looks.get(callId) ?? 0) + 1),
      end: () => undefined,
    }),
  )
  const [first, last] = [rows[0], rows[44]].map((row) => row?.id ?? '') as [string, string]
  const all = (): number => rows.reduce((sum, { id }) => sum + (looks.get(id) ?? 0), 0)
  // Each is new at first.
  await expect.poll(all, { interval: 20 }).toBe(45)
  await sleep(2_500)
  expect(all()).toBe(45)
  await ctx.db.query(`UPDATE calls SET status = 'executed', updated_at = now() WHERE id = $1`, [last])
  await expect.poll(() => looks.get(last), { interval: 20 }).toBe(2)
  // The sweeper brought it to the engine, which lacked it.
  await ctx.db.query(`UPDATE calls SET check_at = now() + interval '1 day' WHERE id = $1`, [first])
  await expect.poll(() => looks.get(first), { interval: 20 }).toBe(2)
  expect(all()).toBe(47)
  // The app blocked their account.
  await ctx.db.query(
    `INSERT INTO pauses (account, endpoint, until, seconds) VALUES ($1, $2, now() + interval '1 minute', 60)`,
    [rows[0]?.account, rows[0]?.endpoint],
  )
  await expect.poll(all, { interval: 20 }).toBe(47 + 45)
  ctx.engine.up = false
  await expect.poll(all, { interval: 20 }).toBe(47 + 90)
  for (const one of leave) one?.()
  over.abort()
})

test('a call of which the engine has not said where it stands is looked at until it has', async () => {
  const { ctx } = site
  const owner = await makeOwner(ctx)
  const callId = await askFor(ctx, owner)
  const over = new AbortController()
  let looks = 0
  const watcher = {
    owner: 'owner-0',
    callId,
    unsure: true,
    look: () => void (watcher.unsure = ++looks < 3),
    end: () => undefined,
  }
  watchCalls(createApi(ctx, over.signal)).add(watcher)
  await expect.poll(() => looks, { interval: 20 }).toBe(3)
  await sleep(2_500)
  expect(looks).toBe(3)
  over.abort()
})
