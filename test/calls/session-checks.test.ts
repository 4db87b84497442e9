import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { setAppPaused } from '../../core/operators/pauses.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { listen } from '../support/listen.ts'
import type { TestUser } from '../support/user.ts'

/** Before the apps: those of `slow` answer nobody until it is told otherwise. */
const slow = new Set<string>()
const held = new Set<() => void>()
let most = 0
const proxy = createServer((asked, answer) => {
  const forward = (): void => {
    const { method, headers, url } = asked
    const on = request(new URL(url ?? '/', stack.sandbox.url), { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.pipe(answer)
    })
    on.on('error', () => answer.destroy())
    asked.pipe(on)
  }
  if (!slow.has(asked.url?.split('/')[1] ?? '')) return forward()
  held.add(forward)
  most = Math.max(most, held.size)
  answer.on('close', () => held.delete(forward))
})

let stack: Stack
beforeAll(async () => {
  const port = await listen(proxy)
  stack = await startStack({ settings: { SANDBOX_URL: `http://localhost:${port}` } })
})
afterAll(async () => {
  await stack.stop()
  proxy.closeAllConnections()
  proxy.close()
  await once(proxy, 'close')
})

/** An account whose session the app does not know, though nobody has noticed. */
async function ended(user: TestUser, app: string, count = 1): Promise<readonly string[]> {
  const cookies = [{ name: 'sid', value: 'over', domain: 'localhost', path: `/${app}` }]
  const session = { cookies, user_agent: null }
  const one = (n: number) => connect(stack.ctx, { owner: user.id, app, externalId: `acc-${n}`, label: `${n}`, session })
  return Promise.all(Array.from({ length: count }, (_, n) => one(n)))
}

const due = (ids: readonly string[]) =>
  stack.ctx.db.query('UPDATE accounts SET session_check_at = clock_timestamp() WHERE id = ANY ($1)', [ids])

async function stillConnected(ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await stack.ctx.db.query<{ app: string }>(
    `SELECT app FROM accounts WHERE id = ANY ($1) AND state = 'connected'`,
    [ids],
  )
  return rows.map(({ app }) => app)
}

test('sessions that apps have ended are found out before a call needs them, and an app that does not answer holds up no other', async () => {
  const dead = 'property-advertising'
  const user = await stack.user({ accounts: [] })
  const others = stack.ctx.apps.all.map(({ slug }) => slug).filter((slug) => slug !== dead)
  expect(others).toHaveLength(21)
  const well = await stack.user()
  const ofDead = await ended(user, dead, 25)
  const ofOthers = (await Promise.all(others.map((app) => ended(user, app)))).flat()
  slow.add(dead)
  await due([...ofDead, ...ofOthers, well.account.id])

  await expect.poll(() => stillConnected(ofOthers), { interval: 300 }).toEqual([])
  expect(await stillConnected(ofDead)).toHaveLength(25)
  // Ten at a time have their turn, and the others are still due, as whoever comes next sees.
  await expect.poll(() => held.size).toBeGreaterThan(0)
  const { rows } = await stack.ctx.db.query<{ due: number }>(
    `SELECT count(*)::integer AS due FROM accounts WHERE app = $1 AND session_check_at < clock_timestamp()`,
    [dead],
  )
  expect(rows[0]!.due).toBeLessThanOrEqual(26 - 10)
  const metrics = await (await fetch(`${stack.adminUrl}/metrics`)).text()
  const gauge = 'callgate_session_checks_overdue_seconds'
  expect(metrics).toContain(`${gauge}{app="crm"} 0\n`)
  expect(Number(new RegExp(`${gauge}\\{app="${dead}"\\} (\\S+)`).exec(metrics)?.[1])).toBeGreaterThan(0)

  slow.delete(dead)
  for (const forward of held) forward()
  await expect.poll(() => stillConnected(ofDead), { interval: 300 }).toEqual([])
  expect(most).toBeLessThanOrEqual(10)
  expect(await stillConnected([well.account.id])).toEqual([dead])
  expect(await stack.sandbox.effects(well.account.seeded.account)).toEqual([])
  const chores = await stack.ctx.db.query(`SELECT FROM chores WHERE name = 'session_checks'`)
  expect(chores.rowCount).toBe(1)
})

test('a paused app is not asked until it goes on', async () => {
  const user = await stack.user({ accounts: [] })
  const ids = await ended(user, 'crm')
  await setAppPaused(stack.ctx, 'crm', true, 'operator')
  await due(ids)
  const other = await ended(user, 'salon')
  await due(other)
  await expect.poll(() => stillConnected(other)).toEqual([])
  expect(await stillConnected(ids)).toEqual(['crm'])
  await setAppPaused(stack.ctx, 'crm', false, 'operator')
  await expect.poll(() => stillConnected(ids)).toEqual([])
})
