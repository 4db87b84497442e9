import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connect, disconnect } from '../../core/accounts/sessions.ts'
import { revokeKey } from '../../core/keys/rows.ts'
import { openPool } from '../../core/database/pool.ts'
import { rotateKey } from '../../core/keys/keys.ts'
import type { Stoppable } from '../../core/stoppable.ts'
import { liftPause, setAppPaused, setEndpointPaused } from '../../core/operators/pauses.ts'
import { setScope } from '../../core/accounts/settings.ts'
import { startSweeper } from '../../core/sweep/sweep.ts'
import type { Stack } from '../harness.ts'
import { askedReply, waitsFor } from '../support/asked-reply.ts'
import { startStackBehind } from '../support/between.ts'
import type { Between } from '../support/between.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import type { TestUser } from '../support/user.ts'

describe('what comes at a bad moment, or is broken for good', () => {
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

  /** The app keeps each answer to such a GET for itself until `goOn`; `asked` comes with the first. */
  function heldBack(page: RegExp) {
    const { promise: asked, resolve: arrived } = Promise.withResolvers<void>()
    const { promise: over, resolve: goOn } = Promise.withResolvers<void>()
    const held = { asked, goOn, times: 0, cookie: '' }
    between.instead = async ({ method, url = '' }, response) => {
      if (method !== 'GET' || !page.test(url)) return false
      held.times += 1
      arrived()
      await over
      if (held.cookie !== '') response.appendHeader('Set-Cookie', held.cookie)
      return false
    }
    return held
  }

  const ended = async (callId: string) => {
    await stack.ctx.temporal.workflow.getHandle(callId).result()
    const { rows } = await sql('SELECT status, error_code, credits_used FROM calls WHERE id = $1', [callId])
    return rows[0]
  }

  it('reads that let another one try first are not sent into the block that it meets', async () => {
    const user = await stack.user()
    await sql(
      `INSERT INTO pauses (account, endpoint, until, seconds) VALUES ($1, 'list_listings', clock_timestamp() - interval '1 second', 60)`,
      [user.account.id],
    )
    const app = heldBack(/\/api\/ads\b/)
    await stack.sandbox.fault('block', { times: 100 })
    const read = () => user.call('list_listings', { limit: 1 }, { Prefer: 'wait=0' })
    const ids = (await Promise.all([read(), read(), read()])).map(({ body }) => String(body['call_id']))
    await app.asked
    const { rows } = await sql<{ probe_call: string }>('SELECT probe_call FROM pauses WHERE account = $1', [
      user.account.id,
    ])
    const others = ids.filter((id) => id !== rows[0]?.probe_call)
    expect(others).toHaveLength(2)
    for (const id of others) await waitsFor(user, id, 'blocked')
    expect(app.times).toBe(1)
    app.goOn()
    for (const id of others) {
      const record = await user.record(id, 20)
      expect(record).toMatchObject({ status: 'failed', error: { error: 'TARGET_BLOCKED' }, credits_used: 0 })
      expect((record['error'] as { retry_after: number }).retry_after).toBeGreaterThan(0)
    }
    expect(await user.record(rows[0]?.probe_call, 20)).toMatchObject({ error: { error: 'TARGET_BLOCKED' } })
    // The one that was blocked: four times.
    expect(app.times).toBe(4)
    expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 0, reserved: 0 })
  })

  it.each([
    ['its key is revoked', 'api_key_invalid', (user: TestUser) => revokeKey(stack.ctx, user.id, user.keyId)],
    ['its action is forbidden', 'SCOPE_DENIED', (user: TestUser) => setScope(stack.ctx, user.id, app, 'read')],
    ['its account goes', 'AUTH_REQUIRED', (user: TestUser) => disconnect(stack.ctx, user.id, user.account.id)],
  ])('a write is not sent when %s while the app is slow to give the page before it', async (_name, code, change) => {
    const user = await stack.user()
    const contact_id = await firstContact(user)
    const page = heldBack(/\/api\/session$/)
    const { body } = await user.call('add_contact_note', { contact_id, note: 'Too late' }, { Prefer: 'wait=0' })
    await page.asked
    await change(user)
    page.goOn()
    expect(await ended(String(body['call_id']))).toEqual({ status: 'failed', error_code: code, credits_used: 0 })
    expect(page.times).toBe(1)
    expect(await writes(user)).toBe(0)
    expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 1, reserved: 0 })
  })

  it('a write whose key is replaced and ended while the app is slow to give the page before it is sent, once', async () => {
    const user = await stack.user()
    const contact_id = await firstContact(user)
    const page = heldBack(/\/api\/session$/)
    const { body } = await user.call('add_contact_note', { contact_id, note: 'Goes on' }, { Prefer: 'wait=0' })
    await page.asked
    expect(await rotateKey(stack.ctx, user.id, user.keyId, 0)).toHaveProperty('key')
    page.goOn()
    expect(await ended(String(body['call_id']))).toEqual({ status: 'executed', error_code: null, credits_used: 3 })
    expect(await writes(user)).toBe(1)
  })

  it.each([
    [
      'the endpoint',
      (paused: boolean) => setEndpointPaused(stack.ctx, { app, endpoint: 'reply_to_contact', paused }, 'test'),
    ],
    [
      'the app, which the engine has not taken,',
      (paused: boolean) =>
        stack.ctx.db.query(
          'INSERT INTO app_controls (app, paused) VALUES ($1, $2) ON CONFLICT (app) DO UPDATE SET paused = excluded.paused',
          [app, paused],
        ),
    ],
  ])(
    'an operator’s pause of %s holds a write whose page before it is slow, and it is sent once afterwards',
    async (_what, pause) => {
      const user = await stack.user()
      const callId = await askedReply(user, 'After the pause')
      await user.approve(callId, () => stack.sandbox.fault('block', { times: 1 }))
      await waitsFor(user, callId, 'blocked')
      const page = heldBack(/\/inbox\/[^/]+$/)
      await liftPause(stack.ctx, user.account.id, 'reply_to_contact', user.id)
      await page.asked
      await pause(true)
      try {
        page.goOn()
        const pending = async () => {
          const { raw } = await stack.ctx.temporal.workflow.getHandle(callId).describe()
          return raw.pendingActivities?.map(({ activityType, lastFailure }) => [
            activityType?.name,
            lastFailure?.message,
          ])
        }
        await expect.poll(pending).toEqual([['recover', 'held_by_operator']])
        // It waits for the app no more.
        expect(await user.record(callId)).toMatchObject({ status: 'running', waiting_for: 'operator' })
        expect(await writes(user)).toBe(0)
      } finally {
        await pause(false)
      }
      expect(await user.record(callId, 20)).toMatchObject({ status: 'executed' })
      expect(await writes(user)).toBe(1)
      await balancedLedger(stack.ctx, user.id)
    },
  )

  it('a cookie that comes with an answer after the account was disconnected is not kept', async () => {
    const user = await stack.user()
    const answer = heldBack(/\/api\/ads\b/)
    answer.cookie = 'seen=1; Path=/'
    const { body } = await user.call('list_listings', { limit: 1 }, { Prefer: 'wait=0' })
    await answer.asked
    await disconnect(stack.ctx, user.id, user.account.id)
    answer.goOn()
    expect(await ended(String(body['call_id']))).toMatchObject({ status: 'executed' })
    const { rows } = await sql('SELECT state, session FROM accounts WHERE id = $1', [user.account.id])
    expect(rows).toEqual([{ state: 'disconnected', session: null }])
  })

  it('a call whose account can be opened no more ends, and is answered for', async () => {
    const user = await stack.user()
    const callId = await askedReply(user, 'Sealed for good')
    await setAppPaused(stack.ctx, app, true, 'test')
    await user.approve(callId)
    await sql(`UPDATE accounts SET data_key = convert_to('gone', 'UTF8') || '\\x00'::bytea || data_key WHERE id = $1`, [
      user.account.id,
    ])
    await setAppPaused(stack.ctx, app, false, 'test')
    expect(await user.record(callId, 20)).toMatchObject({ status: 'failed', credits_used: 0 })
    const { rows } = await sql('SELECT attempt, error_code FROM calls WHERE id = $1', [callId])
    expect(rows).toEqual([{ attempt: 0, error_code: 'internal' }])
    expect(await writes(user)).toBe(0)
    await balancedLedger(stack.ctx, user.id)
  })

  it('one call that cannot be looked after keeps no other from it', async () => {
    const user = await stack.user()
    const [poison, held] = [await askedReply(user, 'Poison'), await askedReply(user, 'Held')]
    await user.approve(poison)
    expect(await user.record(poison, 20)).toMatchObject({ status: 'executed' })
    await stack.ctx.temporal.workflow.getHandle(poison).result()
    // As an older copy of the database has it: the engine knows better, so it is to end as unknown.
    await sql(
      `UPDATE calls SET status = 'awaiting_confirmation', decision = NULL, decided_at = NULL, decided_by = NULL, send = 'ready' WHERE id = $1`,
      [poison],
    )
    await user.approve(held, () => stack.sandbox.fault('block', { times: 1 }))
    await waitsFor(user, held, 'blocked')
    await sql(
      `CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF OLD.id = TG_ARGV[0] AND NEW.status <> OLD.status THEN RAISE EXCEPTION 'not this one'; END IF; RETURN NEW; END $$`,
    )
    await sql(
      `CREATE TRIGGER refuse_poison BEFORE UPDATE ON calls FOR EACH ROW EXECUTE FUNCTION refuse_poison('${poison}')`,
    )
    try {
      await sql('UPDATE calls SET check_at = now() WHERE id = $1', [poison])
      await sleep(1_500)
      await liftPause(stack.ctx, user.account.id, 'reply_to_contact', user.id)
      expect(await user.record(held, 15)).toMatchObject({ status: 'executed' })
    } finally {
      await sql('DROP TRIGGER refuse_poison ON calls; DROP FUNCTION refuse_poison()')
    }
    await sql('UPDATE calls SET check_at = now() WHERE id = $1', [poison])
    expect(await user.record(poison, 15)).toMatchObject({ status: 'unknown' })
  })

  it('who signs in again while an answer to the old session is on its way need not do so twice', async () => {
    const user = await stack.user()
    const callId = await askedReply(user, 'Signed in meanwhile')
    const { promise: signedIn, resolve: goOn } = Promise.withResolvers<void>()
    const { promise: sent, resolve: arrived } = Promise.withResolvers<void>()
    let refused = false
    between.instead = async (request, response) => {
      if (refused || request.method !== 'POST' || !request.url?.endsWith('/reply')) return false
      refused = true
      arrived()
      await signedIn
      response.writeHead(302, { Location: `/${app}/sign-in`, 'Set-Cookie': 'visitor=1; Path=/' }).end()
      return true
    }
    await user.approve(callId)
    await sent
    const { account: externalId, label, session } = user.account.seeded
    expect(await connect(stack.ctx, { owner: user.id, app, externalId, label, session })).toBe(user.account.id)
    goOn()
    expect(await user.record(callId, 25)).toMatchObject({ status: 'executed' })
    expect(await writes(user)).toBe(1)
    await balancedLedger(stack.ctx, user.id)
  })

  it('a database that may only be read for a while: 503, and what the app answered is written down afterwards', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    await user.person()
    const writable = encodeURIComponent('-c default_transaction_read_only=off')
    const operator = new pg.Client({ connectionString: `${stack.ctx.config.databaseUrl}&options=${writable}` })
    await operator.connect()
    const { rows } = await operator.query<{ name: string }>('SELECT current_database() AS name')
    const others = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
    await stack.sandbox.fault('slow', { ms: 3_000 })
    const writing = user.call('add_contact_note', { contact_id: contact, note: 'Kept' }, { Prefer: 'wait=2' })
    const sending = async () =>
      (await sql(`SELECT FROM calls WHERE owner = $1 AND status = 'running' AND send = 'sending'`, [user.id])).rowCount
    await expect.poll(sending, { interval: 50 }).toBe(1)
    await operator.query(`ALTER DATABASE ${rows[0]?.name} SET default_transaction_read_only = on`)
    await operator.query(others)
    try {
      const answer = await writing
      expect([answer.status, answer.body['status']]).toEqual([202, 'running'])
      await expect
        .poll(async () => (await user.call('list_listings', { limit: 1 })).status, { interval: 500 })
        .toBe(503)
      await sleep(2_000)
    } finally {
      await operator.query(`ALTER DATABASE ${rows[0]?.name} RESET default_transaction_read_only`)
      await operator.query(others)
      await operator.end()
    }
    const callId = (await writing).body['call_id']
    await expect.poll(async () => (await user.record(callId))['status'], { interval: 500 }).toBe('executed')
    expect(await writes(user)).toBe(1)
    await balancedLedger(stack.ctx, user.id)
  })

  it('a clock that goes back over the beginning of a month: calls are made and settled all the same', async () => {
    const user = await stack.user()
    expect((await user.call('list_listings', { limit: 1 })).status).toBe(200)
    // As if the month that now is had ended, and the next one had begun for this owner.
    await sql(
      `INSERT INTO ledger (owner, kind, amount, month) SELECT owner, 'lapse', available, month FROM balances WHERE owner = $1`,
      [user.id],
    )
    await sql(
      `INSERT INTO ledger (owner, kind, amount, month) SELECT $1, 'grant', 100000, (month + interval '1 month')::date
       FROM balances WHERE owner = $1`,
      [user.id],
    )
    await sql(`UPDATE balances SET available = 100000, month = (month + interval '1 month')::date WHERE owner = $1`, [
      user.id,
    ])
    const contact = await firstContact(user)
    const note = await user.call('add_contact_note', { contact_id: contact, note: 'Next month' })
    expect(note.status).toBe(200)
    const callId = await askedReply(user, 'Not now')
    await user.reject(callId)
    expect(await balancedLedger(stack.ctx, user.id)).toMatchObject({ reserved: 0 })
    const { rows } = await sql(
      `SELECT month = this_month() AS this, sum(CASE WHEN kind IN ('grant', 'release') THEN amount
         WHEN kind IN ('lapse', 'reserve') THEN -amount ELSE 0 END)::integer AS left
       FROM ledger WHERE owner = $1 GROUP BY 1 ORDER BY 1`,
      [user.id],
    )
    const { rows: balance } = await sql<{ available: number }>('SELECT available FROM balances WHERE owner = $1', [
      user.id,
    ])
    expect(rows).toEqual([
      { this: false, left: balance[0]?.available },
      { this: true, left: 0 },
    ])
  })

  it('a reservation that arrives when its call has ended reserves nothing', async () => {
    const user = await stack.user()
    const callId = await askedReply(user, 'Over')
    await user.reject(callId)
    expect((await sql('SELECT reserve_credits($1) AS reserved', [callId])).rows).toEqual([{ reserved: false }])
    expect((await balancedLedger(stack.ctx, user.id)).reserved).toBe(0)
  })

  it('who leads the sweeping and says nothing more leads no more', async () => {
    const leader = async () => {
      const { rows } = await sql<{ pid: number; name: string }>(
        `SELECT pid, application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE locktype = 'advisory' AND objid = 7233299 AND granted AND datname = current_database()`,
      )
      return rows[0]
    }
    const db = openPool(`${stack.ctx.config.databaseUrl}&application_name=silent`, stack.ctx.log, 5)
    // Sweeps once, and then not for an hour: as good as stopped.
    const startSilent = () => startSweeper({ ...stack.ctx, db }, 3_600_000, 2_000)
    await expect.poll(leader).toBeDefined()
    let silent: Stoppable | undefined
    try {
      // On a busy machine the other one may be first.
      while ((await leader())?.name !== 'silent') {
        await silent?.stop()
        await sql('SELECT pg_terminate_backend($1, 5000)', [(await leader())?.pid])
        silent = startSilent()
        await sleep(500)
      }
      await expect.poll(async () => (await leader())?.name).not.toBe('silent')
      await expect.poll(leader).toBeDefined()
    } finally {
      await silent?.stop()
      await db.end()
    }
  })
})
