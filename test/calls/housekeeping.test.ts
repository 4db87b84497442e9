import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteSessionState } from '../../core/accounts/sessions.ts'
import { ageDataKeys } from '../../core/secrets/data-keys.ts'
import { unwrapDataKeys } from '../../core/secrets/crypto.ts'
import { scheduleHousekeeping } from '../../core/sweep/housekeeping-schedule.ts'
import { purge } from '../../core/sweep/purge.ts'
import { setAppPaused } from '../../core/operators/pauses.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { startFoundation } from '../support/foundation.ts'
import { askAsOperator } from '../support/operator.ts'
import { standingFor } from '../support/standing.ts'
import type { TestUser } from '../support/user.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ foundation: await startFoundation() })
})
afterAll(() => stack.stop())

async function keepHouse(): Promise<void> {
  await stack.ctx.temporal.workflow.execute('housekeeping', { taskQueue: 'callgate', workflowId: randomUUID() })
}

async function stateOf(user: TestUser): Promise<unknown> {
  const { body } = await user.send('GET', '/connections')
  return (body['connections'] as { state: string }[])[0]?.state
}

test('what old final calls said is forgotten, what became of them is not', async () => {
  const user = await stack.user()
  const key = { 'Idempotency-Key': 'an-old-one' }
  const old = (await user.call('list_listings', { limit: 1 }, key)).headers.get('x-request-id')
  const refused = (await user.call('get_listing', { listing_id: 'CV-0' })).body['request_id']
  const young = (await user.call('list_listings', { limit: 2 })).headers.get('x-request-id')
  const contact = await firstContact(user)
  const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'Still waiting' })
  const waiting = asked.body['call_id']
  await setAppPaused(stack.ctx, 'property-advertising', true, 'operator')
  const running = (await user.call('list_listings', { limit: 3 }, { Prefer: 'wait=0' })).body['call_id']
  await stack.ctx.db.query(
    `UPDATE calls SET created_at = now() - interval '31 days', updated_at = now() - interval '31 days' WHERE id = ANY ($1)`,
    [[old, refused, waiting, running]],
  )
  await stack.ctx.db.query(`UPDATE idempotency_keys SET created_at = now() - interval '31 days' WHERE call_id = $1`, [
    old,
  ])
  await stack.ctx.db.query(
    `INSERT INTO findings (call_id, asked_at) SELECT id, created_at FROM calls WHERE id = ANY ($1)`,
    [[old, young]],
  )
  await stack.ctx.db.query(
    `INSERT INTO call_files (call_id, place, about) SELECT id, 'photo', '' FROM calls WHERE id = ANY ($1)`,
    [[old, young]],
  )
  await keepHouse()
  for (const beside of ['findings', 'call_files'])
    expect((await stack.ctx.db.query(`SELECT call_id FROM ${beside}`)).rows).toEqual([{ call_id: young }])
  await stack.ctx.db.query('DELETE FROM call_files')

  const { rows } = await stack.ctx.db.query<{ id: string; kept: boolean }>(
    'SELECT id, coalesce(input, output, error) IS NOT NULL AS kept FROM calls WHERE id = ANY ($1)',
    [[old, refused, young, waiting, running]],
  )
  expect(Object.fromEntries(rows.map(({ id, kept }) => [id, kept]))).toEqual({
    [String(old)]: false,
    [String(refused)]: false,
    [String(young)]: true,
    [String(waiting)]: true,
    [String(running)]: true,
  })
  await setAppPaused(stack.ctx, 'property-advertising', false, 'operator')
  expect(await user.record(running, 20)).toMatchObject({ status: 'executed', output: { listings: expect.any(Array) } })
  const record = await user.record(old)
  expect(record).toMatchObject({ status: 'executed', credits_used: 1 })
  expect(record).not.toHaveProperty('output')
  // Why it failed stays, without what the app said.
  const refusal = { error: 'app_rejected', http_status: 422, request_id: refused }
  expect(await user.record(refused)).toMatchObject({ status: 'failed', error: refusal })
  expect((await user.record(refused))['error']).not.toHaveProperty('app_message')
  expect((await (await user.person()).get(`/calls/${String(old)}`)).status).toBe(200)
  const again = await user.call('list_listings', { limit: 1 }, key)
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
  await user.approve(waiting)
  expect(await user.record(waiting, 20)).toMatchObject({ status: 'executed' })
})

