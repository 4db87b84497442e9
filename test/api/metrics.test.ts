import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkerMetrics } from '../../activities/metrics.ts'
import { callIdFrom } from '../../schemas/ids.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

const metrics = async (): Promise<string> => (await fetch(`${stack.adminUrl}/metrics`)).text()
const ofADay = async (): Promise<readonly string[]> =>
  (await metrics()).split('\n').filter((line) => line.startsWith('callgate_calls_of_a_day{'))

test('calls are counted by app and by what became of them, approved ones too', async () => {
  const line = (status: string, count: number) =>
    `callgate_calls_of_a_day{app="property-advertising",status="${status}"} ${count}`
  expect(await ofADay()).toEqual([])
  const user = await stack.user()
  const contact_id = await firstContact(user)
  const asked = await user.call('reply_to_contact', { contact_id, message: 'For the count.' })
  expect(asked.status).toBe(202)
  // No oftener than a twentieth of the time allows.
  await expect
    .poll(async () => (await ofADay()).toSorted())
    .toEqual([line('awaiting_confirmation', 1), line('executed', 1)])
  await user.approve(asked.body['call_id'])
  await expect.poll(ofADay).toEqual([line('executed', 2)])
})

test('whoever asks at the same moment as another gets the same figures', async () => {
  const both = await Promise.all([ofADay(), ofADay(), ofADay()])
  expect(both[0]?.length).toBeGreaterThan(0)
  expect(both).toEqual([both[0], both[0], both[0]])
})

test('a day of calls is counted once, what is still open again, and all of it anew where the counts are lost', async () => {
  const { db } = stack.ctx
  const user = await stack.user()
  const one = (await user.call('list_listings', { limit: 1 })).headers.get('x-request-id')
  const minute = 60_000
  const ages = Array.from({ length: 3_000 }, (_, n) => (n % 1_400) * minute + (n % 3) * 7_000)
  const id = (ms: number, n: number): string => callIdFrom(Date.now() - ms) + String(n).padStart(16, '0')
  const insert = async (ids: readonly string[], status: string): Promise<void> => {
    await db.query(
      `INSERT INTO calls SELECT (jsonb_populate_record(c, jsonb_build_object('id', n, 'app', 'made-up', 'status', $3::text, 'check_at', NULL))).*
       FROM calls c, unnest($2::text[]) n WHERE c.id = $1`,
      [one, ids, status],
    )
  }
  const final = ages.map(id)
  const open = [2, 50, 700, 1_390].map((minutes, n) => id(minutes * minute, 90_000 + n))
  await insert([...final, id(1_460 * minute, 99_999)], 'executed')
  await insert(open, 'running')
  // These came long ago, when nobody had counted yet.
  await db.query('DELETE FROM call_counts')
  const madeUp = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await ofADay()).flatMap((line) => {
        const [, status = '', calls] = /app="made-up",status="(\w+)"\} (\d+)/.exec(line) ?? []
        return calls === undefined ? [] : [[status, Number(calls)]]
      }),
    )
  await expect.poll(madeUp).toEqual({ executed: 3_000, running: 4 })

  await db.query(`UPDATE calls SET status = 'unknown' WHERE id = ANY ($1)`, [open])
  await expect.poll(madeUp).toEqual({ executed: 3_000, unknown: 4 })
  // Nothing of the past is looked at again. Nor could it be: what is final stays.
  const untouched = async (): Promise<unknown> =>
    (await db.query(`SELECT max(counted_at) AS at FROM call_counts WHERE bucket < now() - interval '40 minutes'`)).rows
  const before = await untouched()
  await db.query(`DELETE FROM calls WHERE id = ANY ($1)`, [final.slice(700, 1_400)])
  expect([await madeUp(), await untouched()]).toEqual([{ executed: 3_000, unknown: 4 }, before])

  await db.query('DELETE FROM call_counts')
  await expect.poll(madeUp).toEqual({ executed: 2_300, unknown: 4 })
})

test('what alerts count begins at 0, so that the first of its kind is seen to rise', async () => {
  const text = await metrics()
  for (const line of [
    'callgate_admission_refusals_total{signal="accepting"} 0',
    'callgate_security_refusals_total{kind="operator_refused"} 0',
    'callgate_call_answers_total{app="crm",status="unavailable"} 0',
  ])
    expect(text.split('\n')).toContain(line)
  const worker = await createWorkerMetrics(stack.ctx).registry.metrics()
  expect(worker.split('\n')).toContain('callgate_calls_ended_total{app="crm",status="unknown"} 0')
})

test('the process tells its memory, processor time and event loop under their usual names', async () => {
  const text = await metrics()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(50_000_000)
  expect(value('process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(value('nodejs_heap_size_used_bytes')).toBeGreaterThan(10_000_000)
  expect(value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
})
