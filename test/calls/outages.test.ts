import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { startFoundation } from '../support/foundation.ts'
import type { Foundation } from '../support/foundation.ts'
import { balancedLedger } from '../support/ledger.ts'
import { queueRates } from '../support/rates.ts'
import type { Answer, TestUser } from '../support/user.ts'

/** What no answer may tell about the inside. */
const inside = /ECONN|ENOENT|terminat|postgres|pg_|SELECT|INSERT|UPDATE |gRPC|temporal|\.ts\b|node_modules|\n\s+at /i

/** Engine, database and app go away and come back, each killed as hard as it can be. */
describe('when what a call stands on goes away', () => {
  let foundation: Foundation
  let stack: Stack
  beforeAll(async () => {
    foundation = await startFoundation()
    stack = await startStack({ foundation })
  })
  afterAll(() => stack.stop())
  afterEach(async () => {
    await stack.sandbox.clearFaults()
    await pause(Math.max(0, engineKnown - Date.now()))
    await ready({ engine: true })
  })

  let engineKnown = 0

  async function startEngine(options?: { readonly empty: boolean }): Promise<void> {
    await foundation.startEngine(options)
    // A health check that began while it was away may say so for that long.
    engineKnown = Date.now() + 2_600
  }

  const effectsOf = (user: TestUser) => stack.sandbox.effects(user.account.seeded.account)
  const patient = { Prefer: 'wait=40' }
  const impatient = { Prefer: 'wait=0' }

  async function ready(wanted: Record<string, boolean>): Promise<void> {
    const health = async (): Promise<unknown> => (await fetch(`${stack.adminUrl}/readyz`)).json()
    await expect.poll(health, { interval: 100 }).toMatchObject(wanted)
  }

  async function written(): Promise<unknown> {
    const { rows } = await stack.ctx.db.query(
      `SELECT (SELECT count(*) FROM calls) AS calls, (SELECT count(*) FROM ledger) AS ledger,
         (SELECT count(*) FROM idempotency_keys) AS keys, (SELECT sum(available) FROM balances) AS available`,
    )
    return rows[0]
  }

  const note = (user: TestUser, contact: string, text: string, headers: Record<string, string> = patient) =>
    user.call('add_contact_note', { contact_id: contact, note: text }, headers)

  async function asked(user: TestUser, contact: string, message: string): Promise<string> {
    const answer = await user.call('reply_to_contact', { contact_id: contact, message })
    expect(answer.status).toBe(202)
    return String(answer.body['call_id'])
  }

  function expectUnavailable(answer: Answer): void {
    expect(answer.body).toMatchObject({ error: 'unavailable', request_id: expect.stringMatching(/^req_/) })
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(answer.headers.get('X-Credits-Used')).toBe('0')
    expect(JSON.stringify(answer.body)).not.toMatch(inside)
  }

  it('an engine that is known to be away: 503 for new calls, and nothing is written or charged', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    const done = await note(user, contact, 'Before', { 'Idempotency-Key': 'before' })
    const before = await written()
    await foundation.killEngine()
    await ready({ engine: false, database: true })
    try {
      // It is worth asking all the same: a balancer that took it out would leave nobody who answers.
      const { status } = await fetch(`${stack.adminUrl}/readyz`)
      const metrics = await (await fetch(`${stack.adminUrl}/metrics`)).text()
      expect([status, metrics]).toEqual([200, expect.stringContaining('\ncallgate_engine_up 0\n')])
      expectUnavailable(await user.call('list_listings'))
      expectUnavailable(await user.send('GET', '/property-advertising/list_listings'))
      expectUnavailable(await note(user, contact, 'While away', { 'Idempotency-Key': 'while-away' }))
      expectUnavailable(await user.call('reply_to_contact', { contact_id: contact, message: 'While away' }))
      expect(await written()).toEqual(before)
      // What was refused for another reason is still told that reason, and an earlier call is still answered for.
      expect((await user.call('get_listing', { listing_id: 7 })).body['error']).toBe('invalid_input')
      const again = await note(user, contact, 'Before', { 'Idempotency-Key': 'before' })
      expect([again.status, again.body, again.headers.get('Idempotent-Replayed')]).toEqual([200, done.body, 'true'])
    } finally {
      await startEngine()
    }
    await ready({ engine: true })
    expect((await note(user, contact, 'While away', { 'Idempotency-Key': 'while-away' })).status).toBe(200)
    expect(await effectsOf(user)).toHaveLength(2)
    await balancedLedger(stack.ctx, user.id)
  })

  it('an engine that dies after acceptance: 202 running, never a 5xx, and the call runs when it is back', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    await stack.stopWorker()
    const waiting = user.call('list_listings', { limit: 1 }, { Prefer: 'wait=4' })
    const queued = await note(user, contact, 'Queued', impatient)
    expect(queued.status).toBe(202)
    await foundation.killEngine()
    // In the moment of its death, before anybody knows.
    const moment = await Promise.all(
      Array.from({ length: 5 }, (_, i) => note(user, contact, `Moment ${i}`, { Prefer: 'wait=1' })),
    )
    const answer = await waiting
    expect([answer.status, answer.body['status']]).toEqual([202, 'running'])
    await ready({ engine: false })
    const callId = queued.body['call_id']
    expect(await user.record(callId)).toMatchObject({ status: 'running', waiting_for: 'engine', credits_used: 0 })

    await startEngine()
    await stack.startWorker()
    const accepted = moment.filter(({ status }) => status === 202)
    for (const refused of moment.filter(({ status }) => status !== 202)) expectUnavailable(refused)
    for (const { body } of [queued, answer, ...accepted])
      expect(await user.record(body['call_id'], 40)).toMatchObject({ status: 'executed' })
    expect(await effectsOf(user)).toHaveLength(1 + accepted.length)
    await balancedLedger(stack.ctx, user.id)
  })

  it('an engine that dies while the app works: the call is settled and answered all the same, once', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    await stack.sandbox.fault('slow', { ms: 2_500 })
    const sending = note(user, contact, 'Slow')
    await sendingBegan(user)
    await foundation.killEngine()
    const answer = await sending
    expect(answer.status).toBe(200)
    const callId = answer.headers.get('X-Request-Id')
    await startEngine()
    await ready({ engine: true })
    expect(await user.record(callId, 30)).toMatchObject({ status: 'executed', credits_used: 3 })
    await stack.ctx.temporal.workflow.getHandle(String(callId)).result()
    expect(await effectsOf(user)).toHaveLength(1)
    await balancedLedger(stack.ctx, user.id)
  })

  it('a decision made while the engine is away is heard of afterwards', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    const [yes, no] = [await asked(user, contact, 'Yes'), await asked(user, contact, 'No')]
    const person = await user.person()
    await foundation.killEngine()
    await ready({ engine: false })
    expect((await person.decide(yes, 'approve')).status).toBe(303)
    expect((await person.decide(no, 'reject')).status).toBe(303)
    expect((await person.decide(yes, 'reject').catch(() => undefined))?.status ?? 409).toBe(409)
    expect(await user.record(yes)).toMatchObject({ status: 'running', waiting_for: 'engine' })
    expect(await user.record(no)).toMatchObject({ status: 'rejected' })
    await startEngine()
    expect(await user.record(yes, 30)).toMatchObject({ status: 'executed', credits_used: 3 })
    await stack.ctx.temporal.workflow.getHandle(no).result()
    expect(await effectsOf(user)).toHaveLength(1)
    await balancedLedger(stack.ctx, user.id)
  })

  it('an engine that forgot everything gets its calls, its rates and its daily housekeeping back', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    const callId = await asked(user, contact, 'Remembered')
    await stack.stopWorker()
    const queued = await note(user, contact, 'Remembered', impatient)
    await foundation.killEngine()
    await ready({ engine: false })
    await startEngine({ empty: true })
    await ready({ engine: true })
    await stack.startWorker()
    expect(await user.record(queued.body['call_id'], 40)).toMatchObject({ status: 'executed' })
    expect((await user.approve(callId)).status).toBe(303)
    expect(await user.record(callId, 40)).toMatchObject({ status: 'executed' })
    expect(await effectsOf(user)).toHaveLength(2)
    await expect.poll(() => queueRates(stack.ctx)).toEqual({ perApp: 20, perAccount: 2 })
    const scheduled = () => stack.ctx.temporal.schedule.getHandle('callgate-housekeeping').describe()
    const action = () => scheduled().then((schedule) => schedule.action, String)
    await expect.poll(action).toMatchObject({ workflowType: 'housekeeping', taskQueue: 'callgate' })
    await balancedLedger(stack.ctx, user.id)
  })

  it('a database that does not say that calls have ended: they are answered all the same, by the engine', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    await stack.ctx.db.query('ALTER TABLE calls DISABLE TRIGGER calls_ended')
    try {
      const [read, write, callId] = await Promise.all([
        user.call('list_listings', { limit: 1 }, { Prefer: 'wait=20' }),
        note(user, contact, 'Unheard', { Prefer: 'wait=20' }),
        asked(user, contact, 'Unheard'),
      ])
      expect([read.status, write.status]).toEqual([200, 200])
      const record = user.record(callId, 40)
      expect((await user.approve(callId)).status).toBe(303)
      expect(await record).toMatchObject({ status: 'executed' })
    } finally {
      await stack.ctx.db.query('ALTER TABLE calls ENABLE TRIGGER calls_ended')
    }
    await balancedLedger(stack.ctx, user.id)
  })

  it('a connection that breaks while a call is being accepted: nobody is told 503 about a call that is written after all', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    const used: pg.PoolClient[] = []
    const use = (client: pg.PoolClient): void => void used.push(client)
    const holder = await stack.ctx.db.connect()
    stack.ctx.db.on('acquire', use)
    try {
      // Acceptance holds the owner's balance, and waits for the account.
      await holder.query('BEGIN')
      await holder.query('SELECT FROM accounts WHERE owner = $1 FOR UPDATE', [user.id])
      const answer = note(user, contact, 'Broken off', patient)
      const blocked = async (statement: string): Promise<readonly number[]> => {
        const { rows } = await stack.ctx.db.query<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`,
          [statement],
        )
        return rows.map(({ pid }) => pid)
      }
      await expect.poll(() => blocked('%accept_call(%')).toHaveLength(1)
      const [accepting] = await blocked('%accept_call(%')
      await used.find((client) => 'processID' in client && client.processID === accepting)?.end()
      await expect.poll(() => blocked('SELECT FROM balances%')).toHaveLength(1)
      expect(await blocked('%accept_call(%')).toEqual([accepting])
      await holder.query('ROLLBACK')
      expect((await answer).status).toBe(200)
    } finally {
      stack.ctx.db.off('acquire', use)
      holder.release(true)
    }
    expect(await effectsOf(user)).toHaveLength(1)
    await balancedLedger(stack.ctx, user.id)
  })

  it('a killed database: 503 everywhere, no word about the inside, and a waiting call is approved afterwards', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    const callId = await asked(user, contact, 'Approved after the crash')
    const person = await user.person()
    const form = await person.confirmForm(callId)
    const before = await written()
    await foundation.killDatabase()
    try {
      await ready({ database: false })
      expect((await fetch(`${stack.adminUrl}/readyz`)).status).toBe(503)
      expectUnavailable(await user.call('list_listings'))
      expectUnavailable(await note(user, contact, 'While away', { 'Idempotency-Key': 'database' }))
      expectUnavailable(await user.send('GET', `/calls/${callId}`))
      expectUnavailable(await user.send('GET', '/calls'))
      expectUnavailable(await user.cancel(callId))
      for (const path of ['/apps', '/property-advertising', '/property-advertising/endpoints/list_listings'])
        expectUnavailable(await user.send('GET', path))
      const pages = [
        await person.get(`/confirm/${callId}`),
        await person.post(`/confirm/${callId}`, { ...form, decision: 'approve' }),
        await person.post('/login', { email: user.email, password: user.password, csrf: 'x' }),
      ]
      for (const page of pages) {
        const text = await page.text()
        expect([403, 503]).toContain(page.status)
        expect(text.replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gs, '')).not.toMatch(inside)
      }
      expect(pages.slice(0, 2).map(({ status }) => status)).toEqual([503, 503])
    } finally {
      await foundation.startDatabase()
    }
    await ready({ database: true, engine: true })
    expect(await written()).toEqual(before)
    expect(await user.record(callId)).toMatchObject({ status: 'awaiting_confirmation' })
    expect((await person.post(`/confirm/${callId}`, { ...form, decision: 'approve' })).status).toBe(303)
    expect(await user.record(callId, 30)).toMatchObject({ status: 'executed', credits_used: 3 })
    expect(await effectsOf(user)).toHaveLength(1)
    expect((await note(user, contact, 'While away', { 'Idempotency-Key': 'database' })).status).toBe(200)
    await balancedLedger(stack.ctx, user.id)
  })

  it('a database killed while calls run: 202 running, and each ends as the app can witness', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    await stack.sandbox.fault('slow', { ms: 3_000, times: 2 })
    const writing = note(user, contact, 'Survives', { Prefer: 'wait=4' })
    const reading = user.call('list_listings', { limit: 1 }, { Prefer: 'wait=4' })
    await sendingBegan(user, 2)
    await foundation.killDatabase()
    const answers = await Promise.all([writing, reading])
    for (const answer of answers) expect([answer.status, answer.body['status']]).toEqual([202, 'running'])
    await foundation.startDatabase()
    await ready({ database: true, engine: true })
    // What the app answered was kept until there was somewhere to write it down.
    const [write, read] = await Promise.all(answers.map(({ body }) => user.record(body['call_id'], 30)))
    expect(write).toMatchObject({ status: 'executed', credits_used: 3 })
    expect(read).toMatchObject({ status: 'executed', credits_used: 1 })
    expect(await effectsOf(user)).toHaveLength(1)
    await balancedLedger(stack.ctx, user.id)
  })

  it('an app that is down: 502 app_error, a write has failed because nothing was sent, and nothing is charged', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    const callId = await asked(user, contact, 'To an app that is down')
    await stack.stopSandbox()
    try {
      const answers = [
        await user.call('list_listings', {}, patient),
        await note(user, contact, 'Into the void'),
        await user.call('mark_contact_handled', { contact_id: contact }, patient),
      ]
      for (const answer of answers) {
        expect(answer.body).toMatchObject({ error: 'app_error', request_id: expect.stringMatching(/^call_/) })
        expect(answer.status).toBe(502)
        expect(answer.headers.get('X-Credits-Used')).toBe('0')
        expect(await user.record(answer.body['request_id'])).toMatchObject({ status: 'failed', credits_used: 0 })
      }
      await user.approve(callId)
      expect(await user.record(callId, 20)).toMatchObject({ status: 'failed', error: { error: 'app_error' } })
    } finally {
      await stack.startSandbox()
    }
    expect((await user.call('list_listings')).status).toBe(200)
    expect(await effectsOf(user)).toEqual([])
    expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 2, reserved: 0 })
  })

  async function sendingBegan(user: TestUser, calls = 1): Promise<void> {
    const sending = async (): Promise<number | null> =>
      (
        await stack.ctx.db.query(`SELECT 1 FROM calls WHERE owner = $1 AND status = 'running' AND send = 'sending'`, [
          user.id,
        ])
      ).rowCount
    await expect.poll(sending, { interval: 50 }).toBe(calls)
  }
})
