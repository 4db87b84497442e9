import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSweeper } from '../../core/sweep/sweep.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { endLeadership } from '../support/leadership.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

test('what cannot be cleared away keeps no call from being looked after', { timeout: 60_000 }, async () => {
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
    await expect.poll(async () => (await run.describe()).status.name, { timeout: 20_000 }).toBe('RUNNING')
    await user.cancel(callId)
  } finally {
    await stack.ctx.db.query('DROP TRIGGER refuse ON web_sessions; DROP FUNCTION refuse()')
  }
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
  await expect.poll(left, { timeout: 30_000 }).toEqual(['login-ip:young'])
})

test('a connection that was only asked for the lead is given back as it was', async () => {
  const { db } = stack.ctx
  const second = startSweeper(stack.ctx, 20)
  await sleep(500)
  await second.stop()
  const clients = await Promise.all(Array.from({ length: db.idleCount }, () => db.connect()))
  const listeners = clients.map((client) => client.listenerCount('error'))
  for (const client of clients) client.release()
  expect(new Set(listeners)).toEqual(new Set([1]))
})
