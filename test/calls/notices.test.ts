import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addWebhook, askForTest, deleteTarget, rotateSecret, setTargetEnabled } from '../../core/notices/targets.ts'
import type { CallKind } from '../../core/notices/rows.ts'
import type { NewSecret } from '../../core/notices/targets.ts'
import { listNotices, listTargets } from '../../core/notices/list.ts'
import type { NoticeView } from '../../core/notices/list.ts'
import { pruneNotices, startNotices } from '../../core/notices/start.ts'
import { newestKey } from '../../core/secrets/crypto.ts'
import { openPool } from '../../core/database/pool.ts'
import { rewrapDataKeys } from '../../core/secrets/rotation.ts'
import { setConfirm } from '../../core/accounts/settings.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { historyText } from '../support/history.ts'
import { startReceiver, verifies } from '../support/receiver.ts'
import type { Receiver } from '../support/receiver.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'
const marker = 'marker-of-an-input'
const both: readonly CallKind[] = ['call.waiting', 'call.final']
const soon = { timeout: 120_000, interval: 50 }

describe('webhooks', () => {
  let stack: Stack
  let receiver: Receiver
  let user: TestUser
  let contact: string
  beforeAll(async () => {
    stack = await startStack({ settings: { WEBHOOK_ALLOW: '127.0.0.0/8' } })
  })
  afterAll(() => stack.stop())
  beforeEach(async () => {
    receiver = await startReceiver()
    user = await stack.user()
    contact = await firstContact(user)
    return () => receiver.close()
  })

  async function hook(kinds: readonly CallKind[] = both, url = receiver.url): Promise<NewSecret> {
    const made = await addWebhook(stack.ctx, user.id, url, kinds)
    if (made === 'full') throw new Error('there is no room for a webhook')
    return made
  }
  const ask = async (message = marker): Promise<string> =>
    String((await user.call('reply_to_contact', { contact_id: contact, message })).body['call_id'])
  const notices = (): Promise<readonly NoticeView[]> => listNotices(stack.ctx.db, user.id, 50)
  const states = async () => (await notices()).map(({ state, last_result: result }) => [state, result])
  const target = async () => (await listTargets(stack.ctx.db, user.id))[0]
  const told = (kind: string) => receiver.received.filter(({ event }) => event.type === kind)
  const dueNow = () =>
    stack.ctx.db.query(
      `UPDATE notices SET check_at = clock_timestamp(), next_try_at = clock_timestamp() WHERE owner = $1 AND state = 'pending'`,
      [user.id],
    )

  it('tell of a waiting call, signed, with ids and links and nothing of what it says', async () => {
    const { secret } = await hook()
    const callId = await ask()
    await expect.poll(() => receiver.received.length, soon).toBe(1)
    const [message] = receiver.received
    if (message === undefined) throw new Error('nothing arrived')
    expect(verifies(secret, message)).toBe(true)
    expect(verifies(`whsec_${Buffer.alloc(32).toString('base64')}`, message)).toBe(false)
    expect(message.event).toEqual({
      type: 'call.waiting',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        call_id: callId,
        app,
        endpoint: 'reply_to_contact',
        status: 'awaiting_confirmation',
        confirm_url: `${stack.publicUrl}/confirm/${callId}`,
        url: `${stack.publicUrl}/api/v1/calls/${callId}`,
      },
    })
    expect(message.headers['webhook-id']).toMatch(/^ntc_[0-9a-f]{32}$/)
    expect(message.headers['content-type']).toBe('application/json')
    expect(JSON.stringify(message)).not.toContain(marker)
    await expect.poll(states, soon).toEqual([['delivered', '204']])
    const history = await historyText(stack.ctx, String(message.headers['webhook-id']))
    for (const hidden of [marker, secret, receiver.url, user.email]) expect(history).not.toContain(hidden)
  })

  it('tell of every way a call can end exactly once', async () => {
    await hook(['call.final'])
    const ends: Record<string, string> = {}
    const final = async (status: string, callId: unknown) => {
      expect(await user.record(callId, 20)).toMatchObject({ status })
      ends[String(callId)] = status
    }
    const rejected = await ask('rejected')
    await user.reject(rejected)
    await final('rejected', rejected)
    const cancelled = await ask('cancelled')
    await user.cancel(cancelled)
    await final('cancelled', cancelled)
    const approved = await ask('approved')
    await user.approve(approved)
    await final('executed', approved)
    const failed = await user.call('get_listing', { listing_id: 'CV-0' })
    await final('failed', failed.body['request_id'])
    await stack.sandbox.fault('drop_after')
    const unknown = await user.call('add_contact_note', { contact_id: contact, note: 'lost' })
    await final('unknown', unknown.body['call_id'])
    await setConfirm(stack.ctx, user.id, app, 'reply_to_contact', { expirySeconds: 2 })
    await final('expired', await ask('expired'))
    await expect.poll(() => receiver.received.length, soon).toBe(6)
    // One more round of the sweeper finds nothing that was not told.
    await startNotices(stack.ctx)
    const got = told('call.final').map(({ event: { data } }) => [data['call_id'], data['status']])
    expect(Object.fromEntries(got)).toEqual(ends)
    expect(got).toHaveLength(6)
    expect(told('call.final').every(({ event }) => !('confirm_url' in event.data))).toBe(true)
  })

  it('hear only what they were ticked for, and nothing of other owners', async () => {
    await hook(['call.final'])
    const other = await stack.user()
    await other.call('list_listings', { limit: 1 })
    const callId = await ask()
    await user.cancel(callId)
    await expect.poll(() => receiver.received.map(({ event }) => event.data['call_id']), soon).toEqual([callId])
    expect(told('call.waiting')).toEqual([])
    expect((await stack.ctx.db.query('SELECT 1 FROM notices WHERE owner = $1', [other.id])).rowCount).toBe(0)
  })

  it('are told later when nobody listened at first, with the same id and body', async () => {
    receiver.answer(503)
    const { id, secret } = await hook(['call.waiting'])
    await ask()
    await expect.poll(() => receiver.received.length, soon).toBe(1)
    const [first] = receiver.received
    await expect.poll(states, soon).toEqual([['pending', '503']])
    await receiver.close()
    const { port } = receiver
    await expect.poll(states, soon).toEqual([['pending', 'refused']])
    const noticeId = String(first?.headers['webhook-id'])
    // The engine keeps to the policy: a minute after the second try.
    const pendingNow = async () =>
      (await stack.ctx.temporal.workflow.getHandle(noticeId).describe()).raw.pendingActivities?.[0]
    await expect.poll(async () => (await pendingNow())?.attempt, soon).toBe(3)
    const pending = await pendingNow()
    const due = Number(pending?.nextAttemptScheduleTime?.seconds) - Number(pending?.lastAttemptCompleteTime?.seconds)
    expect(due).toBeGreaterThanOrEqual(59)
    expect(due).toBeLessThanOrEqual(67)
    const { next_try_at: next } = (await notices())[0] ?? {}
    expect(Math.abs(Number(next) / 1000 - Number(pending?.nextAttemptScheduleTime?.seconds))).toBeLessThan(10)

    // Instead of waiting for a minute: the engine forgets the run, and the sweeper starts it again.
    await stack.ctx.temporal.workflowService.deleteWorkflowExecution({
      namespace: stack.ctx.config.temporalNamespace,
      workflowExecution: { workflowId: noticeId },
    })
    const run = () => stack.ctx.temporal.workflow.getHandle(noticeId).describe()
    await expect.poll(() => run().catch((error: Error) => error.name), soon).toBe('WorkflowNotFoundError')
    receiver = await startReceiver(port)
    await dueNow()
    await expect.poll(() => receiver.received.length, soon).toBe(1)
    const [second] = receiver.received
    expect(second?.headers['webhook-id']).toBe(noticeId)
    expect(second?.body).toBe(first?.body)
    expect(second && verifies(secret, second)).toBe(true)
    await expect.poll(states, soon).toEqual([['delivered', '204']])
    expect(await target()).toMatchObject({ id, enabled: true, last_result: '204' })
  })

  it('are started once, however often the sweeper was interrupted, and again when somebody ended their run', async () => {
    receiver.answer(500)
    await hook(['call.waiting'])
    await ask()
    await expect.poll(states, soon).toEqual([['pending', '500']])
    const id = String(receiver.received[0]?.headers['webhook-id'])
    // As if it died between the engine's yes and its own note of it.
    await stack.ctx.db.query('UPDATE notices SET started_at = NULL, check_at = clock_timestamp() WHERE owner = $1', [
      user.id,
    ])
    const run = stack.ctx.temporal.workflow.getHandle(id)
    const first = (await run.describe()).runId
    await startNotices(stack.ctx)
    expect((await run.describe()).runId).toBe(first)
    await run.terminate('by hand')
    receiver.answer(204)
    await dueNow()
    await expect.poll(states, soon).toEqual([['delivered', '204']])
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id])
  })

  it('are switched off by a 410, and what was still to be told is dropped', async () => {
    receiver.answer(500)
    const { id } = await hook(['call.waiting'])
    await ask('one')
    await expect.poll(states, soon).toEqual([['pending', '500']])
    receiver.answer(410)
    await ask('two')
    await expect.poll(async () => (await target())?.disabled_reason, soon).toBe('gone')
    expect(new Set((await states()).map(String))).toEqual(new Set(['failed,410', 'dropped,500']))
    await ask('three')
    expect(await notices()).toHaveLength(2)
    expect(await setTargetEnabled(stack.ctx, user.id, id, true)).toBe(true)
    receiver.answer(204)
    const last = await ask('four')
    await expect.poll(() => receiver.received.at(-1)?.event.data['call_id'], soon).toBe(last)
  })

  it('are switched off when nothing was taken for three days, and not when something was', async () => {
    receiver.answer(500)
    await hook(['call.waiting'])
    const old = async () => {
      await stack.ctx.db.query(
        `UPDATE notices SET state = 'pending', ended_at = NULL, started_at = NULL, check_at = clock_timestamp(), tries = 12,
           first_try_at = clock_timestamp() - interval '73 hours', id = 'ntc_' || replace(gen_random_uuid()::text, '-', '')
         WHERE owner = $1`,
        [user.id],
      )
    }
    await ask()
    await expect.poll(states, soon).toEqual([['pending', '500']])
    await stack.ctx.db.query('UPDATE notice_targets SET last_delivered_at = clock_timestamp() WHERE owner = $1', [
      user.id,
    ])
    await old()
    await expect.poll(states, soon).toEqual([['failed', '500']])
    expect(await target()).toMatchObject({ enabled: true })
    await stack.ctx.db.query('UPDATE notice_targets SET last_delivered_at = NULL WHERE owner = $1', [user.id])
    await old()
    await expect.poll(async () => (await target())?.disabled_reason, soon).toBe('failing')
    expect(await states()).toEqual([['failed', '500']])
  })

  /** So many notices does a round of the sweeper read in which there is room for ten of that target. */
  async function readByARound(targetId: string): Promise<number> {
    const db = openPool(stack.ctx.config.databaseUrl, stack.ctx.log, 1)
    const read = async (): Promise<number> => {
      const { rows } = await db.query<{ read: number }>(
        `SELECT (seq_tup_read + idx_tup_fetch)::integer AS read FROM pg_stat_xact_user_tables WHERE relname = 'notices'`,
      )
      return rows[0]?.read ?? Number.NaN
    }
    try {
      // As autovacuum does, which may come later on a busy machine.
      await db.query('ANALYZE notices, notice_targets, calls')
      await db.query('BEGIN')
      await db.query(
        `UPDATE notices SET tries = 1
         WHERE id IN (SELECT id FROM notices WHERE target = $1 AND started_at IS NOT NULL AND tries = 0 LIMIT 10)`,
        [targetId],
      )
      const before = await read()
      await startNotices({ ...stack.ctx, db })
      const after = await read()
      const { rowCount } = await db.query('SELECT 1 FROM notices WHERE target = $1 AND started_at > now()', [targetId])
      expect(rowCount).toBe(10)
      return after - before
    } finally {
      await db.end()
    }
  }

  it('that let everything wait hold up nobody else', { timeout: 240_000 }, async () => {
    const silent = await startReceiver()
    silent.keepWaiting()
    const other = await stack.user()
    const call = await other.call('list_listings', { limit: 1 })
    const callId = call.headers.get('x-request-id')
    const busy = await hook(['call.final'], silent.url)
    const quiet = await addWebhook(stack.ctx, other.id, receiver.url, ['call.final'])
    if (quiet === 'full') throw new Error('there is no room for a webhook')
    // More than are started in one round, and more than are delivered at once; the other's comes last.
    const many = 5_000
    await stack.ctx.db.query(
      `WITH copies AS (
         INSERT INTO calls SELECT (jsonb_populate_record(c, jsonb_build_object('id', 'call_' || left(upper(md5(n || $3)), 26), 'owner', $1::text, 'check_at', NULL))).*
         FROM calls c, generate_series(1, $2) n WHERE c.id = $3 RETURNING id)
       INSERT INTO notices (id, owner, target, kind, call_id, status, check_at)
       SELECT 'ntc_' || replace(gen_random_uuid()::text, '-', ''), $1, $4, 'call.final', id, 'executed', now() - interval '1 hour' FROM copies
       UNION ALL SELECT 'ntc_' || replace(gen_random_uuid()::text, '-', ''), $5, $6, 'call.final', $3, 'executed', now()`,
      [user.id, many, callId, busy.id, other.id, quiet.id],
    )
    await expect.poll(() => receiver.received.map(({ event: { data } }) => data['call_id']), soon).toEqual([callId])
    const { rows } = await stack.ctx.db.query<{ before: number }>(
      `SELECT count(*)::integer AS before FROM notices n JOIN notices other ON other.target = $2
       WHERE n.target = $1 AND n.started_at < other.started_at`,
      [busy.id, quiet.id],
    )
    expect(rows[0]?.before).toBeLessThan(20)
    const started = async () =>
      (await stack.ctx.db.query('SELECT 1 FROM notices WHERE target = $1 AND started_at IS NOT NULL', [busy.id]))
        .rowCount
    await expect.poll(started, soon).toBe(50)
    await expect.poll(silent.connections, soon).toBe(5)
    // Some rounds of the sweeper later: few are under way, and fewer wait for an answer.
    await sleep(3_000)
    expect(await started()).toBe(50)
    expect(silent.connections()).toBe(5)
    expect(await readByARound(busy.id)).toBeLessThan(many / 10)
    await deleteTarget(stack.ctx, user.id, busy.id)
    await silent.close()
  })

  it('that are slow for days get no more of what waited three days for its turn, unless Callgate was away', async () => {
    const calls = [await ask('old'), await ask('young')]
    const slow = await hook()
    const idle = await hook()
    await stack.ctx.db.query(
      `INSERT INTO notices (id, owner, target, kind, call_id, status, check_at, created_at)
       SELECT 'ntc_' || replace(gen_random_uuid()::text, '-', ''), $1, target, 'call.waiting', call_id, 'awaiting_confirmation', 'infinity',
         now() - CASE call_id WHEN $3 THEN interval '73 hours' ELSE interval '71 hours' END
       FROM unnest($2::text[]) target, unnest($4::text[]) call_id`,
      [user.id, [slow.id, idle.id], calls[0], calls],
    )
    const tried = (webhook: NewSecret, ago: string) =>
      stack.ctx.db.query('UPDATE notice_targets SET last_try_at = now() - $2::interval WHERE id = $1', [
        webhook.id,
        ago,
      ])
    await tried(slow, '1 minute')
    await tried(idle, '4 days')
    await pruneNotices(stack.ctx)
    const { rows } = await stack.ctx.db.query(
      'SELECT target, call_id, state, last_result, tries FROM notices WHERE owner = $1 AND state <> $2',
      [user.id, 'pending'],
    )
    expect(rows).toEqual([{ target: slow.id, call_id: calls[0], state: 'failed', last_result: 'crowded', tries: 0 }])
    expect(await notices()).toHaveLength(4)
  })

  it('do not follow redirects', async () => {
    const elsewhere = await startReceiver()
    receiver.answer(307, { location: elsewhere.url })
    await hook(['call.waiting'])
    await ask()
    await expect.poll(states, soon).toEqual([['pending', '307']])
    expect(elsewhere.connections()).toBe(0)
    await elsewhere.close()
  })

  it('carry both signatures for a day after the secret was replaced', async () => {
    const old = await hook(['call.waiting'])
    const anew = await rotateSecret(stack.ctx, user.id, old.id)
    if (anew === undefined) throw new Error('there is no such webhook')
    expect(anew.secret).not.toBe(old.secret)
    await ask('one')
    await expect.poll(() => receiver.received.length, soon).toBe(1)
    await stack.ctx.db.query('UPDATE notice_targets SET old_secret_until = clock_timestamp() WHERE owner = $1', [
      user.id,
    ])
    await ask('two')
    await expect.poll(() => receiver.received.length, soon).toBe(2)
    const verified = receiver.received.map((message) => [old, anew].map(({ secret }) => verifies(secret, message)))
    expect(verified).toEqual([
      [true, true],
      [false, true],
    ])
    await pruneNotices(stack.ctx)
    const { rows } = await stack.ctx.db.query<{ old_secret: Buffer | null; secret: Buffer }>(
      'SELECT old_secret, secret FROM notice_targets WHERE owner = $1',
      [user.id],
    )
    expect(rows[0]?.old_secret).toBeNull()
    const raw = Buffer.from(anew.secret.replace('whsec_', ''), 'base64')
    expect(rows[0]?.secret.includes(raw)).toBe(false)
  })

  it('take a test, and are of their owner only', async () => {
    const { id } = await hook()
    const stranger = await stack.user()
    expect(await askForTest(stack.ctx, stranger.id, id)).toBeUndefined()
    expect(await rotateSecret(stack.ctx, stranger.id, id)).toBeUndefined()
    expect(await setTargetEnabled(stack.ctx, stranger.id, id, false)).toBe(false)
    expect(await deleteTarget(stack.ctx, stranger.id, id)).toBe(false)
    expect(await askForTest(stack.ctx, user.id, id)).toBe('asked')
    await expect.poll(() => receiver.received.length, soon).toBe(1)
    expect(receiver.received[0]?.event).toMatchObject({ type: 'test', data: {} })
    for (let i = 0; i < 4; i++) await askForTest(stack.ctx, user.id, id)
    expect(await askForTest(stack.ctx, user.id, id)).toBeGreaterThan(0)
    await setTargetEnabled(stack.ctx, user.id, id, false)
    expect(await askForTest(stack.ctx, user.id, id)).toBe('off')
  })

  it('end when they are deleted, and the calls go on', async () => {
    receiver.answer(500)
    const { id } = await hook()
    const callId = await ask()
    await expect.poll(states, soon).toEqual([['pending', '500']])
    expect(await deleteTarget(stack.ctx, user.id, id)).toBe(true)
    expect(await listTargets(stack.ctx.db, user.id)).toEqual([])
    expect(await states()).toEqual([['dropped', '500']])
    await user.cancel(callId)
    expect(await user.record(callId, 10)).toMatchObject({ status: 'cancelled' })
    expect(await notices()).toHaveLength(1)
    expect(await deleteTarget(stack.ctx, user.id, id)).toBe(false)
  })

  it('are ten at most, also when they are made at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 12 }, () => addWebhook(stack.ctx, user.id, receiver.url, ['call.final'])),
    )
    expect(made.filter((one) => one === 'full')).toHaveLength(2)
    expect(await listTargets(stack.ctx.db, user.id)).toHaveLength(10)
  })

  it('keep their secrets when the key-encryption key is rotated', async () => {
    const { secret } = await hook(['call.waiting'])
    const kek = stack.ctx.secrets.kek as Map<string, Buffer>
    const first = newestKey(kek)
    kek.set('k-anew', randomBytes(32))
    expect(await rewrapDataKeys(stack.ctx)).toBeGreaterThan(1)
    expect(await rewrapDataKeys(stack.ctx)).toBe(0)
    kek.delete(first.id)
    await ask()
    await expect.poll(() => receiver.received.map((message) => verifies(secret, message)), soon).toEqual([true])
  })

  it('are forgotten with the rest of what is old', async () => {
    await hook(['call.waiting'])
    await ask()
    await expect.poll(states, soon).toEqual([['delivered', '204']])
    await pruneNotices(stack.ctx)
    expect(await notices()).toHaveLength(1)
    await stack.ctx.db.query(`UPDATE notices SET ended_at = now() - interval '31 days' WHERE owner = $1`, [user.id])
    await pruneNotices(stack.ctx)
    expect(await notices()).toEqual([])
  })
})
