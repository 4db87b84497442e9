import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { watchLoad } from '../../core/admission.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import type { TestUser } from '../support/user.ts'

/** A process that has more to do than it may refuses what is new, before anything is written, and goes on with all else. */
describe('a process that has too much to do', () => {
  let stack: Stack
  let stop: AbortController
  beforeAll(async () => {
    stop = new AbortController()
    stack = await startStack({
      settings: {
        ADMIT_ACCEPTING: '3',
        ADMIT_DATABASE_WAITS: '30',
        ADMIT_LOOP_DELAY_MS: '400',
        ADMIT_WORKFLOW_TASKS: '2',
      },
    })
  })
  afterAll(async () => {
    stop.abort()
    await stack.stop()
  })

  const metric = async (line: string): Promise<number> => {
    const said = await (await fetch(`${stack.adminUrl}/metrics`)).text()
    return Number(
      said
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.split(' ')[1] ?? 0,
    )
  }
  const refusals = (signal: string) => metric(`callgate_admission_refusals_total{signal="${signal}"}`)
  const load = (signal: string) => metric(`callgate_admission_load{signal="${signal}"}`)

  async function written(): Promise<unknown> {
    const { rows } = await stack.ctx.db.query(
      `SELECT (SELECT count(*) FROM calls) AS calls, (SELECT count(*) FROM ledger) AS ledger,
         (SELECT count(*) FROM idempotency_keys) AS keys, (SELECT sum(available) FROM balances) AS available`,
    )
    return rows[0]
  }

  /** Whoever calls meanwhile waits in acceptance. */
  async function whileLocked(user: TestUser, work: () => Promise<void>): Promise<void> {
    const holder = await stack.ctx.db.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT FROM balances WHERE owner = $1 FOR UPDATE', [user.id])
    try {
      await work()
    } finally {
      await holder.query('ROLLBACK')
      holder.release()
    }
  }

  it('takes no new call while too many are in acceptance; reads, replays and decisions go on', async () => {
    const [busy, other] = [await stack.user(), await stack.user()]
    const contact = await firstContact(other)
    const once = { 'Idempotency-Key': 'before' }
    const done = await other.call('list_listings', { limit: 1 }, once)
    const asked = await other.call('reply_to_contact', { contact_id: contact, message: 'Still decided' })
    const person = await other.person()
    const before = await written()
    let taken: readonly Promise<{ readonly status: number }>[] = []
    await whileLocked(busy, async () => {
      taken = [1, 2, 3].map((limit) => busy.call('list_listings', { limit }))
      await expect.poll(() => load('accepting')).toBe(1)
      for (const refused of [
        await other.call('list_listings', { limit: 2 }),
        await other.call('list_listings', { limit: 2 }, { 'Idempotency-Key': 'meanwhile' }),
        await other.call('reply_to_contact', { contact_id: contact, message: 'Not now' }),
        await other.send('GET', '/property-advertising/list_listings'),
      ]) {
        expect([refused.status, refused.body['error'], refused.headers.get('x-credits-used')]).toEqual([
          ...[503, 'unavailable', '0'],
        ])
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(refused.body['message']).toMatch(/more to do right now than it can take\. Nothing was accepted/)
      }
      expect(await written()).toEqual(before)
      expect(await refusals('accepting')).toBe(4)

      const again = await other.call('list_listings', { limit: 1 }, once)
      expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([200, done.body, 'true'])
      expect((await other.send('GET', '/apps')).status).toBe(200)
      expect((await other.send('GET', '/calls')).status).toBe(200)
      expect((await person.get(`/confirm/${String(asked.body['call_id'])}`)).status).toBe(200)
      expect((await person.decide(String(asked.body['call_id']), 'approve')).status).toBe(303)
      expect(await other.record(asked.body['call_id'], 20)).toMatchObject({ status: 'executed' })
    })
    expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await other.call('list_listings', { limit: 2 })).status).toBe(200)
    await balancedLedger(stack.ctx, other.id)
  })

  it('and while too many requests wait for a connection to the database', async () => {
    const user = await stack.user()
    expect((await user.call('list_listings', { limit: 1 })).status).toBe(200)
    const { db } = stack.ctx
    // As long as it lasts, a hundred others wait, too.
    const others: Promise<unknown>[] = []
    const rush = setInterval(() => {
      while (db.waitingCount < 100) others.push(db.query('SELECT pg_sleep(0.1)'))
    }, 2)
    const told = async () => {
      const { status, body } = await user.call('list_listings', { limit: 1 })
      return [status, body['error']]
    }
    await expect
      .poll(told)
      .toEqual([503, 'unavailable'])
      .finally(() => clearInterval(rush))
    await Promise.all(others)
    expect(await refusals('database')).toBeGreaterThan(0)
    expect((await user.call('list_listings', { limit: 1 })).status).toBe(200)
  })

  it('and while its event loop is slow turn after turn, though not for one long turn', async () => {
    const user = await stack.user()
    const block = (ms: number): void => {
      const until = Date.now() + ms
      while (Date.now() < until);
    }
    block(3_000)
    expect((await user.call('list_listings', { limit: 1 })).status).toBe(200)
    const blocking = setInterval(() => block(600), 1)
    try {
      await expect
        .poll(async () => (await user.call('list_listings', { limit: 1 })).status, { interval: 700 })
        .toBe(503)
    } finally {
      clearInterval(blocking)
    }
    expect(await refusals('event_loop')).toBeGreaterThan(0)
    await expect.poll(async () => (await user.call('list_listings', { limit: 1 })).status, { interval: 700 }).toBe(200)
  })

  it('and while tasks of workflows pile up that nobody takes', async () => {
    const admission = watchLoad(stack.ctx, stop.signal, 'nobody')
    const start = (workflowId: string) =>
      stack.ctx.temporal.workflow.start('call', { workflowId, taskQueue: 'nobody', args: [] })
    const first = await start('stands-1')
    await expect.poll(() => admission.load().workflows).toBe(0.5)
    expect(admission.refusal()).toBeUndefined()
    const second = await start('stands-2')
    await expect.poll(() => admission.refusal()).toBe('workflows')
    await first.terminate()
    await second.terminate()
  })
})
