import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { listen } from '../support/listen.ts'
import type { TestUser } from '../support/user.ts'
import { run as runProgram } from './run.ts'
import type { Ran, RunOptions } from './run.ts'

// Each command is a process of its own.
vi.setConfig({ testTimeout: 120_000 })

let stack: Stack
let user: TestUser
let folder: string
beforeAll(async () => {
  stack = await startStack()
  folder = await mkdtemp(path.join(tmpdir(), 'callgate-cli-'))
})
beforeEach(async () => {
  user = await stack.user()
})
afterAll(async () => {
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A program in a folder of its own, with the environment of the user. */
function run(script: string, args: readonly string[], { env, ...options }: Partial<RunOptions> = {}): Promise<Ran> {
  const own = { CALLGATE_URL: stack.url, CALLGATE_API_KEY: user.key, CALLGATE_ADMIN_URL: stack.adminUrl }
  return runProgram(script, args, { cwd: folder, ...options, env: { ...own, ...env } })
}

const callgate = (...args: string[]): Promise<Ran> => run('client/cli.ts', args)

test('help names every command, and a wrong one is told so', async () => {
  const { code, out } = await callgate('help')
  expect(code).toBe(0)
  for (const word of [
    'apps',
    'search',
    'schema',
    'call ',
    'calls',
    'wait',
    'cancel',
    'connect',
    'doctor',
    '--admin-url',
    'Exit codes',
  ])
    expect(out).toContain(word)
  for (const wrong of [
    ['nothing'],
    ['schema', 'crm'],
    ['call'],
    ['wait'],
    ['search'],
    ['apps', '--wrong'],
    ['call', 'crm.get_project', '{'],
    ['call', 'crm.get_project', '{}', '{}'],
    ['call', 'crm.get_project', '--file', 'no-such-file.json'],
    ['connect', '../calls'],
  ]) {
    const { code: wrongCode, out: told, err } = await callgate(...wrong, '--json')
    expect([wrongCode, err], wrong.join(' ')).toEqual([2, expect.stringContaining('callgate help')])
    expect(JSON.parse(told)).toMatchObject({ error: 'usage' })
  }
})

test('apps, actions and their schemas are found without a key', async () => {
  const { code, out } = await run('client/cli.ts', ['apps', '--json'], { env: { CALLGATE_API_KEY: undefined } })
  expect(code).toBe(0)
  expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ slug: 'crm' }))
  expect((await callgate('search', 'reply', 'contact')).out).toContain(
    'property-advertising.reply_to_contact (write, asks first)',
  )
  const schema = JSON.parse((await callgate('schema', 'crm.get_project')).out) as object
  expect(schema).toMatchObject({ access: 'read', input_schema: { required: ['project_id'] } })
  expect((await callgate('connect', 'crm')).out).toBe(`${stack.publicUrl}/connect/crm\n`)
  const nobody = await callgate('connect', 'no-such-app', '--json')
  expect([nobody.code, JSON.parse(nobody.out)]).toMatchObject([1, { error: 'unknown_app' }])
})