test('of thousands of old calls all are forgotten, however many young ones stand between them', async () => {
  const user = await stack.user()
  const callId = (await user.call('list_listings', { limit: 1 })).headers.get('x-request-id')
  const copies = `'call_' || lpad(n::text, 26, '0')`
  await stack.ctx.db.query(
    `INSERT INTO calls SELECT (jsonb_populate_record(c, jsonb_build_object('id', ${copies}, 'check_at', NULL) ||
       CASE WHEN n % 3 = 0 THEN jsonb_build_object('created_at', now() - interval '31 days', 'updated_at', now() - interval '31 days') ELSE '{}' END)).*
     FROM calls c, generate_series(1, 3300) n WHERE c.id = $1`,
    [callId],
  )
  // The one before died in the middle.
  let batches = 0
  const dying = purge(stack.ctx, () => {
    if (++batches === 1) throw new Error('killed')
  })
  await expect(dying).rejects.toThrow('killed')
  const half = await stack.ctx.db.query('SELECT FROM calls WHERE owner = $1 AND input IS NULL', [user.id])
  expect(half.rowCount).toBeGreaterThan(900)
  expect(half.rowCount).toBeLessThan(1100)
  const began = new Date()
  await keepHouse()
  const { rows } = await stack.ctx.db.query(
    `SELECT count(*)::integer AS emptied, count(*) FILTER (WHERE created_at < now() - interval '30 days')::integer AS old
     FROM calls WHERE owner = $1 AND coalesce(input, output, error) IS NULL`,
    [user.id],
  )
  expect(rows[0]).toEqual({ emptied: 1100, old: 1100 })
  const chores = await stack.ctx.db.query(`SELECT name FROM chores WHERE name = 'purge' AND done_at > $1`, [began])
  expect(chores.rows).toEqual([{ name: 'purge' }])
})

test('what a check found out about an earlier session is not said of the one that came meanwhile', async () => {
  const user = await stack.user()
  const version = async (): Promise<number> => {
    const { rows } = await stack.ctx.db.query<{ session_version: number }>(
      'SELECT session_version FROM accounts WHERE id = $1',
      [user.account.id],
    )
    return rows[0]?.session_version ?? 0
  }
  await noteSessionState(stack.ctx.db, user.account.id, 'AUTH_EXPIRED', (await version()) - 1)
  expect(await stateOf(user)).toBe('connected')
  await noteSessionState(stack.ctx.db, user.account.id, 'AUTH_EXPIRED', await version())
  expect(await stateOf(user)).toBe('expired')
})

test('with outputs kept for no time at all, keys are kept for a day, and a replay says that the output is gone', async () => {
  const user = await stack.user()
  const keys = { done: { 'Idempotency-Key': 'kept-a-day' }, refused: { 'Idempotency-Key': 'refused-once' } }
  const list = () => user.call('list_listings', { limit: 1 }, keys.done)
  const refuse = () => user.call('get_listing', { listing_id: 'CV-0' }, keys.refused)
  const callId = (await list()).headers.get('x-request-id')
  const refused = await refuse()
  const config = { ...stack.ctx.config, retentionDays: 0 }
  const forget = () => purge({ db: stack.ctx.db, config })
  await forget()
  const replayed = await list()
  expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  const message = expect.stringContaining('not kept any more') as string
  expect(replayed.body).toEqual({ status: 'executed', call_id: callId, message })
  const again = await refuse()
  expect([again.status, again.body['error']]).toEqual([422, 'app_rejected'])
  expect(again.body['request_id']).toBe(refused.body['request_id'])

  await stack.ctx.db.query(`UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE call_id = $1`, [
    callId,
  ])
  await forget()
  expect((await list()).headers.get('idempotent-replayed')).toBeNull()
  expect((await refuse()).headers.get('idempotent-replayed')).toBe('true')
})

