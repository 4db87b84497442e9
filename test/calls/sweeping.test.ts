import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dueCalls } from '../../core/calls/due.ts'
import type { DueKind } from '../../core/calls/due.ts'
import { reconcileCalls } from '../../core/calls/reconcile.ts'
import { endStuckRuns } from '../../core/calls/stuck-runs.ts'
import { openPool } from '../../core/database/pool.ts'
import { rewrapDataKeys } from '../../core/secrets/rotation.ts'
import type { Stoppable } from '../../core/stoppable.ts'
import { startSweeper } from '../../core/sweep/sweep.ts'
import { freePort } from '../../local-services/dev-server.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { endLeadership } from '../support/leadership.ts'
import { StrangersRun } from '../support/stranger.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

test('what cannot be cleared away keeps no call from being looked after', async () => {
  const user = await stack.user()
  const contact = await firstContact(user)
  const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'Still looked after' })
  const callId = String(asked.body['call_id'])
  await stack.ctx.db.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$;
    CREATE TRIGGER refuse BEFORE DELETE ON web_sessions FOR EACH STATEMENT EXECUTE FUNCTION refuse()`)
  try {
    await endLeadership(stack)
    const run = stack.ctx.temporal.workflow.getHandle(callId)
    await run.terminate('by hand')
    await stack.ctx.db.query('UPDATE calls SET check_at = now() WHERE id = $1', [callId])
    await expect.poll(async () => (await run.describe()).status.name).toBe('RUNNING')
    await user.cancel(callId)
  } finally {
    await stack.ctx.db.query('DROP TRIGGER refuse ON web_sessions; DROP FUNCTION refuse()')
  }
})

test('a run whose tasks fail again and again ends when its call is over, and is begun again when it is not', async () => {
  const { ctx } = stack
  const user = await stack.user()
  const contact = await firstContact(user)
  const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'Still asked' })
  const read = await user.call('list_listings', {}, { Prefer: 'wait=0' })
  const [waiting, final] = [asked, read].map(({ body }) => String(body['call_id'])) as [string, string]
  expect(await user.record(final, 20)).toMatchObject({ status: 'executed' })
  // Else the sweeper finds a stranger there before its tasks have failed often enough.
  await ctx.db.query(`UPDATE calls SET check_at = now() + interval '1 day' WHERE id = $1`, [waiting])
  for (const run of [await StrangersRun.start(stack, final), await StrangersRun.start(stack, waiting)])
    for (let times = 0; times < 5; times++) await run.fail()
  const described = (id: string) => ctx.temporal.workflow.getHandle(id).describe()
  const { restarted } = ctx.engine.stuck
  // What is listed is written down by the engine a moment later.
  await expect
    .poll(
      async () => {
        await endStuckRuns(ctx)
        return [(await described(final)).status.name, ctx.engine.stuck.restarted > restarted]
      },
      { timeout: 120_000, interval: 500 },
    )
    .toEqual(['TERMINATED', true])
  await expect
    .poll(async () => [(await described(waiting)).status.name, (await described(waiting)).taskQueue], {
      timeout: 120_000,
      interval: 200,
    })
    .toEqual(['RUNNING', 'callgate'])
  await user.approve(waiting)
  expect(await user.record(waiting, 20)).toMatchObject({ status: 'executed' })
})

test('addresses that fell silent are forgotten, those whose tries were all given back too', async () => {
  const { db } = stack.ctx
  await db.query(
    `INSERT INTO rate_limits (bucket, hits) VALUES ('login-ip:given-back', '{}'),
       ('login-ip:silent', ARRAY[now() - interval '2 hours']), ('login-ip:young', ARRAY[now() - interval '2 hours', now()])`,
  )
  await endLeadership(stack)
  const left = async (): Promise<unknown[]> =>
    (await db.query<{ bucket: string }>(`SELECT bucket FROM rate_limits WHERE bucket ~ '^login-ip:[a-z]'`)).rows.map(
      ({ bucket }) => bucket,
    )
  await expect.poll(left).toEqual(['login-ip:young'])
})

test('a connection that was only asked for the lead is given back as it was', async () => {
  const { db } = stack.ctx
  const second = startSweeper(stack.ctx, 20)
  await sleep(500)
  await second.stop()
  // All may be in use for a moment.
  await expect.poll(() => db.idleCount).toBeGreaterThan(0)
  const clients = await Promise.all(Array.from({ length: db.idleCount }, () => db.connect()))
  const listeners = clients.map((client) => client.listenerCount('error'))
  for (const client of clients) client.release()
  expect(new Set(listeners)).toEqual(new Set([1]))
})

/** Lets no statement on these rows end before what it gives back is called. */
async function hold(statement: string): Promise<() => Promise<void>> {
  const client = await stack.ctx.db.connect()
  await client.query('BEGIN')
  await client.query(statement)
  return async () => {
    await client.query('ROLLBACK')
    client.release()
  }
}

test('a rotation of keys and a clean-up that last long hold up no call, and the lead is not lost', async () => {
  const user = await stack.user()
  const contact = await firstContact(user)
  const { body } = await user.call('reply_to_contact', { contact_id: contact, message: 'Meanwhile' })
  const callId = String(body['call_id'])
  // Both come to a row that somebody else holds.
  const db = openPool(`${stack.ctx.config.databaseUrl}&application_name=patient`, stack.ctx.log, 10)
  const { secrets } = stack.ctx
  const ours = [...secrets.kek]
  const newKey = ['k9', randomBytes(32)] as const
  const release = await hold('LOCK TABLE web_sessions IN EXCLUSIVE MODE; SELECT FROM accounts FOR NO KEY UPDATE')
  const ctx = { ...stack.ctx, db, secrets: { ...secrets, kek: new Map([...ours, newKey]) } }
  const leader = async () =>
    (
      await stack.ctx.db.query<{ name: string; pid: number }>(
        `SELECT application_name AS name, pid FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE locktype = 'advisory' AND objid = 7233299 AND granted AND datname = current_database()`,
      )
    ).rows[0]
  let sweeper: Stoppable | undefined
  try {
    sweeper = startSweeper(ctx, 50, 1_000)
    let first = await leader()
    for (; first?.name !== 'patient'; first = await leader()) {
      await stack.ctx.db.query('SELECT pg_terminate_backend($1, 5000)', [first?.pid])
      await sleep(100)
    }
    const run = stack.ctx.temporal.workflow.getHandle(callId)
    await run.terminate('by hand')
    await stack.ctx.db.query('UPDATE calls SET check_at = now() WHERE id = $1', [callId])
    await expect.poll(async () => (await run.describe()).status.name).toBe('RUNNING')
    // Longer than whoever says nothing may lead.
    await sleep(2_500)
    expect(await leader()).toEqual(first)
  } finally {
    const stopped = sweeper?.stop()
    await release()
    await stopped
    await db.end()
    // One account may have got the new key.
    await rewrapDataKeys({ db: stack.ctx.db, secrets: { ...secrets, kek: new Map([newKey, ...ours]) } })
  }
  await user.cancel(callId)
})

async function hoursToNextLook(callId: unknown): Promise<number> {
  const { rows } = await stack.ctx.db.query<{ hours: number }>(
    `SELECT extract(epoch FROM check_at - clock_timestamp())::float8 / 3600 AS hours FROM calls WHERE id = $1`,
    [callId],
  )
  return rows[0]?.hours ?? 0
}

test('what merely waits for its person is looked at when its time is over, not again and again', async () => {
  const user = await stack.user()
  const contact = await firstContact(user)
  const { body } = await user.call('reply_to_contact', { contact_id: contact, message: 'No hurry' })
  await expect.poll(() => hoursToNextLook(body['call_id'])).toBeGreaterThan(23)
  await user.approve(body['call_id'])
  expect(await user.record(body['call_id'], 20)).toMatchObject({ status: 'executed' })
})

test('a call of which the engine says nothing now keeps its place from no other', async () => {
  const { db, config } = stack.ctx
  // Nobody else is to look at it meanwhile.
  const leader = await db.connect()
  const leads = leader.query('SELECT pg_advisory_lock(7233299)')
  await endLeadership(stack)
  await leads
  try {
    const user = await stack.user()
    const contact = await firstContact(user)
    const { body } = await user.call('reply_to_contact', { contact_id: contact, message: 'Behind many' })
    // Its run has prepared it, so there is one: nobody asks after it before its time is over.
    await expect.poll(() => hoursToNextLook(body['call_id'])).toBeGreaterThan(23)
    await db.query('UPDATE calls SET check_at = NULL')
    await db.query(`UPDATE calls SET check_at = now() - interval '1 hour' WHERE id = $1`, [body['call_id']])
    const connection = Connection.lazy({ address: `127.0.0.1:${await freePort()}`, interceptors: [] })
    const away = new Client({ connection, namespace: config.temporalNamespace })
    await reconcileCalls({ ...stack.ctx, temporal: away }, 'waiting')
    await connection.close()
    const due = await db.query('SELECT FROM calls WHERE id = $1 AND check_at <= now()', [body['call_id']])
    expect(due.rowCount).toBe(0)
    await user.cancel(body['call_id'])
  } finally {
    await leader.query('SELECT pg_advisory_unlock(7233299)')
    leader.release()
  }
})

test('what somebody waits for goes first while thousands of calls without a run are due, and those come at a pace of their own', async () => {
  const { db, temporal } = stack.ctx
  const user = await stack.user()
  const contact = await firstContact(user)
  const ask = async (message: string) =>
    String((await user.call('reply_to_contact', { contact_id: contact, message })).body['call_id'])
  const [waiting, approved] = [await ask('One of many'), await ask('Approved')]
  const copies = `${waiting.slice(0, -1)}_%`
  // Its approval reaches no run: the sweeper has to begin one.
  await temporal.workflow.getHandle(approved).terminate('by hand')
  // What is told of each new call is no part of this.
  await db.query(`
      ALTER TABLE calls DISABLE TRIGGER USER;
      INSERT INTO calls SELECT (jsonb_populate_record(c, jsonb_build_object('id', left(c.id, -1) || '_' || n,
        'prepare_at', NULL, 'check_at', now() - interval '1 hour'))).* FROM calls c, generate_series(1, 4500) n WHERE c.id = '${waiting}';
      ALTER TABLE calls ENABLE TRIGGER USER`)
  const began = performance.now()
  try {
    await user.approve(approved)
    expect(await user.record(approved, 30)).toMatchObject({ status: 'executed' })
    const seen = async (): Promise<number> => {
      const { rows } = await db.query<{ seen: number }>(
        'SELECT count(*)::integer AS seen FROM calls WHERE id LIKE $1 AND check_at > clock_timestamp()',
        [copies],
      )
      return rows[0]?.seen ?? 0
    }
    await expect.poll(seen).toBeGreaterThan(0)
    const [begun, seconds] = [await seen(), (performance.now() - began) / 1_000]
    // Twenty a second, and those that were being begun at the first moment.
    expect(begun).toBeLessThan(25 * seconds + 10)
  } finally {
    await db.query(
      `UPDATE calls SET status = 'cancelled', decision = 'cancelled', decided_at = now(), check_at = NULL WHERE id LIKE $1`,
      [copies],
    )
  }
})

test('what is prepared for a person stands before no decision, nor what merely waits before what has just become due', async () => {
  const user = await stack.user()
  const contact = await firstContact(user)
  const ask = async (message: string) =>
    String((await user.call('reply_to_contact', { contact_id: contact, message })).body['call_id'])
  const [waiting, approved] = [await ask('One of many'), await ask('Approved')]
  const db = await stack.ctx.db.connect()
  try {
    await db.query('BEGIN')
    await db.query(
      `INSERT INTO calls SELECT (jsonb_populate_record(NULL::calls, to_jsonb(c) || jsonb_build_object('id', c.id || kind || n,
         'prepare_at', CASE kind WHEN 'p' THEN now() END, 'check_at', now() - interval '1 hour'))).*
       FROM calls c, generate_series(1, 100) n, unnest(ARRAY['p', 'w']) kind WHERE c.id = $1`,
      [waiting],
    )
    await db.query(`UPDATE calls SET prepare_at = NULL, check_at = now() - interval '1 second' WHERE id = $1`, [
      waiting,
    ])
    await db.query(
      `UPDATE calls SET status = 'running', decision = 'approved', decided_at = now(), check_at = now() - interval '1 second' WHERE id = $1`,
      [approved],
    )
    const due = async (kind: DueKind) => (await dueCalls(db, kind)).map(({ id }) => id)
    const [pressing, others] = [await due('pressing'), await due('waiting')]
    expect(pressing.indexOf(approved)).toBeLessThan(2)
    expect([pressing.length, others.length]).toEqual([40, 40])
    expect(others).toContain(waiting)
  } finally {
    await db.query('ROLLBACK')
    db.release()
  }
})
