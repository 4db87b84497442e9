import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecurityLog, pruneSecurityLog } from '../../core/security-log.ts'
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

test('a flood from everywhere is a hundred rows, of which none is lost while the database is away', async () => {
  const { db } = stack.ctx
  await db.query('DELETE FROM security_log')
  const silent = pino({ level: 'silent' })
  const stopped = new AbortController()
  let counted = 0
  const security = createSecurityLog({ db, log: silent, count: () => counted++, stopped: stopped.signal })
  await db.query('ALTER TABLE security_log RENAME TO security_log_away')
  for (let i = 0; i < 5_000; i++) security.note('sign_in_failed', `2001:db8::${i.toString(16)}`)
  await security.flush()
  await db.query('ALTER TABLE security_log_away RENAME TO security_log')
  await security.flush()
  stopped.abort()
  const { rows } = await db.query<{ rows: number; times: number }>(
    `SELECT count(*)::integer AS rows, sum(times)::integer AS times FROM security_log WHERE kind = 'sign_in_failed'`,
  )
  expect(counted).toBe(5_000)
  // Of two minutes, if one ended meanwhile.
  expect(rows[0]?.rows).toBeLessThanOrEqual(102)
  expect(rows[0]?.times).toBe(5_000)

  await db.query(`UPDATE security_log SET minute = minute - interval '91 days' WHERE address = '(others)'`)
  await pruneSecurityLog(db)
  const left = await db.query(`SELECT 1 FROM security_log WHERE address = '(others)'`)
  expect(left.rowCount).toBe(0)
})
