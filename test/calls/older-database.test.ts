import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import type { TestUser } from '../support/user.ts'

/** The row of a call as an older copy of the database has it; `npm run restore-drill` does it with the real files. */
describe('when Postgres was put back to an older copy', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ worker: false })
  })
  afterAll(() => stack.stop())
  afterEach(() => stack.sandbox.clearFaults())

  const effectsOf = (user: TestUser) => stack.sandbox.effects(user.account.seeded.account)

  async function asked(user: TestUser): Promise<string> {
    const answer = await user.call('reply_to_contact', { contact_id: await firstContact(user), message: 'Yes.' })
    expect(answer.body).toMatchObject({ status: 'awaiting_confirmation' })
    return String(answer.body['call_id'])
  }

  /** A call is final a moment before its run is. */
  const runOver = (callId: string) => stack.ctx.temporal.workflow.getHandle(callId).result()

  const notYetDecided = (callId: string) =>
    stack.ctx.db.query(
      `UPDATE calls SET status = 'awaiting_confirmation', decision = NULL, decided_at = NULL, decided_by = NULL,
         approval_proof = NULL, send = 'ready', attempt = 0, credits_used = 0, output = NULL, check_at = clock_timestamp()
       WHERE id = $1`,
      [callId],
    )

  /** What the engine heard last of the call's send. */
  async function lastWordOf(callId: string): Promise<unknown> {
    const { raw } = await stack.ctx.temporal.workflow.getHandle(callId).describe()
    const [word] = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads ?? []
    return word?.data && JSON.parse(Buffer.from(word.data).toString())
  }

  async function sending(callId: string): Promise<void> {
    const read = async () =>
      (await stack.ctx.db.query<{ send: string }>('SELECT send FROM calls WHERE id = $1', [callId])).rows[0]?.send
    await expect.poll(read, { interval: 50 }).toBe('sending')
  }

  it('a call that was approved and sent since is unknown, and is not sent again', async () => {
    await stack.startWorker()
    const user = await stack.user()
    const callId = await asked(user)
    await user.approve(callId)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed' })
    await runOver(callId)
    await notYetDecided(callId)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'unknown' })
    expect(await effectsOf(user)).toHaveLength(1)
    await stack.stopWorker()
  })

  it('a call that was rejected since is asked about again: only its person ends it', async () => {
    await stack.startWorker()
    const user = await stack.user()
    const callId = await asked(user)
    await user.reject(callId)
    await runOver(callId)
    await notYetDecided(callId)
    const run = stack.ctx.temporal.workflow.getHandle(callId)
    await expect.poll(async () => (await run.describe()).status.name).toBe('RUNNING')
    expect(await user.record(callId)).toMatchObject({ status: 'awaiting_confirmation' })
    await user.reject(callId)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'rejected' })
    expect(await effectsOf(user)).toEqual([])
    await stack.stopWorker()
  })

  it.each([
    ['a write that the copy has as not yet sent', false],
    ['a write that the copy has as not yet approved', true],
  ])('%s, although its bytes were out when its worker died, is unknown, and is not sent again', async (_, confirm) => {
    const worker = await stack.workerProcess()
    const user = await stack.user()
    const contact = await firstContact(user)
    const input = confirm ? undefined : { contact_id: contact, note: 'x' }
    const callId = input ? '' : await asked(user)
    await stack.sandbox.fault('slow', { ms: 12_000 })
    if (input === undefined) await user.approve(callId)
    const answer = input && (await user.call('add_contact_note', input, { Prefer: 'wait=0' }))
    const id = answer ? String(answer.body['call_id']) : callId
    await sending(id)
    await expect.poll(() => effectsOf(user)).toHaveLength(1)
    // A call that was approved is not asked about again, even if the worker's last word was lost with it: it said before what it was about.
    if (!confirm) await expect.poll(() => lastWordOf(id)).toMatch(/^begun\./)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    if (confirm) await notYetDecided(id)
    else await stack.ctx.db.query(`UPDATE calls SET send = 'ready' WHERE id = $1`, [id])
    await stack.sandbox.clearFaults()
    await stack.startWorker()
    expect(await user.record(id, 30)).toMatchObject({ status: 'unknown', credits_used: 0 })
    expect(await effectsOf(user)).toHaveLength(1)
    await stack.stopWorker()
  })

  it('a run whose call the database does not know sends nothing, and ends', async () => {
    const user = await stack.user()
    const answer = await user.call('list_listings', {}, { Prefer: 'wait=0' })
    const callId = String(answer.body['call_id'])
    const run = stack.ctx.temporal.workflow.getHandle(callId)
    await run.describe()
    await stack.ctx.db.query(`ALTER TABLE ledger DISABLE TRIGGER ledger_append_only`)
    await stack.ctx.db.query('DELETE FROM ledger WHERE call_id = $1', [callId])
    await stack.ctx.db.query('DELETE FROM calls WHERE id = $1', [callId])
    await stack.startWorker()
    await expect(run.result()).rejects.toThrow()
    await stack.stopWorker()
  })
})
