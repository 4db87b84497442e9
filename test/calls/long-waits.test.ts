import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { tsToMs } from '@temporalio/common/lib/time.js'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { liftPause, setAppPaused } from '../../core/operators/pauses.ts'
import type { Stack } from '../harness.ts'
import { askedReply, waitsFor } from '../support/asked-reply.ts'
import { startStackBehind } from '../support/between.ts'
import type { Between } from '../support/between.ts'
import { balancedLedger } from '../support/ledger.ts'
import type { TestUser } from '../support/user.ts'

/** The engine ends a run whose history has 51,200 events: what goes on for hours or days must leave few. */
describe('what goes on for long', () => {
  let between: Between
  let stack: Stack
  let stop: () => Promise<void>
  beforeAll(async () => {
    ;({ between, stack, stop } = await startStackBehind())
  })
  afterAll(() => stop())
  afterEach(async () => {
    between.instead = () => Promise.resolve(false)
    await stack.sandbox.clearFaults()
  })

  const app = 'property-advertising'
  const sql = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    stack.ctx.db.query<Row>(text, values)
  const writes = async (user: TestUser) => (await stack.sandbox.effects(user.account.seeded.account)).length

  async function events(callId: string) {
    const { events: all } = await stack.ctx.temporal.workflow.getHandle(callId).fetchHistory()
    return all ?? []
  }

  async function attempt(callId: string): Promise<number> {
    const { rows } = await sql<{ attempt: number }>('SELECT attempt FROM calls WHERE id = $1', [callId])
    return rows[0]?.attempt ?? -1
  }

  it('a call whose wait is over, in line at a paused app: it is told so a few times, not every second', async () => {
    const user = await stack.user()
    const callId = await askedReply(user, 'In line')
    await user.approve(callId, () => stack.sandbox.fault('block', { times: 1 }))
    await waitsFor(user, callId, 'blocked')
    await setAppPaused(stack.ctx, app, true, 'test')
    try {
      await liftPause(stack.ctx, user.account.id, 'reply_to_contact', user.id)
      await sleep(12_000)
      const signals = (await events(callId)).filter((event) => event.workflowExecutionSignaledEventAttributes != null)
      expect(signals.length).toBeGreaterThan(0)
      expect(signals.length).toBeLessThanOrEqual(12)
      // What it waits for now is the operator.
      await waitsFor(user, callId, 'operator')
    } finally {
      await setAppPaused(stack.ctx, app, false, 'test')
    }
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed' })
    expect(await writes(user)).toBe(1)
    await balancedLedger(stack.ctx, user.id)
  })

  it('an app that says "too many, come back at once" all the time is asked less and less often', async () => {
    const user = await stack.user()
    const callId = await askedReply(user, 'Later')
    await user.approve(callId, () => stack.sandbox.fault('rate_limit', { times: 1_000, retry_after: 0 }))
    await sleep(10_000)
    // At 0, 1, 3 and 7 s.
    expect(await attempt(callId)).toBeLessThanOrEqual(5)
    await expect.poll(() => attempt(callId)).toBeGreaterThan(1)
    await stack.sandbox.clearFaults()
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed' })
    expect(await writes(user)).toBe(1)
  })

  it('an account that works for reads and not for a write: the write is not tried at each read', async () => {
    const user = await stack.user()
    const callId = await askedReply(user, 'Second factor')
    let tries = 0
    between.instead = (request, response) => {
      if (request.method !== 'POST' || !request.url?.endsWith('/reply')) return Promise.resolve(false)
      tries += 1
      response.writeHead(302, { Location: `/${app}/security/code` }).end()
      return Promise.resolve(true)
    }
    await user.approve(callId)
    await waitsFor(user, callId, 'reconnect')
    for (let read = 0; read < 12; read++) {
      expect((await user.call('list_listings', { limit: 1 })).status).toBe(200)
      await sleep(800)
    }
    expect(tries).toBeGreaterThan(1)
    expect(tries).toBeLessThanOrEqual(6)
    expect(await user.record(callId)).toMatchObject({ status: 'running', waiting_for: 'reconnect' })
    await user.cancel(callId)
    expect(await writes(user)).toBe(0)
  })

  it('a database whose clock is behind that of the engine is asked less and less often whether the time is over', async () => {
    const user = await stack.user()
    await sql(
      `INSERT INTO endpoint_settings (owner, app, endpoint, expiry_seconds) VALUES ($1, $2, 'reply_to_contact', 2)`,
      [user.id, app],
    )
    const callId = await askedReply(user, 'Whose clock')
    // For the engine the time is over in 2 s, for the database in 12.
    await sql(`UPDATE calls SET expires_at = expires_at + interval '10 seconds' WHERE id = $1`, [callId])
    await sleep(10_000)
    expect((await events(callId)).length).toBeLessThanOrEqual(44)
    expect(await user.record(callId, 20)).toMatchObject({ status: 'expired' })
  })

  it('a call whose every try dies at once is tried less and less often, and goes through when the cause is gone', async () => {
    const user = await stack.user()
    const callId = await askedReply(user, 'Dies')
    await user.person()
    // What sending reads, and nothing else.
    await setAppPaused(stack.ctx, app, true, 'test')
    await user.approve(callId)
    await sql('ALTER TABLE pauses RENAME COLUMN until TO til')
    try {
      await setAppPaused(stack.ctx, app, false, 'test')
      await sleep(15_000)
      expect(await attempt(callId)).toBeLessThanOrEqual(10)
      await expect.poll(() => attempt(callId)).toBeGreaterThan(5)
    } finally {
      await sql('ALTER TABLE pauses RENAME COLUMN til TO until')
    }
    expect(await user.record(callId, 40)).toMatchObject({ status: 'executed' })
    const recoveries = (await events(callId))
      .map((event) => event.activityTaskScheduledEventAttributes)
      .filter((scheduled) => scheduled?.activityType?.name === 'recover')
    expect(recoveries.length).toBeGreaterThan(5)
    for (const scheduled of recoveries) expect(tsToMs(scheduled?.retryPolicy?.maximumInterval)).toBe(10_000)
    expect(await writes(user)).toBe(1)
    await balancedLedger(stack.ctx, user.id)
  })

  it('housekeeping does not wait for the accounts of an app that an operator has paused', async () => {
    await stack.user()
    await setAppPaused(stack.ctx, app, true, 'test')
    try {
      const house = { taskQueue: 'callgate', workflowId: randomUUID(), workflowExecutionTimeout: '15s' } as const
      await stack.ctx.temporal.workflow.execute('housekeeping', house)
    } finally {
      await setAppPaused(stack.ctx, app, false, 'test')
    }
  })
})
