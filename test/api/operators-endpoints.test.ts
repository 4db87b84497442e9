import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { applyPacing } from '../../core/temporal/pacing.ts'
import { setEndpointPaused } from '../../core/operators/pauses.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import { askAsOperator } from '../support/operator.ts'
import type { Told } from '../support/operator.ts'
import { forgetRates, queueRates } from '../support/rates.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'
const now = { Prefer: 'wait=0' }
let stack: Stack
let user: TestUser
beforeAll(async () => {
  stack = await startStack()
})
beforeEach(async () => {
  user = await stack.user()
})
afterEach(async () => {
  for (const endpoint of ['list_listings', 'list_contacts', 'add_contact_note', 'reply_to_contact'])
    await pause(endpoint, false)
  await stack.sandbox.clearFaults()
})
afterAll(() => stack.stop())

const pause = (endpoint: string, paused = true): Promise<void> =>
  setEndpointPaused(stack.ctx, { app, endpoint, paused }, 'operator:ann')

const operator = (method: string, route: string, body?: object): Promise<Told> =>
  askAsOperator(stack, method, route, body)

/** The call has come as far as the pause lets it: its run waits in the activity that looks after lost sends. */
async function isHeld(callId: unknown): Promise<void> {
  await expect
    .poll(
      async () => {
        const { raw } = await stack.ctx.temporal.workflow.getHandle(String(callId)).describe()
        return raw.pendingActivities?.map(({ activityType, lastFailure }) => [activityType?.name, lastFailure?.message])
      },
      { timeout: 120_000 },
    )
    .toEqual([['recover', 'held_by_operator']])
}

const historyLength = async (callId: unknown): Promise<number> =>
  (await stack.ctx.temporal.workflow.getHandle(String(callId)).describe()).historyLength

async function rowOf(callId: unknown): Promise<{ attempt: number; send: string } | undefined> {
  const { rows } = await stack.ctx.db.query<{ attempt: number; send: string }>(
    'SELECT attempt, send FROM calls WHERE id = $1',
    [callId],
  )
  return rows[0]
}
const attemptOf = async (callId: unknown) => (await rowOf(callId))?.attempt
const sendOf = async (callId: unknown) => (await rowOf(callId))?.send

const effects = () => stack.sandbox.effects(user.account.seeded.account)

test('a paused endpoint takes reads, which wait and go on when it is resumed; its neighbours are not held', async () => {
  const told = await operator('POST', `/apps/${app}/endpoints/list_listings`, { paused: true })
  expect(told.body).toMatchObject({ app, paused: false, paused_endpoints: ['list_listings'] })
  const waiting = await user.call('list_listings', { limit: 1 }, { Prefer: 'wait=1' })
  expect([waiting.status, waiting.body['status']]).toEqual([202, 'running'])
  const id = waiting.body['call_id']
  await isHeld(id)
  expect(await user.record(id)).toMatchObject({ status: 'running', waiting_for: 'operator' })
  const held = await operator('GET', `/calls?waiting_for=operator&owner=${user.email}`)
  expect(held.body['calls']).toMatchObject([{ call_id: id, waiting_for: 'operator', paused: 'endpoint' }])
  expect((await user.call('list_contacts')).status).toBe(200)

  await operator('POST', `/apps/${app}/endpoints/list_listings`, { paused: false })
  expect(await user.record(id, 20)).toMatchObject({ status: 'executed', credits_used: 1 })
  expect((await operator('GET', '/log?limit=2')).body['log']).toMatchObject([
    { actor: 'operator:ann', action: 'endpoint.paused', detail: { app, endpoint: 'list_listings', paused: false } },
    { actor: 'operator:ann', action: 'endpoint.paused', detail: { paused: true } },
  ])
})

