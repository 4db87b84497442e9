import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey, revokeKey } from '../../core/keys/rows.ts'
import { createSecurityLog, mostSubjects, pruneSecurityLog } from '../../core/security-log.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { askAsOperator } from '../support/operator.ts'
import { madeUpKey } from './http/made-up-key.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ worker: false })
})
afterAll(() => stack.stop())

interface Entry {
  readonly kind: string
  readonly address: string
  readonly times: number
  readonly subjects: readonly string[]
}

/** What operators are told once it has been written. */
async function told(until: (entries: readonly Entry[]) => boolean): Promise<readonly Entry[]> {
  for (let tries = 0; ; tries++) {
    const { body } = await askAsOperator(stack, 'GET', '/security?limit=500')
    const entries = body['security'] as readonly Entry[]
    if (until(entries) || tries === 60) return entries
    await after(100)
  }
}

test('refusals that an attack would leave behind are told to operators, and counted', async () => {
  const wrong = { Authorization: 'Bearer nonsense' }
  const statuses: number[] = []
  for (let i = 0; i < 25; i++) statuses.push((await askAsOperator(stack, 'GET', '/apps', undefined, wrong)).status)
  expect(statuses).toEqual([...Array<number>(20).fill(403), ...Array<number>(5).fill(429)])
  expect((await askAsOperator(stack, 'GET', '/apps')).status, 'the right token is not held up').toBe(200)

  const { hostname, port } = new URL(stack.adminUrl)
  const [misled] = (await once(
    request({ host: hostname, port, path: '/', headers: { Host: 'attacker.example' } }).end(),
    'response',
  )) as [IncomingMessage]
  expect(misled.resume().statusCode).toBe(421)
  const refused = await fetch(`${stack.publicUrl}/api/v1/calls`, { headers: { 'X-API-Key': madeUpKey() } })
  expect(refused.status).toBe(403)

  const kinds = ['operator_refused', 'operator_slowed', 'host_refused', 'key_refused']
  const entries = await told((found) => kinds.every((kind) => found.some((one) => one.kind === kind)))
  const sum = (kind: string) => entries.filter((one) => one.kind === kind).reduce((all, { times }) => all + times, 0)
  expect(kinds.map(sum)).toEqual([25, 5, 1, 1])
  expect(new Set(entries.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']))
  const metrics = await (await fetch(`${stack.adminUrl}/metrics`)).text()
  expect(metrics).toContain('callgate_security_refusals_total{kind="operator_refused"} 25')
})

test('a refused key is named where it is known, by whichever way it came, and what it may not do as well', async () => {
  const { db } = stack.ctx
  await stack.ctx.security.flush()
  await db.query('DELETE FROM security_log')
  const user = await stack.user()
  const key = (name: string, apps: readonly string[] | null = null, expiresAt = new Date(Date.now() + 60_000)) =>
    createKey(stack.ctx, { owner: user.id, name, apps, expiresAt })
  const [narrow, revoked, over] = [
    await key('narrow', ['crm']),
    await key('revoked'),
    await key('over', null, new Date()),
  ]
  await revokeKey(stack.ctx, user.id, revoked.id)

  const ask = (sent: string, route = '/api/v1/calls', body?: object) =>
    fetch(`${stack.publicUrl}${route}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'X-API-Key': sent, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const call = {
    name: 'read_action',
    arguments: { app: 'property-advertising', action: 'list_listings', input: {} },
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
  const answers = [
    await ask(revoked.key),
    await ask(over.key),
    await ask(over.key, '/mcp', message),
    await ask(`${over.key}x`),
    await ask(madeUpKey()),
    await ask(narrow.key, '/api/v1/property-advertising/list_listings', {}),
    await ask(narrow.key, '/mcp', message),
    await ask(narrow.key),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 401, 403, 403, 403, 200, 200])

  const entries = await told((found) => found.some(({ kind, times }) => kind === 'access_refused' && times === 2))
  const byKind = (kind: string) => ({
    times: entries.filter((one) => one.kind === kind).reduce((all, { times }) => all + times, 0),
    subjects: [...new Set(entries.filter((one) => one.kind === kind).flatMap(({ subjects }) => subjects))].sort(),
  })
  expect(byKind('key_refused')).toEqual({ times: 5, subjects: [revoked.id, over.id].sort() })
  expect(byKind('access_refused')).toEqual({ times: 2, subjects: [narrow.id] })
  expect(JSON.stringify(entries)).not.toContain(revoked.key)

  const { body } = await askAsOperator(stack, 'GET', '/security?kind=access_refused')
  expect((body['security'] as Entry[]).map(({ kind }) => kind)).toContain('access_refused')
  expect((body['security'] as Entry[]).every(({ kind }) => kind === 'access_refused')).toBe(true)
  expect((await askAsOperator(stack, 'GET', '/security?kind=everything')).status).toBe(400)
})

test('a flood from everywhere is fifty rows a minute, hides no other kind, and is not lost while the database is away', async () => {
  const { db } = stack.ctx
  await db.query('DELETE FROM security_log')
  const silent = pino({ level: 'silent' })
  const security = createSecurityLog({ db, log: silent })
  await db.query('ALTER TABLE security_log RENAME TO security_log_away')
  for (let i = 0; i < 5_000; i++) security.note('sign_in_failed', `2001:db8::${i.toString(16)}`, `user_${i}`)
  await security.flush()
  // What was written does not make room for more.
  for (let i = 5_000; i < 6_000; i++) security.note('sign_in_failed', `2001:db8::${i.toString(16)}`, `user_${i}`)
  security.note('operator_refused', '192.0.2.1')
  await db.query('ALTER TABLE security_log_away RENAME TO security_log')
  await security.flush()
  const { rows } = await db.query<{ rows: number; times: number; most: number }>(
    `SELECT count(*)::integer AS rows, sum(times)::integer AS times, max(cardinality(subjects)) AS most
     FROM security_log WHERE kind = 'sign_in_failed'`,
  )
  expect(security.counts().get('sign_in_failed')).toBe(6_000)
  // Of two minutes, if one ended meanwhile.
  expect(rows[0]?.rows).toBeLessThanOrEqual(102)
  expect(rows[0]).toMatchObject({ times: 6_000, most: mostSubjects + 1 })
  const other = await db.query(`SELECT address FROM security_log WHERE kind = 'operator_refused'`)
  expect(other.rows).toEqual([{ address: '192.0.2.1' }])

  await db.query(`UPDATE security_log SET minute = minute - interval '91 days' WHERE address = '(others)'`)
  await pruneSecurityLog(db)
  const left = await db.query(`SELECT 1 FROM security_log WHERE address = '(others)'`)
  expect(left.rowCount).toBe(0)
})
