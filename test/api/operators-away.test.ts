import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorToken } from '../../core/operators/credentials.ts'
import { setEndpointPaused } from '../../core/operators/pauses.ts'
import { hidden } from '../../scripts/browsing.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { startFoundation } from '../support/foundation.ts'
import type { Foundation } from '../support/foundation.ts'
import { Person } from '../support/person.ts'
import { endLeadership } from '../support/leadership.ts'
import { forgetRates, queueRates } from '../support/rates.ts'

const app = 'property-advertising'
let foundation: Foundation
let stack: Stack
beforeAll(async () => {
  foundation = await startFoundation()
  stack = await startStack({ foundation })
})
afterAll(() => stack.stop())

async function change(body: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${stack.adminUrl}/operator/apps/${app}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${operatorToken(stack.ctx.secrets)}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function engineIs(up: boolean): Promise<void> {
  const health = async (): Promise<unknown> => (await fetch(`${stack.adminUrl}/readyz`)).json()
  await expect.poll(health, { interval: 100 }).toMatchObject({ engine: up })
}

test('what operators change while the engine is away is saved, and in effect when it is back', async () => {
  await expect.poll(() => queueRates(stack.ctx)).toEqual({ perApp: 20, perAccount: 2 })
  const operator = new Person(stack.adminUrl)
  await operator.post('/login', { name: 'ann', token: operatorToken(stack.ctx.secrets) })
  await foundation.killEngine()
  // The first change meets an engine that is not known to be away yet.
  const rates = await change({ app_rate: 15 })
  expect(rates).toMatchObject({ status: 200, body: { app_rate: 15, pending: true } })
  expect(rates.body['message']).toMatch('takes effect when the engine has taken it')
  await engineIs(false)
  expect(await change({ paused: true })).toMatchObject({
    status: 200,
    body: { app_rate: 15, paused: true, pending: true },
  })

  const overview = await (await operator.get('/')).text()
  expect(overview).toContain('The engine is away')
  expect(overview).toContain('not taken by the engine for')
  const csrf = hidden(overview, 'csrf')
  const answer = await operator.post(`/apps/${app}`, { csrf, action: 'rates', app_rate: '14', account_rate: '' })
  expect(answer.headers.get('location')).toBe(`/apps/${app}?said=later`)

  await foundation.startEngine()
  await engineIs(true)
  await expect.poll(() => queueRates(stack.ctx)).toEqual({ perApp: 0, perAccount: 2 })
  await expect.poll(async () => (await change({})).body).toMatchObject({ pending: false })
  const back = await change({ paused: false })
  expect(back.body).toMatchObject({ paused: false, app_rate: 14, pending: false })
  expect(back.body).not.toHaveProperty('message')
  // The sweeper may have been bringing the engine the state of before, and then sends this one again.
  await expect.poll(() => queueRates(stack.ctx)).toEqual({ perApp: 14, perAccount: 2 })
  await change({ app_rate: null })
})

test('a call that an operator holds is still held, and then sent once, when the engine was killed meanwhile', async () => {
  const user = await stack.user()
  const contact = await firstContact(user)
  const pause = (paused: boolean) =>
    setEndpointPaused(stack.ctx, { app, endpoint: 'add_contact_note', paused }, 'operator:ann')
  await pause(true)
  const { body } = await user.call('add_contact_note', { contact_id: contact, note: 'Held' }, { Prefer: 'wait=1' })
  expect(body['status']).toBe('running')
  await foundation.killEngine()
  await engineIs(false)
  await foundation.startEngine()
  await engineIs(true)
  expect(await user.record(body['call_id'], 2)).toMatchObject({ status: 'running', waiting_for: 'operator' })
  await pause(false)
  expect(await user.record(body['call_id'], 40)).toMatchObject({ status: 'executed' })
  expect(await stack.sandbox.effects(user.account.seeded.account)).toHaveLength(1)
})

/** What a change that timed out leaves: the engine has stored it, and does not know. It refuses each further one of that queue. */
function storeBehindItsBack(): void {
  const store = new DatabaseSync(foundation.engineStore, { timeout: 5_000 })
  const { changes } = store
    .prepare('UPDATE task_queue_user_data SET version = version + 1 WHERE task_queue_name = ?')
    .run(`app.${app}`)
  store.close()
  expect(changes).toBe(1)
}

test('an app whose rates the engine refuses holds up no other, is told again until it takes them, and its pause holds meanwhile', async () => {
  const usual = { perApp: 20, perAccount: 2 }
  const later = 'app.salon'
  await expect.poll(() => queueRates(stack.ctx, later)).toEqual(usual)
  const user = await stack.user()
  const contact = await firstContact(user)
  const pendingSeconds = async (): Promise<Record<string, number>> => {
    const text = await (await fetch(`${stack.adminUrl}/metrics`)).text()
    const found = text.matchAll(/^callgate_pacing_pending_seconds\{app="([\w-]+)"\} (\S+)$/gm)
    return Object.fromEntries([...found].map(([, slug, value]) => [String(slug), Number(value)] as const))
  }
  const paused = async () => {
    storeBehindItsBack()
    return change({ paused: true })
  }
  // Should it read its store at that very moment, it takes the change.
  await expect.poll(paused).toMatchObject({
    status: 200,
    body: { paused: true, pending: true, message: expect.stringContaining('A pause holds from now on') },
  })
  const { salon, crm, [app]: seconds = 0 } = await pendingSeconds()
  expect(seconds).toBeGreaterThan(0)
  expect([salon, crm]).toEqual([0, 0])
  await forgetRates(stack.ctx, undefined, later)
  await endLeadership(stack)
  await expect.poll(() => queueRates(stack.ctx, later)).toEqual(usual)
  const note = await user.call('add_contact_note', { contact_id: contact, note: 'Held' }, { Prefer: 'wait=1' })
  expect(await user.record(note.body['call_id'])).toMatchObject({ status: 'running', waiting_for: 'operator' })
  // Within the time after which it reads its store again.
  await expect.poll(() => queueRates(stack.ctx)).toEqual({ perApp: 0, perAccount: 2 })
  await expect.poll(async () => (await pendingSeconds())[app]).toBe(0)
  expect(await stack.sandbox.effects(user.account.seeded.account)).toEqual([])
  expect((await change({ paused: false })).body).toMatchObject({ paused: false, pending: false, pending_seconds: 0 })
  expect(await user.record(note.body['call_id'], 40)).toMatchObject({ status: 'executed' })
  expect(await stack.sandbox.effects(user.account.seeded.account)).toHaveLength(1)
})

test('a database that says nothing keeps nobody from what the process itself knows, within the time that a Prometheus waits', async () => {
  const told = async (): Promise<string> =>
    (await fetch(`${stack.adminUrl}/metrics`, { signal: AbortSignal.timeout(8_000) })).text()
  expect(await told()).toMatch(/^callgate_sweep_overdue_seconds\{calls="pressing"\} 0/m)
  const thaw = foundation.freezeDatabase()
  try {
    for (const _ of [1, 2]) {
      const text = await told()
      expect(text).toMatch(/^callgate_database_up 0$/m)
      expect(text).toMatch(/^callgate_engine_up 1$/m)
      expect(text).not.toMatch(/^callgate_sweep_overdue_seconds\{/m)
    }
  } finally {
    thaw()
  }
  await expect.poll(told).toMatch(/^callgate_database_up 1$/m)
})

test('a database that is away is said to be away, with when to come again', async () => {
  const operator = new Person(stack.adminUrl)
  await operator.post('/login', { name: 'ann', token: operatorToken(stack.ctx.secrets) })
  await foundation.killDatabase()
  try {
    const ask = (): Promise<Response> =>
      fetch(`${stack.adminUrl}/operator/pauses`, {
        headers: { Authorization: `Bearer ${operatorToken(stack.ctx.secrets)}` },
      })
    // A connection may outlive the server's first process by a moment.
    await expect.poll(async () => (await ask()).status).toBe(503)
    const response = await ask()
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toMatchObject({ error: 'unavailable' })
    const page = await operator.get('/calls')
    expect([page.status, await page.text()]).toEqual([
      503,
      expect.stringContaining('may or may not have been recorded'),
    ])
  } finally {
    await foundation.startDatabase()
  }
})
