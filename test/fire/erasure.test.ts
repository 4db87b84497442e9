import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import type { FailPoint } from '../../core/fail-point.ts'
import type { Running } from '../../local-services/service.ts'
import { hidden } from '../../scripts/browsing.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import type { TestUser } from '../support/user.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { died } from './lane.ts'

const points: readonly FailPoint[] = ['erase.before-commit', 'erase.before-list', 'erase.halfway', 'erase.before-end']

describe('somebody who deletes their account', () => {
  let gateway: Gateway
  let worker: Running
  let api: Running
  beforeAll(async () => {
    gateway = await startGateway()
    ;[api, worker] = await Promise.all([gateway.startApi(), gateway.startWorker()])
  })
  afterAll(() => gateway.stop())

  const one = async (text: string, values: readonly unknown[]): Promise<Record<string, unknown> | undefined> =>
    (await gateway.db.query<Record<string, unknown>>(text, [...values])).rows[0]

  const waitUntil = (isSo: () => Promise<boolean>, timeout = 10_000): Promise<void> =>
    vi.waitFor(async () => expect(await isSo()).toBe(true), { timeout, interval: 200 })

  /** Presses the button; undefined: the process died over it. */
  async function erase(user: TestUser): Promise<number | undefined> {
    const person = await user.person()
    const csrf = hidden(await (await person.get('/account')).text(), 'csrf')
    const answer = await person.post('/account/erase', { csrf, email: user.email }).catch(() => undefined)
    return answer?.status
  }

  const isErased = async (user: TestUser): Promise<boolean> =>
    (
      await one(
        `SELECT NOT EXISTS (SELECT FROM calls WHERE owner = u.id AND (input IS NOT NULL OR status IN ('awaiting_confirmation', 'running')))
         AND NOT EXISTS (SELECT FROM accounts WHERE owner = u.id AND data_key_since < 'infinity')
         AND EXISTS (SELECT FROM erasures WHERE owner = u.id AND listed_at IS NOT NULL) AS erased
       FROM users u WHERE id = $1`,
        [user.id],
      )
    )?.['erased'] === true

  it.each(points)(
    'is erased although the process is killed at %s: what is being sent ends and counts, what waits is cancelled',
    async (point) => {
      const user = await gateway.user()
      const contact_id = await firstContact(user)
      const mark = `Sent while ${point}`
      const waiting = (await user.call('reply_to_contact', { contact_id, message: 'Never sent' })).body['call_id']
      const path = `/api/threads/${contact_id}/memos`
      await gateway.sandbox.fault('slow', { ms: 4_000, path })
      await user.person()
      // Those of before are looked at for a while yet, and would meet the armed process first.
      await gateway.db.query('UPDATE erasures SET done_at = now()')
      await api.kill()
      api = await gateway.startApi(point)
      const sent = (await user.call('add_contact_note', { contact_id, note: mark }, { Prefer: 'wait=0' })).body[
        'call_id'
      ]
      await waitUntil(async () => (await one('SELECT send FROM calls WHERE id = $1', [sent]))?.['send'] === 'sending')
      const status = await erase(user)
      await died(api, point)
      api = await gateway.startApi()
      if (point === 'erase.before-commit') {
        // Nothing was begun, and they were told nothing: they press it once more.
        expect([status, await one('SELECT FROM erasures WHERE owner = $1', [user.id])]).toEqual([undefined, undefined])
        expect(await erase(user)).toBe(200)
      }
      await waitUntil(() => isErased(user), 120_000)
      expect(await one('SELECT status, credits_used FROM calls WHERE id = $1', [sent])).toEqual({
        status: 'executed',
        credits_used: 3,
      })
      expect(await one('SELECT status, credits_used FROM calls WHERE id = $1', [waiting])).toEqual({
        status: 'cancelled',
        credits_used: 0,
      })
      const effects = await gateway.sandbox.effects(user.account.seeded.account)
      expect(effects.filter(({ body }) => JSON.stringify(body).includes(mark))).toHaveLength(1)
      expect(JSON.stringify(effects)).not.toContain('Never sent')
      await balancedLedger(gateway, user.id)
      const { label } = user.account.seeded
      for (const table of ['users', 'accounts', 'audit_log', 'calls', 'api_keys', 'invitations'])
        expect({
          table,
          found: await one(
            `SELECT t::text AS row FROM ${table} t WHERE strpos(row_to_json(t)::text, $1) > 0 OR (strpos(row_to_json(t)::text, $2) > 0
               AND strpos(row_to_json(t)::text, $3) > 0)`,
            [user.email, label, user.id],
          ),
        }).toEqual({ table, found: undefined })
    },
  )

  it('is erased again where the database is put back to an older copy, before anybody signs in with it', async () => {
    const user = await gateway.user()
    await user.call('list_listings', { limit: 1 })
    await user.person()
    const name = new URL(gateway.site.databaseUrl).pathname.slice(1)
    const copy = `${name}_copy`
    await Promise.all([api.kill(), worker.kill()])
    await onServer([closing(name), `CREATE DATABASE ${copy} TEMPLATE ${name}`])

    api = await gateway.startApi()
    expect(await erase(user)).toBe(200)
    await waitUntil(() => isErased(user), 120_000)
    await api.kill()
    await onServer([closing(name), `DROP DATABASE ${name}`, `ALTER DATABASE ${copy} RENAME TO ${name}`])
    // As in the copy: they are there, signed in, with their key.
    expect(await one('SELECT email FROM users WHERE id = $1', [user.id])).toEqual({ email: user.email })
    expect(await one('SELECT FROM web_sessions WHERE owner = $1', [user.id])).toBeDefined()

    api = await gateway.startApi()
    await waitUntil(() => isErased(user), 120_000)
    expect(await one('SELECT asked_by FROM erasures WHERE owner = $1', [user.id])).toEqual({ asked_by: 'restore' })
    expect(await one('SELECT FROM users WHERE email = $1', [user.email])).toBeUndefined()
    expect((await user.send('GET', '/calls')).status).toBe(403)
    expect((await (await user.person()).get('/account')).status).toBe(303)
  })
})

const closing = (name: string): string =>
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`

async function onServer(statements: readonly string[]): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('databaseUrl') })
  await admin.connect()
  try {
    for (const statement of statements) await admin.query(statement)
  } finally {
    await admin.end()
  }
}
