import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../sandbox/config.ts'
import { isLoopback } from '../../sandbox/platform/control.ts'
import { startSandbox, type Sandbox } from '../../sandbox/server.ts'
import { outerAddress } from '../support/outer-address.ts'
import { Control, slug, Visitor } from './visitor.ts'

let sandbox: Sandbox
let control: Control
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sandbox-control-'))
  sandbox = await startSandbox({ port: 0, host: '0.0.0.0', dataDir })
  control = new Control(`http://127.0.0.1:${sandbox.port}`)
})
afterAll(async () => {
  await sandbox.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** With whatever headers and target, unlike fetch. */
async function ask(
  host: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number | undefined; body: string }> {
  const asked = request({ host, port: sandbox.port, path, method, headers }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, body: await text(answer) }
}

test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])('%s is this machine', (address) => {
  expect(isLoopback(address)).toBe(true)
})

test.each([
  '192.0.2.2',
  '128.0.0.1',
  '0.0.0.0',
  '::',
  '::2',
  '::ffff:192.0.2.2',
  'fe80::1',
  'localhost',
  '',
  undefined,
])('%s is not this machine', (address) => {
  expect(isLoopback(address)).toBe(false)
})

test('it listens on loopback unless told otherwise, and only on an address', () => {
  expect(readConfig({}).host).toBe('127.0.0.1')
  expect(readConfig({ SANDBOX_HOST: '' }).host).toBe('127.0.0.1')
  expect(readConfig({ SANDBOX_HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
  expect(() => readConfig({ SANDBOX_HOST: 'everywhere' })).toThrow(/^SANDBOX_HOST must be an IP address/)
})

test('from this machine the control routes answer, wherever the sandbox listens', async () => {
  const accounts = await ask('127.0.0.1', `/_sandbox/${slug}/accounts`)
  expect([accounts.status, accounts.body.includes('"password"')]).toEqual([200, true])
})

test('a page that made its own name point to this machine gets nothing', async () => {
  for (const path of [`/_sandbox/${slug}/accounts`, `/${slug}/`, '/'])
    expect((await ask('127.0.0.1', path, { host: `evil.example:${sandbox.port}` })).status, path).toBe(403)
})

test.runIf(outerAddress)(
  'from elsewhere the control routes are unknown paths, whatever the request says of itself',
  async () => {
    const unknown = await ask(outerAddress ?? '', '/nothing/accounts')
    expect(unknown.status).toBe(404)
    const claims = [
      {},
      { host: `localhost:${sandbox.port}` },
      { host: '127.0.0.1', 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', 'x-real-ip': '::1' },
    ]
    const controls = ['accounts', 'effects'].map((what) => `/_sandbox/${slug}/${what}`)
    for (const headers of claims)
      for (const path of [...controls, `http://localhost:${sandbox.port}${controls[0]}`, `/${slug}/..${controls[0]}`])
        expect(await ask(outerAddress ?? '', path, headers), path).toEqual(unknown)

    const someone = await control.newcomer()
    await someone.form('/my/ads/new', { headline: 'Kept', deal: 'to_let', asking: '900.00' })
    const effects = await control.effects()
    expect(effects).toHaveLength(1)
    expect(await ask(outerAddress ?? '', '/_sandbox/reset', {}, 'POST')).toEqual(unknown)
    expect(await control.effects()).toEqual(effects)
  },
)

test.runIf(outerAddress)(
  'from elsewhere a person signs in to an app under any name, though from no page of another origin',
  async () => {
    const [account] = await control.accounts()
    const person = new Visitor(`http://${outerAddress}:${sandbox.port}`)
    const { email = '', password = '' } = account ?? {}
    expect((await person.fill('/sign-in', { email, password })).status).toBe(303)
    expect((await person.get('/my/ads')).status).toBe(200)
    const host = `sandbox:${sandbox.port}`
    const own = { host, origin: `http://${host}` }
    expect((await ask(outerAddress ?? '', `/${slug}/sign-in`, own)).status).toBe(200)
    expect((await ask(outerAddress ?? '', `/${slug}/sign-in`, { host, origin: 'https://evil.example' })).status).toBe(
      403,
    )
  },
)