test('a held write is sent once when it may, whoever approved it, and its history does not grow while it waits', async () => {
  const contact = await firstContact(user)
  const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'After the pause' })
  await pause('reply_to_contact')
  await pause('add_contact_note')
  const note = await user.call('add_contact_note', { contact_id: contact, note: 'Held' }, now)
  const reply = asked.body['call_id']
  await user.approve(reply)
  const ids = [reply, note.body['call_id']]
  for (const id of ids) await isHeld(id)
  const before = await Promise.all(ids.map(historyLength))
  // Two more looks at the pause, after 2 and 4 s.
  await sleep(7_000)
  expect(await Promise.all(ids.map(historyLength))).toEqual(before)
  expect(await effects()).toEqual([])
  for (const id of ids) expect(await user.record(id)).toMatchObject({ status: 'running', waiting_for: 'operator' })

  await pause('reply_to_contact', false)
  await pause('add_contact_note', false)
  for (const id of ids) expect(await user.record(id, 20)).toMatchObject({ status: 'executed', credits_used: 3 })
  expect(await effects()).toHaveLength(2)
  expect(await balancedLedger(stack.ctx, user.id)).toMatchObject({ captured: 7, reserved: 0 })
})

test('a pause that comes again and again ends no call, whatever number of tries it would have', async () => {
  const contact = await firstContact(user)
  await pause('add_contact_note')
  const note = await user.call('add_contact_note', { contact_id: contact, note: 'Again and again' }, now)
  const id = note.body['call_id']
  for (let round = 1; round <= 5; round++) {
    await isHeld(id)
    // Let go while its queue stands still, so that its next try meets the next pause.
    await forgetRates(stack.ctx, 0)
    await pause('add_contact_note', false)
    await expect.poll(() => attemptOf(id)).toBe(round)
    await pause('add_contact_note')
    await applyPacing(stack.ctx, app)
  }
  await isHeld(id)
  expect(await user.record(id)).toMatchObject({ status: 'running', waiting_for: 'operator' })
  await pause('add_contact_note', false)
  expect(await user.record(id, 20)).toMatchObject({ status: 'executed' })
  expect(await effects()).toHaveLength(1)
})

test('a pause of the app holds reads and writes from the moment it is saved, though the engine never took it', async () => {
  const contact = await firstContact(user)
  const reply = await user.call('reply_to_contact', { contact_id: contact, message: 'After the pause' })
  const usual = { perApp: 20, perAccount: 2 }
  await expect.poll(() => queueRates(stack.ctx)).toEqual(usual)
  // Saved, and nobody tells the engine.
  const save = (paused: boolean) =>
    stack.ctx.db.query(
      'INSERT INTO app_controls (app, paused) VALUES ($1, $2) ON CONFLICT (app) DO UPDATE SET paused = excluded.paused',
      [app, paused],
    )
  await save(true)
  try {
    const read = await user.call('list_listings', { limit: 1 }, now)
    const note = await user.call('add_contact_note', { contact_id: contact, note: 'Held' }, now)
    await user.approve(reply.body['call_id'])
    const ids = [read, note, reply].map(({ body }) => body['call_id'])
    for (const id of ids) {
      await isHeld(id)
      expect(await user.record(id)).toMatchObject({ status: 'running', waiting_for: 'operator', credits_used: 0 })
    }
    await expect.poll(() => queueRates(stack.ctx)).toEqual(usual)
    expect(await effects()).toEqual([])
    await save(false)
    for (const id of ids) expect(await user.record(id, 20)).toMatchObject({ status: 'executed' })
    expect(await effects()).toHaveLength(2)
    expect(await balancedLedger(stack.ctx, user.id)).toMatchObject({ captured: 8, reserved: 0 })
  } finally {
    await save(false)
  }
})

