import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorToken } from '../../core/operators/credentials.ts'
import { isMeant } from '../../core/admin-port/host.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { Person } from '../support/person.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

/** What the admin port tells a browser that knows it by this name. */
async function ask(host: string, path: string): Promise<{ readonly status: number; readonly body: string }> {
  const { hostname, port } = new URL(stack.adminUrl)
  const asked = request({ host: hostname, port, path, headers: { Host: host } }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: await text(response) }
}

test('a page elsewhere whose name was pointed here learns nothing', async () => {
  for (const host of [
    'attacker.example',
    'attacker.example:8081',
    '127.0.0.1.attacker.example',
    'localhost.example',
    '@',
  ])
    for (const path of ['/metrics', '/readyz', '/login', '/operator/apps', '/assets/style.css']) {
      const told = await ask(host, path)
      expect([told.status, told.body], `${host} ${path}`).toEqual([421, expect.stringContaining('CALLGATE_ADMIN_URL')])
    }
})

test('addresses, names of the machine and its network, and the name that is set reach it', async () => {
  const own = new URL(stack.ctx.config.adminUrl).host
  for (const host of [
    '127.0.0.1',
    '[::1]:8081',
    '10.1.2.3:8081',
    'localhost:8081',
    'admin.localhost',
    'callgate-api:8081',
    own,
  ])
    expect((await ask(host, '/healthz')).status, host).toBe(200)
})

test.each([
  ['ops.example.org', true],
  ['ops.example.org:8081', true],
  ['OPS.example.org', true],
  ['notops.example.org', false],
  ['evil.ops.example.org', false],
  ['ops.example.org.evil.example', false],
])('of a name that operators use, %s is that name: %s', (host, meant) => {
  expect(isMeant({ headers: { host } } as IncomingMessage, 'https://ops.example.org')).toBe(meant)
})

test('nothing that is typed into addresses and filters is a fault of ours', async () => {
  const token = operatorToken(stack.ctx.secrets)
  const person = new Person(stack.adminUrl)
  await person.post('/login', { name: 'ann', token })
  for (const bad of ['%00', '%ff', '%F0%9F%92%A9', '..%2f', '%25', "'", '%ED%A0%80']) {
    for (const path of [`/calls/${bad}`, `/apps/${bad}`, `/log?said=${bad}`])
      expect((await person.get(path)).status, path).toBeLessThan(500)
    for (const name of ['call_id', 'owner', 'app', 'status', 'waiting_for', 'look', 'before']) {
      const query = `?${name}=a${bad}`
      expect((await person.get(`/calls${query}`)).status, query).toBeLessThan(500)
      const told = await fetch(`${stack.adminUrl}/operator/calls${query}`, {
        headers: { Authorization: `Bearer ${token}` },
      })
      expect(told.status, query).toBeLessThan(500)
    }
  }
})
