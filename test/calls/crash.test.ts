import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import type { TestUser } from '../support/user.ts'

/** Processes die, and the call ends in the one status that is true. */
describe('when a process is killed', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ worker: false })
  })
  afterAll(() => stack.stop())
  afterEach(() => stack.sandbox.clearFaults())

  const effectsOf = (user: TestUser) => stack.sandbox.effects(user.account.seeded.account)

  async function sending(callId: string): Promise<void> {
    await expect
      .poll(
        async () =>
          (await stack.ctx.db.query<{ send: string }>('SELECT send FROM calls WHERE id = $1', [callId])).rows[0]?.send,
        {
          timeout: 120_000,
          interval: 50,
        },
      )
      .toBe('sending')
  }

  it('a write whose worker dies while the app works on it is unknown, and is not sent again', async () => {
    const worker = await stack.workerProcess()
    const user = await stack.user()
    const contact = await firstContact(user)
    await stack.sandbox.fault('slow', { ms: 4_000 })
    const answer = await user.call('add_contact_note', { contact_id: contact, note: 'x' }, { Prefer: 'wait=0' })
    expect(answer.body).toMatchObject({ status: 'running' })
    const callId = String(answer.body['call_id'])
    await sending(callId)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    const successor = await stack.workerProcess()
    expect(await user.record(callId, 30)).toMatchObject({ status: 'unknown', credits_used: 0 })
    expect((await effectsOf(user)).length).toBeLessThanOrEqual(1)
    await balancedLedger(stack.ctx, user.id)
    successor.kill('SIGKILL')
    await once(successor, 'exit')
  })

  it('a read whose worker dies is read again by the next', async () => {
    const worker = await stack.workerProcess()
    const user = await stack.user()
    await stack.sandbox.fault('slow', { ms: 8_000 })
    const answer = await user.call('list_listings', {}, { Prefer: 'wait=0' })
    const callId = String(answer.body['call_id'])
    await sending(callId)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    await stack.sandbox.clearFaults()
    const successor = await stack.workerProcess()
    expect(await user.record(callId, 30)).toMatchObject({ status: 'executed', credits_used: 1 })
    await balancedLedger(stack.ctx, user.id)
    successor.kill('SIGTERM')
    await once(successor, 'exit')
  })

  it('a call accepted while no worker runs waits for pacing, and is sent once when one comes', async () => {
    const user = await stack.user()
    const answer = await user.call('list_listings', {}, { Prefer: 'wait=0' })
    expect(answer.status).toBe(202)
    expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
    const callId = String(answer.body['call_id'])
    expect(await user.record(callId)).toMatchObject({ status: 'running', waiting_for: 'pacing' })
    const worker = await stack.workerProcess()
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed' })
    worker.kill('SIGTERM')
    const [code] = (await once(worker, 'exit')) as [number]
    expect(code).toBe(0)
  })

  it('a call that the engine never heard of is started by the sweeper', async () => {
    const user = await stack.user()
    await stack.startWorker()
    const { accept } = await import('../../core/calls/accept.ts')
    const endpoint = stack.ctx.apps.get('property-advertising')?.endpoints.get('list_listings')
    if (endpoint === undefined) throw new Error('no endpoint')
    const { callId } = await accept(stack.ctx, {
      owner: user.id,
      keyId: user.keyId,
      endpoint,
      input: { status: 'active', operation: 'all', limit: 2 },
      account: undefined,
      idempotencyKey: undefined,
    })
    expect(await user.record(callId)).toMatchObject({ status: 'running', waiting_for: 'engine' })
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed' })
    await stack.stopWorker()
  })

  it('a run that somebody terminates is started again, and its call is sent', async () => {
    const user = await stack.user()
    const answer = await user.call('list_listings', {}, { Prefer: 'wait=0' })
    const callId = String(answer.body['call_id'])
    await stack.ctx.temporal.workflow.getHandle(callId).terminate('by hand')
    await stack.startWorker()
    expect(await user.record(callId, 30)).toMatchObject({ status: 'executed', credits_used: 1 })
    await balancedLedger(stack.ctx, user.id)
    await stack.stopWorker()
  })
})
