import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import type { FaultKind } from '../support/sandbox.ts'
import type { Answer, TestUser } from '../support/user.ts'

const patient = { Prefer: 'wait=50' }

/** Each row of the contract's fault table, for a read, for a write, and for a write after an approval. */
describe('when the app misbehaves', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())
  afterEach(() => stack.sandbox.clearFaults())

  const read = (user: TestUser): Promise<Answer> => user.call('list_listings', { limit: 1 }, patient)

  async function approvedReply(user: TestUser, contact: string): Promise<unknown> {
    const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'Yes.' })
    expect(asked.status).toBe(202)
    return asked.body['call_id']
  }

  const note = (user: TestUser, contact: string): Promise<Answer> =>
    user.call('add_contact_note', { contact_id: contact, note: 'Called back.' }, patient)

  const writesOf = async (user: TestUser) => (await stack.sandbox.effects(user.account.seeded.account)).length

  async function expectFailed(user: TestUser, answer: Answer, status: number, code: string): Promise<void> {
    expect(answer.body).toMatchObject({ error: code, request_id: expect.stringMatching(/^call_/) })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('X-Credits-Used')).toBe('0')
    const record = await user.record(answer.body['request_id'])
    expect(record).toMatchObject({ status: 'failed', error: { error: code, http_status: status }, credits_used: 0 })
    expect(record['output']).toBeUndefined()
  }

  async function expectUnknown(user: TestUser, answer: Answer): Promise<void> {
    expect(answer.body).toMatchObject({ status: 'unknown', call_id: expect.any(String), message: expect.any(String) })
    expect(answer.status).toBe(202)
    expect(answer.headers.get('Location')).toContain(`/calls/${String(answer.body['call_id'])}`)
    expect(answer.headers.get('X-Credits-Used')).toBe('0')
    expect(await user.record(answer.body['call_id'])).toMatchObject({ status: 'unknown', credits_used: 0 })
  }

  async function waitingFor(user: TestUser, callId: unknown, reason: string): Promise<Record<string, unknown>> {
    for (let tries = 0; tries < 40; tries++) {
      const record = await user.record(callId)
      if (record['waiting_for'] === reason) return record
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    throw new Error(`the call does not wait for ${reason}: ${JSON.stringify(await user.record(callId))}`)
  }

  describe('block', () => {
    it('is got over by trying again, without an approval after 1, 2 and 4 seconds', async () => {
      const user = await stack.user()
      await stack.sandbox.fault('block', { times: 2 })
      const began = Date.now()
      expect((await read(user)).status).toBe(200)
      expect(Date.now() - began).toBeGreaterThan(2_900)
      expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 1, reserved: 0 })
    })

    it.each(['read', 'write'])('ends a %s after four attempts with 503, a Retry-After and a refund', async (access) => {
      const user = await stack.user()
      const contact = await firstContact(user)
      await stack.sandbox.fault('block', { times: 100 })
      const answer = access === 'read' ? await read(user) : await note(user, contact)
      await expectFailed(user, answer, 503, 'TARGET_BLOCKED')
      const pauseLeft = async () => {
        const { rows } = await stack.ctx.db.query<{ left: number }>(
          'SELECT extract(epoch FROM until - clock_timestamp())::float8 AS left FROM pauses WHERE account = $1',
          [user.account.id],
        )
        return rows[0]!.left
      }
      const left = Number(answer.headers.get('Retry-After'))
      expect(left).toBeGreaterThanOrEqual(await pauseLeft())
      expect(left).toBeLessThanOrEqual(60)
      expect(await writesOf(user)).toBe(0)
      const { rows } = await stack.ctx.db.query(
        `SELECT kind, count(*)::integer AS n FROM ledger WHERE call_id = $1 GROUP BY kind ORDER BY kind`,
        [answer.body['request_id']],
      )
      expect(rows).toEqual([
        { kind: 'release', n: 4 },
        { kind: 'reserve', n: 4 },
      ])

      // The endpoint is paused for this account: refused at once, and nothing is written.
      await stack.sandbox.clearFaults()
      const refused = access === 'read' ? await read(user) : await note(user, contact)
      expect(refused.status).toBe(503)
      expect(refused.body).toMatchObject({ error: 'TARGET_BLOCKED' })
      expect(refused.headers.get('X-Request-Id')).toMatch(/^req_/)
      // What is left of the pause, to the second; without it an agent would ask all the time, or never again.
      const wait = Number(refused.headers.get('Retry-After'))
      expect(wait).toBeGreaterThanOrEqual(await pauseLeft())
      expect(wait).toBeLessThanOrEqual(left)
      expect(refused.body['retry_after']).toBe(wait)
      // Other endpoints of the account are not.
      expect((await user.call('get_conversation', { contact_id: contact })).status).toBe(200)
    })

    it('keeps an approved write waiting, and lifting the pause lets it go', async () => {
      const user = await stack.user()
      const callId = await approvedReply(user, await firstContact(user))
      await user.approve(callId, () => stack.sandbox.fault('block', { times: 1 }))
      const record = await waitingFor(user, callId, 'blocked')
      expect(record).toMatchObject({ status: 'running', retry_at: expect.any(String), credits_used: 0 })
      expect(Date.parse(String(record['retry_at'])) - Date.now()).toBeGreaterThan(0)
      expect((await balancedLedger(stack.ctx, user.id)).reserved).toBe(0)

      const { liftPause } = await import('../../core/operators/pauses.ts')
      await liftPause(stack.ctx, user.account.id, 'reply_to_contact', user.id)
      expect(await user.record(callId, 20)).toMatchObject({ status: 'executed', credits_used: 3 })
      expect(await writesOf(user)).toBe(1)
      await balancedLedger(stack.ctx, user.id)
    })

    it('doubles the pause when the probe is blocked again, and one probe at a time goes', async () => {
      const user = await stack.user()
      const contact = await firstContact(user)
      const callId = await approvedReply(user, contact)
      await user.approve(callId, () => stack.sandbox.fault('block', { times: 2 }))
      await waitingFor(user, callId, 'blocked')
      await stack.ctx.db.query(`UPDATE pauses SET until = clock_timestamp() WHERE account = $1`, [user.account.id])
      const { nudgeCall } = await import('../../core/temporal/call-runs.ts')
      await nudgeCall(stack.ctx, String(callId))
      await expect
        .poll(
          async () => {
            const { rows } = await stack.ctx.db.query<{ seconds: number; probe_call: string | null }>(
              'SELECT seconds, probe_call FROM pauses WHERE account = $1',
              [user.account.id],
            )
            return rows[0]
          },
          { timeout: 120_000 },
        )
        .toEqual({ seconds: 120, probe_call: null })
      expect(await writesOf(user)).toBe(0)
      await user.cancel(callId)
      expect(await user.record(callId, 5)).toMatchObject({ status: 'cancelled' })
      await balancedLedger(stack.ctx, user.id)
    })
  })

  describe.each([
    ['expire', 'AUTH_EXPIRED'],
    ['captcha', 'CAPTCHA_REQUIRED'],
    ['mfa', 'MFA_REQUIRED'],
  ] as const)('%s', (kind, code) => {
    it(`ends a read and a write with ${code} and a connect_url`, async () => {
      const user = await stack.user()
      const contact = await firstContact(user)
      await stack.sandbox.fault(kind)
      const refusedRead = await read(user)
      await expectFailed(user, refusedRead, 409, code)
      expect(refusedRead.body['connect_url']).toContain('/connect/property-advertising')
      await expectFailed(user, await note(user, contact), 409, code)
      expect(await writesOf(user)).toBe(0)
      await balancedLedger(stack.ctx, user.id)
    })

    it('keeps an approved write waiting for the person, without a second approval or charge', async () => {
      const user = await stack.user()
      const callId = await approvedReply(user, await firstContact(user))
      await user.approve(callId, () => stack.sandbox.fault(kind))
      const record = await waitingFor(user, callId, 'reconnect')
      expect(record['connect_url']).toContain('/connect/property-advertising')
      expect((await balancedLedger(stack.ctx, user.id)).reserved).toBe(3)

      await stack.sandbox.clearFaults()
      const { connect } = await import('../../core/accounts/sessions.ts')
      const { account, label, session } = user.account.seeded
      const again = { owner: user.id, app: stack.sandbox.slug, externalId: account, label, session }
      expect(await connect(stack.ctx, again)).toBe(user.account.id)
      expect(await user.record(callId, 20)).toMatchObject({ status: 'executed', credits_used: 3 })
      expect(await writesOf(user)).toBe(1)
      await balancedLedger(stack.ctx, user.id)
    })
  })

  it('an approved write that waits for its person ends when they disconnect the account instead', async () => {
    const user = await stack.user()
    const callId = await approvedReply(user, await firstContact(user))
    await user.approve(callId, () => stack.sandbox.fault('expire'))
    await waitingFor(user, callId, 'reconnect')
    const { disconnect } = await import('../../core/accounts/sessions.ts')
    expect(await disconnect(stack.ctx, user.id, user.account.id)).toBe(true)
    expect(await user.record(callId, 20)).toMatchObject({
      status: 'failed',
      error: { error: 'AUTH_REQUIRED', connect_url: expect.stringContaining('/connect/property-advertising') },
      credits_used: 0,
    })
    expect(await writesOf(user)).toBe(0)
    expect((await balancedLedger(stack.ctx, user.id)).reserved).toBe(0)
  })

  describe('rate_limit', () => {
    it('is waited out within the wait, for a read and a write, and pauses nothing', async () => {
      const user = await stack.user()
      const contact = await firstContact(user)
      await stack.sandbox.fault('rate_limit')
      expect((await read(user)).status).toBe(200)
      await stack.sandbox.fault('rate_limit')
      expect((await note(user, contact)).status).toBe(200)
      expect(await writesOf(user)).toBe(1)
      const { rows } = await stack.ctx.db.query('SELECT 1 FROM pauses WHERE account = $1', [user.account.id])
      expect(rows).toEqual([])
    })

    it('ends with 503 TARGET_BLOCKED when the app wants more time than a client waits', async () => {
      const user = await stack.user()
      await stack.sandbox.fault('rate_limit', { times: 1, retry_after: 120 })
      const answer = await read(user)
      await expectFailed(user, answer, 503, 'TARGET_BLOCKED')
      // The app's own time, and nothing is paused.
      const left = Number(answer.headers.get('Retry-After'))
      expect(left).toBeGreaterThanOrEqual(100)
      expect(left).toBeLessThanOrEqual(120)
      expect(answer.body['retry_after']).toBe(left)
      expect((await read(user)).status).toBe(200)
    })
  })

  it.each([
    ['error', 502, 'app_error'],
    ['drop_before', 504, 'app_timeout'],
    ['drop_after', 504, 'app_timeout'],
  ] as const)('%s: a read is tried three times, then ends with %i %s', async (kind, status, code) => {
    const user = await stack.user()
    await stack.sandbox.fault(kind, { times: 2 })
    expect((await read(user)).status).toBe(200)
    await stack.sandbox.fault(kind, { times: 3 })
    await expectFailed(user, await read(user), status, code)
    expect((await read(user)).status).toBe(200)
    await balancedLedger(stack.ctx, user.id)
  })

  it.each(['garbage', 'huge'] as const)('%s: a read ends at once with 502 app_changed', async (kind) => {
    const user = await stack.user()
    await stack.sandbox.fault(kind)
    await expectFailed(user, await read(user), 502, 'app_changed')
    await balancedLedger(stack.ctx, user.id)
  })

  const acted: readonly (readonly [FaultKind, number])[] = [
    ['error', 0],
    ['drop_before', 0],
    ['drop_after', 1],
    ['garbage', 1],
    ['huge', 1],
  ]
  it.each(acted)('%s: a write is unknown, never sent again, and the app acted %i times', async (kind, effects) => {
    const user = await stack.user()
    const contact = await firstContact(user)
    await stack.sandbox.fault(kind)
    await expectUnknown(user, await note(user, contact))
    expect(await writesOf(user)).toBe(effects)
    expect(await balancedLedger(stack.ctx, user.id)).toMatchObject({ reserved: 0 })
  })

  it.each(acted)('%s: an approved write is unknown too', async (kind, effects) => {
    const user = await stack.user()
    const callId = await approvedReply(user, await firstContact(user))
    await user.approve(callId, () => stack.sandbox.fault(kind))
    expect(await user.record(callId, 20)).toMatchObject({ status: 'unknown', credits_used: 0 })
    expect(await writesOf(user)).toBe(effects)
  })

  it('slow: a read over 15 s an attempt is tried again, then ends with 504; a write is unknown', async () => {
    const [reader, writer] = [await stack.user(), await stack.user()]
    const contact = await firstContact(writer)
    // Three tries of the read, the write, and the look whether it happened.
    await stack.sandbox.fault('slow', { times: 5, ms: 17_000 })
    // Three times 15 s, and the pauses: what a client waits for at most is over just after.
    const again = () => reader.call('list_listings', { limit: 1 }, { Prefer: 'wait=0', 'Idempotency-Key': 'slow' })
    const [begun, unknown] = await Promise.all([again(), note(writer, contact)])
    expect(begun.status).toBe(202)
    await expectUnknown(writer, unknown)
    expect(await reader.record(begun.body['call_id'], 50)).toMatchObject({ status: 'failed' })
    await expectFailed(reader, await again(), 504, 'app_timeout')
  })
})
