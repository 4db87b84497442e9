import { afterAll, beforeAll, expect, test } from 'vitest'
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
  expect((await ofADay()).toSorted()).toEqual([line('awaiting_confirmation', 1), line('executed', 1)])
  await user.approve(asked.body['call_id'])
  await expect.poll(ofADay, { timeout: 30_000 }).toEqual([line('executed', 2)])
})

test('the process tells its memory, processor time and event loop under their usual names', async () => {
  const text = await metrics()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(50_000_000)
  expect(value('process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(value('nodejs_heap_size_used_bytes')).toBeGreaterThan(10_000_000)
  expect(value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
})
