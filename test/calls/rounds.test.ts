import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setConfirm } from '../../core/accounts/settings.ts'
import { hidden } from '../../scripts/browsing.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { exchange } from '../../connectors/runtime/exchange.ts'
import { followsTasks } from '../mcp/asking.ts'
import { send } from '../mcp/raw.ts'
import type { TestUser } from '../support/user.ts'
import { firstContact } from '../support/contacts.ts'
import { ownOrigin } from '../../connectors/runtime/site.ts'

describe('rounds of asking', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())

  async function listing(user: TestUser): Promise<Record<string, unknown>> {
    const { body } = await user.call('list_listings', { status: 'active', limit: 1 })
    return (body['listings'] as Record<string, unknown>[])[0]!
  }

  /** A call that waits, and was looked up. */
  async function asked(user: TestUser, price: number): Promise<{ callId: string; listingId: unknown }> {
    const { listing_id: listingId } = await listing(user)
    const answer = await user.call('update_listing', { listing_id: listingId, fields: { price } })
    expect([answer.status, answer.body['status']]).toEqual([202, 'awaiting_confirmation'])
    const callId = String(answer.body['call_id'])
    expect(await column(callId, 'preview IS NOT NULL AND request IS NOT NULL')).toBe(true)
    return { callId, listingId }
  }

  async function column(callId: string, what: string): Promise<unknown> {
    const { rows } = await stack.ctx.db.query<{ it: unknown }>(`SELECT ${what} AS it FROM calls WHERE id = $1`, [
      callId,
    ])
    return rows[0]?.it
  }

  /** By the row: a key may not ask for its records so often. */
  async function untilRound(callId: string, round: number): Promise<void> {
    await expect.poll(() => column(callId, `status || ' ' || round`)).toBe(`awaiting_confirmation ${round}`)
  }

  const age = (callId: string) =>
    stack.ctx.db.query(`UPDATE calls SET previewed_at = previewed_at - interval '2 minutes' WHERE id = $1`, [callId])

  /** Somebody changes the listing in the app itself. */
  async function changeInApp(user: TestUser, listingId: unknown, description: string): Promise<void> {
    const app = stack.ctx.apps.get('property-advertising')!
    const { outcome } = await exchange({
      endpoint: app.endpoints.get('update_listing')!,
      input: { listing_id: listingId, fields: { description } },
      session: user.account.seeded.session,
      origin: ownOrigin(app),
      cursorKey: Buffer.alloc(32),
      fence: () => Promise.resolve(true),
    })
    expect(outcome.kind).toBe('ok')
  }

  it('asks again when what matters has changed since, and sends what was approved then', async () => {
    const user = await stack.user()
    const { callId, listingId } = await asked(user, 777_000)
    await age(callId)
    await changeInApp(user, listingId, 'Changed behind the back, in the app itself.')
    expect((await user.approve(callId)).status).toBe(303)
    await untilRound(callId, 2)
    const record = await user.record(callId)
    const rounds = [{ by: 'owner', approved_at: expect.any(String), ended_at: expect.any(String) }]
    expect(record).toMatchObject({ status: 'awaiting_confirmation', asked_again: 1, rounds })
    expect(record).not.toHaveProperty('decision')
    const task = { method: 'tasks/get', params: { taskId: callId }, capabilities: followsTasks }
    const { result } = await send(`${stack.publicUrl}/mcp`, user.key, task)
    expect(result['statusMessage']).toMatch(
      /^The person had approved it; .* asked once more\. Nothing has been sent yet/,
    )
    const page = await (await (await user.person()).get(`/calls/${callId}`)).text()
    expect(page).toMatch(/Approved by you, time 1[^]*Not sent: what it is about had changed in .*Asked again, time 2/)
    const before = (await stack.sandbox.effects(user.account.seeded.account)).length
    expect((await user.approve(callId)).status).toBe(303)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed', asked_again: 1, credits_used: 3 })
    expect(await stack.sandbox.effects(user.account.seeded.account)).toHaveLength(before + 1)
  })

  it('gives up after three rounds', async () => {
    const user = await stack.user()
    const { callId, listingId } = await asked(user, 778_000)
    for (const round of [1, 2, 3]) {
      await age(callId)
      await changeInApp(user, listingId, `Changed behind the back, for the ${round}th time.`)
      expect((await user.approve(callId)).status).toBe(303)
      if (round < 3) await untilRound(callId, round + 1)
    }
    expect(await user.record(callId, 20)).toMatchObject({
      status: 'failed',
      error: { error: 'changed_since', http_status: 409 },
      asked_again: 2,
      credits_used: 0,
    })
  })

  it('sends at once where nothing that matters has changed, however long it waited', async () => {
    const user = await stack.user()
    const { callId } = await asked(user, 779_000)
    await age(callId)
    expect((await user.approve(callId)).status).toBe(303)
    const record = await user.record(callId, 20)
    expect(record).toMatchObject({ status: 'executed' })
    expect(record).not.toHaveProperty('asked_again')
  })

  it('does not ask about what the app surely refuses', async () => {
    const user = await stack.user()
    const gone = await user.call('update_listing', { listing_id: '999999999', fields: { price: 5 } })
    expect([gone.status, gone.body]).toMatchObject([422, { error: 'app_rejected', app_code: expect.any(String) }])
    expect(await user.record(gone.body['request_id'])).toMatchObject({ status: 'failed', credits_used: 0 })
    const contact = await user.call('reply_to_contact', { contact_id: await firstContact(user), message: 'Hello' })
    expect(contact.status).toBe(202)
  })

  it('takes no decision of an earlier round', async () => {
    const user = await stack.user()
    const { callId, listingId } = await asked(user, 781_000)
    await age(callId)
    const person = await user.person()
    const text = await (await person.get(`/confirm/${callId}`)).text()
    const form = { csrf: hidden(text, 'csrf'), approval_hash: hidden(text, 'approval_hash'), decision: 'approve' }
    await age(callId)
    await changeInApp(user, listingId, 'Changed after the page was opened.')
    expect((await person.post(`/confirm/${callId}`, form)).status).toBe(303)
    await untilRound(callId, 2)
    expect((await person.post(`/confirm/${callId}`, form)).status).toBe(409)
    expect((await person.post(`/confirm/${callId}`, { ...form, decision: 'reject' })).status).toBe(409)
    expect(await column(callId, 'status')).toBe('awaiting_confirmation')
    expect((await user.reject(callId)).status).toBe(303)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'rejected', asked_again: 1, credits_used: 0 })
  })

  it('expires in the second round by a time of its own', async () => {
    const user = await stack.user()
    await setConfirm(stack.ctx, user.id, 'property-advertising', 'update_listing', { expirySeconds: 20 })
    const { callId, listingId } = await asked(user, 782_000)
    const first = await column(callId, 'expires_at')
    await age(callId)
    await changeInApp(user, listingId, 'Changed before it expires.')
    expect((await user.approve(callId)).status).toBe(303)
    await untilRound(callId, 2)
    expect(Number(await column(callId, 'expires_at'))).toBeGreaterThan(Number(first))
    await expect.poll(() => column(callId, 'status')).toBe('expired')
    expect(await user.record(callId)).toMatchObject({ status: 'expired', asked_again: 1, credits_used: 0 })
  })

  it('is not lost when its worker dies between the second look and the right to send', async () => {
    const user = await stack.user()
    const { callId } = await asked(user, 783_000)
    await age(callId)
    await stack.stopWorker()
    const worker = await stack.workerProcess({ NODE_ENV: 'test', CALLGATE_FAIL_POINT: 'second-look.done' })
    expect((await user.approve(callId)).status).toBe(303)
    await once(worker, 'exit')
    expect(worker.signalCode).toBe('SIGKILL')
    expect(await column(callId, `status || ' ' || send`)).toBe('running ready')
    expect(await stack.sandbox.effects(user.account.seeded.account)).toEqual([])
    await stack.startWorker()
    await expect.poll(() => column(callId, 'status')).toBe('executed')
    expect(await stack.sandbox.effects(user.account.seeded.account)).toHaveLength(1)
  })

  it.each([
    ['before what was looked up is kept', 'prepare.before-commit', 'awaiting_confirmation 1'],
    ['after it asked again', 'send.before-report', 'awaiting_confirmation 2'],
  ])('goes on when its worker dies %s', async (_when, point, then) => {
    const user = await stack.user()
    const isAsked = point === 'send.before-report'
    const { listing_id: listingId } = await listing(user)
    const early = isAsked ? await asked(user, 784_000) : undefined
    await stack.stopWorker()
    const worker = await stack.workerProcess({ NODE_ENV: 'test', CALLGATE_FAIL_POINT: point })
    const died = once(worker, 'exit')
    if (early) {
      await age(early.callId)
      await changeInApp(user, early.listingId, 'Changed before its worker dies.')
      expect((await user.approve(early.callId)).status).toBe(303)
    }
    const late = early
      ? undefined
      : await user.call('update_listing', { listing_id: listingId, fields: { price: 785_000 } })
    const callId = early?.callId ?? String(late?.body['call_id'])
    await died
    expect(worker.signalCode).toBe('SIGKILL')
    await stack.startWorker()
    await expect.poll(() => column(callId, `status || ' ' || round`)).toBe(then)
    await expect.poll(() => column(callId, 'preview IS NOT NULL AND prepare_at IS NULL')).toBe(true)
    expect((await user.approve(callId)).status).toBe(303)
    await expect.poll(() => column(callId, 'status')).toBe('executed')
  })

  it.each(['the engine forgot its run', 'an older copy of the database was put back'])(
    'goes on in the second round when %s',
    async (what) => {
      const user = await stack.user()
      const { callId, listingId } = await asked(user, 786_000)
      const { db, temporal } = stack.ctx
      await db.query('CREATE TABLE older AS SELECT * FROM calls WHERE id = $1', [callId])
      await age(callId)
      await changeInApp(user, listingId, 'Changed before the restore.')
      expect((await user.approve(callId)).status).toBe(303)
      await untilRound(callId, 2)
      const before = (await stack.sandbox.effects(user.account.seeded.account)).length
      if (what.startsWith('the engine')) await temporal.workflow.getHandle(callId).terminate('forgotten')
      else {
        await db.query('DELETE FROM rounds WHERE call_id = $1', [callId])
        await db.query(
          `UPDATE calls c SET round = o.round, revision = o.revision, attempt = o.attempt, request = o.request, preview = o.preview,
             previewed_at = o.previewed_at, expires_at = o.expires_at FROM older o WHERE c.id = o.id`,
        )
      }
      await db.query('DROP TABLE older')
      await db.query('UPDATE calls SET check_at = clock_timestamp() WHERE id = $1', [callId])
      expect((await user.approve(callId)).status).toBe(303)
      await expect.poll(() => column(callId, 'status')).toBe('executed')
      expect(await stack.sandbox.effects(user.account.seeded.account)).toHaveLength(before + 1)
    },
  )
})