test('it is scheduled once, whoever asks', async () => {
  await Promise.all([scheduleHousekeeping(stack.ctx), scheduleHousekeeping(stack.ctx)])
  await scheduleHousekeeping(stack.ctx)
  const description = await stack.ctx.temporal.schedule.getHandle('callgate-housekeeping').describe()
  expect(description.action).toMatchObject({ workflowType: 'housekeeping', taskQueue: 'callgate' })
  await stack.ctx.temporal.schedule.getHandle('callgate-housekeeping').delete()
})

test('data keys age: a new one seals what is new, the older open what they sealed, and go when nothing of it is left', async () => {
  const { db, secrets } = stack.ctx
  const user = await stack.user()
  const contact = await firstContact(user)
  const read = String((await user.call('list_listings', { limit: 1 })).headers.get('x-request-id'))
  const waiting = await user.call('reply_to_contact', { contact_id: contact, message: 'Before' })
  const { listings } = (await user.record(read))['output'] as { listings: { listing_id: string }[] }
  await standingFor(stack.ctx, user, {
    endpoint: 'update_listing',
    only: { field: 'listing_id', values: [listings[0]?.listing_id ?? ''] },
  })

  const keys = async (): Promise<readonly string[]> => {
    const { rows } = await db.query<{ data_key: Buffer }>('SELECT data_key FROM accounts WHERE id = $1', [
      user.account.id,
    ])
    return unwrapDataKeys(secrets, user.account.id, rows[0]?.data_key ?? Buffer.alloc(0)).map((key) =>
      key.toString('hex'),
    )
  }
  const renew = (before: unknown) => askAsOperator(stack, 'POST', '/data-keys', { before })
  const goesOn = async (): Promise<void> => {
    expect((await user.call('list_listings', { limit: 1 })).status).toBe(200)
    expect(await user.record(read)).toMatchObject({ status: 'executed', output: { listings } })
    const trusted = { listing_id: listings[0]?.listing_id, fields: { price: 100 + Math.floor(Math.random() * 1e6) } }
    expect((await user.call('update_listing', trusted)).status).toBe(200)
  }

  const [first] = await keys()
  for (const wrong of ['soon', new Date(Date.now() + 60_000).toISOString()])
    expect((await renew(wrong)).status).toBe(400)
  const now = new Date().toISOString()
  expect((await renew(now)).body).toEqual({ renewed: expect.any(Number), left: 0 })
  // Told once more, as after an answer that was lost: nothing more is done.
  expect((await renew(now)).body).toEqual({ renewed: 0, left: 0 })
  const [second, ...older] = await keys()
  expect([second === first, older]).toEqual([false, [first]])
  await goesOn()
  expect((await user.approve(waiting.body['call_id'])).status).toBe(303)
  expect(await user.record(waiting.body['call_id'], 20)).toMatchObject({ status: 'executed' })

  // By itself after 90 days. A day later the older ones would go, but for what they sealed.
  await db.query(`UPDATE accounts SET data_key_since = now() - interval '91 days'`)
  await ageDataKeys(stack.ctx)
  const [third] = await keys()
  expect(await keys()).toEqual([third, second, first])
  await db.query(`UPDATE accounts SET data_key_since = now() - interval '25 hours'`)
  await db.query(`UPDATE calls SET created_at = now() - interval '2 days' WHERE account = $1`, [user.account.id])
  await ageDataKeys(stack.ctx)
  expect(await keys()).toHaveLength(3)
  await goesOn()
  expect((await askAsOperator(stack, 'GET', '/data-keys')).body).toMatchObject({ with_older: expect.any(Number) })

  await db.query(
    `UPDATE calls SET created_at = now() - interval '40 days', updated_at = now() - interval '40 days' WHERE account = $1 AND created_at < now() - interval '1 day'`,
    [user.account.id],
  )
  await purge(stack.ctx)
  await ageDataKeys(stack.ctx)
  expect(await keys()).toEqual([third])
  expect((await user.call('list_listings', { limit: 1 })).status).toBe(200)
})