test('one may search often: each search is one request', async () => {
  const found = await callgate('search', 'create', 'appointment', '--json')
  expect((JSON.parse(found.out) as { endpoint: string }[])[0]).toEqual({
    endpoint: 'salon-booking.create_appointment',
    access: 'write',
    confirm: expect.any(Boolean) as boolean,
    summary: expect.any(String) as string,
  })
  for (let again = 0; again < 5; again++) expect((await callgate('search', 'invoice')).code).toBe(0)
  expect(await callgate('search', 'xyzzy')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing fits') })
})

describe('a call', () => {
  test('gives its output, of an input from anywhere', async () => {
    const file = path.join(folder, 'input.json')
    await writeFile(file, '{"limit":1}')
    for (const [args, input] of [
      [['{"limit":1}'], ''],
      [['--file', file], ''],
      [['-'], '{"limit":1}'],
    ] as const) {
      const { code, out } = await run('client/cli.ts', ['call', 'property-advertising.list_listings', ...args], {
        input,
      })
      expect(code).toBe(0)
      expect((JSON.parse(out) as { listings: unknown[] }).listings.length).toBe(1)
    }
  })

  test('waits for the person when it should, and says where to approve', async () => {
    const listed = JSON.parse((await callgate('call', 'property-advertising.list_contacts')).out) as {
      contacts: { contact_id: string }[]
    }
    const input = JSON.stringify({ contact_id: listed.contacts[0]?.contact_id, message: 'Yes.' })
    const asked = await callgate('call', 'property-advertising.reply_to_contact', input)
    expect(asked.code).toBe(3)
    const { call_id: id } = JSON.parse(asked.out) as { call_id: string }
    expect((await callgate('calls', '--status', 'awaiting_confirmation')).out).toContain(id)
    const cancelled = await callgate('cancel', id)
    expect([cancelled.code, cancelled.out]).toEqual([0, expect.stringContaining('was cancelled')])
    expect((await callgate('cancel', id)).code).toBe(1)
    const over = await callgate('wait', id, '--json')
    expect([over.code, JSON.parse(over.out)]).toMatchObject([4, { status: 'cancelled', call_id: id }])

    let approved: Promise<unknown> | undefined
    const sent = await run('client/cli.ts', ['call', 'property-advertising.reply_to_contact', input, '--wait'], {
      onErr: (text) => {
        const found = /confirm\/(call_\w{26})/.exec(text)?.[1]
        if (found !== undefined) approved ??= user.approve(found)
      },
    })
    expect(sent.code).toBe(0)
    expect(JSON.parse(sent.out)).toHaveProperty('message_id')
    const page = async (...more: string[]) =>
      JSON.parse((await callgate('calls', '--json', '--limit', '1', ...more)).out) as {
        calls: { call_id: string }[]
        next_cursor: string
      }
    const last = await page()
    expect((await callgate('wait', last.calls[0]?.call_id ?? '')).code).toBe(0)
    expect((await page('--cursor', last.next_cursor)).calls[0]?.call_id).toBe(id)
  })

  test('that is refused says why, and has an exit code of its own', async () => {
    const refused = await callgate('call', 'property-advertising.list_listings', '{"limit":0}')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('invalid_input')])
    const unconnected = await callgate('call', 'crm.list_clients', '--json')
    expect(unconnected.err).toContain(`Open ${stack.publicUrl}/connect/crm`)
    expect(JSON.parse(unconnected.out)).toMatchObject({ error: 'AUTH_REQUIRED' })
    const away = await run('client/cli.ts', ['apps'], { env: { CALLGATE_URL: 'http://127.0.0.1:9/api/v1' } })
    expect(away.code).toBe(6)
    expect((await run('client/cli.ts', ['apps'], { env: { CALLGATE_URL: stack.publicUrl } })).code).toBe(0)
    const other = await run('client/cli.ts', ['apps', '--json'], {
      env: { CALLGATE_URL: stack.adminUrl },
    })
    expect([other.code, JSON.parse(other.out)]).toMatchObject([6, { error: 'no_answer' }])
    const keyless = await run('client/cli.ts', ['calls'], { env: { CALLGATE_API_KEY: undefined } })
    expect([keyless.code, keyless.err]).toEqual([2, expect.stringContaining('CALLGATE_API_KEY')])
  })

  test('with a key, an option or an address that cannot be used is told so, and not that nobody answered', async () => {
    const address = stack.url.replace('http://', '')
    for (const [args, env, said] of [
      [['calls'], { CALLGATE_API_KEY: `${user.key}\u2026` }, 'The API key has characters'],
      [['call', 'property-advertising.list_listings', '--key', '\u{1f511}'], {}, 'Idempotency-Key has characters'],
      [['calls'], { CALLGATE_URL: address }, 'is no address'],
      [['apps'], { CALLGATE_URL: address }, 'is no address'],
    ] as const) {
      const { code, out, err } = await run('client/cli.ts', [...args, '--json'], { env })
      expect([code, JSON.parse(out)], said).toMatchObject([2, { error: 'usage' }])
      expect(err).toContain(said)
      expect(err).not.toContain(user.key)
    }
  })
})

describe('the key and the answers', () => {
  test('of the folder’s own gateway go to no other one', async () => {
    const demo = path.join(folder, 'demo')
    await mkdir(demo)
    const keyOf = async (base: string): Promise<Ran> => {
      await writeFile(path.join(demo, 'demo.json'), JSON.stringify({ base_url: base, api_key: user.key }))
      return run('client/cli.ts', ['calls'], { env: { CALLGATE_API_KEY: undefined, CALLGATE_DIR: demo } })
    }
    expect(await keyOf(stack.url)).toMatchObject({ code: 0 })
    expect(await keyOf('http://127.0.0.1:1/api/v1')).toMatchObject({
      code: 2,
      err: expect.stringContaining('CALLGATE_API_KEY'),
    })
  })

  test('never steer the terminal', async () => {
    const steering = '\u001b]0;owned\u0007\u009b2J\rfine'
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      const refused = request.url?.startsWith('/api/v1/calls')
      const one = { app: 'crm', label: steering, state: 'connected', account: 'acct_1' }
      response.writeHead(refused ? 422 : 200)
      response.end(JSON.stringify(refused ? { error: 'app_rejected', message: steering } : { connections: [one] }))
    })
    const port = await listen(server)
    const env = { CALLGATE_URL: `http://127.0.0.1:${port}/api/v1` }
    for (const args of [['connections'], ['connections', '--json'], ['calls'], ['calls', '--json']]) {
      const { out, err } = await run('client/cli.ts', args, { env })
      expect(out + err, args.join(' ')).toContain('fine')
      expect(out + err, args.join(' ')).not.toMatch(/[^\P{Cc}\t\n]/u)
    }
    server.close()
  })
})