test('a held call is taken back at once, and nothing is sent or charged', async () => {
  const contact = await firstContact(user)
  await pause('add_contact_note')
  const note = await user.call('add_contact_note', { contact_id: contact, note: 'Taken back' }, now)
  const id = String(note.body['call_id'])
  await isHeld(id)
  expect((await user.cancel(id)).status).toBe(200)
  expect(await stack.ctx.temporal.workflow.getHandle(id).result()).toBe('cancelled')
  await pause('add_contact_note', false)
  expect(await user.record(id)).toMatchObject({ status: 'cancelled', credits_used: 0 })
  expect(await effects()).toEqual([])
  expect(await balancedLedger(stack.ctx, user.id)).toMatchObject({ captured: 1, reserved: 0 })
})

test('a held call ends, still during the pause, when its key is revoked or its account disconnected', async () => {
  const contact = await firstContact(user)
  const other = await stack.user()
  const [mine, theirs] = [contact, await firstContact(other)]
  await pause('add_contact_note')
  const one = await user.call('add_contact_note', { contact_id: mine, note: 'No key' }, now)
  const two = await other.call('add_contact_note', { contact_id: theirs, note: 'No account' }, now)
  const ids = [one.body['call_id'], two.body['call_id']].map(String)
  for (const id of ids) await isHeld(id)
  await stack.ctx.db.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [user.keyId])
  await stack.ctx.db.query(`UPDATE accounts SET state = 'disconnected', session = NULL WHERE id = $1`, [
    other.account.id,
  ])
  const ends = await Promise.all(ids.map((id) => stack.ctx.temporal.workflow.getHandle(id).result()))
  expect(ends).toEqual(['failed', 'failed'])
  const { rows } = await stack.ctx.db.query<{ error_code: string }>(
    'SELECT error_code FROM calls WHERE id = ANY($1) ORDER BY id',
    [ids],
  )
  expect(rows.map(({ error_code }) => error_code)).toEqual(['api_key_invalid', 'AUTH_REQUIRED'])
})

test('a read that the app failed once begins anew after the pause, with all its tries', async () => {
  await stack.sandbox.fault('error', { path: '/api/ads', times: 10 })
  const { body } = await user.call('list_listings', { limit: 1 }, now)
  const id = body['call_id']
  await expect.poll(() => sendOf(id), { interval: 20 }).toBe('sending')
  await pause('list_listings')
  await isHeld(id)
  expect(await sendOf(id)).toBe('ready')
  expect(await user.record(id)).toMatchObject({ status: 'running', waiting_for: 'operator' })
  await stack.sandbox.clearFaults()
  await stack.sandbox.fault('error', { path: '/api/ads', times: 2 })
  await pause('list_listings', false)
  expect(await user.record(id, 20)).toMatchObject({ status: 'executed' })
})

test('a held call outlives a new worker and a sweep that looks at it', async () => {
  const contact = await firstContact(user)
  await pause('add_contact_note')
  const note = await user.call('add_contact_note', { contact_id: contact, note: 'Outlives' }, now)
  const id = note.body['call_id']
  await isHeld(id)
  await stack.ctx.db.query('UPDATE calls SET check_at = clock_timestamp() WHERE id = $1', [id])
  await stack.stopWorker()
  await stack.startWorker()
  await sleep(1_500)
  expect(await user.record(id)).toMatchObject({ status: 'running', waiting_for: 'operator' })
  await pause('add_contact_note', false)
  expect(await user.record(id, 20)).toMatchObject({ status: 'executed' })
  expect(await effects()).toHaveLength(1)
})

test('names that are none are 404, with those that there are', async () => {
  const endpoint = await operator('POST', `/apps/${app}/endpoints/nothing`, { paused: true })
  expect(endpoint).toMatchObject({ status: 404, body: { error: 'unknown_endpoint' } })
  expect(endpoint.body['valid_names']).toContain('list_listings')
  const wrong = await operator('POST', '/apps/nothing/endpoints/list_listings', { paused: true })
  expect(wrong).toMatchObject({ status: 404, body: { error: 'unknown_app' } })
  expect(wrong.body['valid_names']).toContain(app)
  expect((await operator('POST', `/apps/${app}/endpoints/list_listings`, {})).body['error']).toBe('invalid_input')
})
