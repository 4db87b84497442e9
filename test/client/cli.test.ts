import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import type { TestUser } from '../support/user.ts'

const root = path.join(import.meta.dirname, '../..')
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

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A program in a folder of its own, with the environment of the user. */
function run(
  script: string,
  args: readonly string[],
  options: { input?: string; onErr?: (text: string) => void; env?: object } = {},
): Promise<Ran> {
  const env = {
    CALLGATE_URL: stack.url,
    CALLGATE_API_KEY: user.key,
    CALLGATE_ADMIN_URL: stack.adminUrl,
    ...options.env,
  }
  const child = spawn(process.execPath, [path.join(root, script), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
    options.onErr?.(err)
  })
  child.stdin.end(options.input ?? '')
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? -1, out, err })))
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
  ])
    expect((await callgate(...wrong)).code, wrong.join(' ')).toBe(2)
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
    expect([cancelled.code, cancelled.err]).toEqual([4, expect.stringContaining('was cancelled')])

    let approved: Promise<unknown> | undefined
    const sent = await run('client/cli.ts', ['call', 'property-advertising.reply_to_contact', input, '--wait'], {
      onErr: (text) => {
        const found = /confirm\/(call_\w{26})/.exec(text)?.[1]
        if (found !== undefined) approved ??= user.approve(found)
      },
    })
    expect(sent.code).toBe(0)
    expect(JSON.parse(sent.out)).toHaveProperty('message_id')
    const [last] = JSON.parse((await callgate('calls', '--json', '--limit', '1')).out) as { call_id: string }[]
    expect((await callgate('wait', last?.call_id ?? '')).code).toBe(0)
  })

  test('that is refused says why, and has an exit code of its own', async () => {
    const refused = await callgate('call', 'property-advertising.list_listings', '{"limit":0}')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('invalid_input')])
    const unconnected = await callgate('call', 'crm.list_clients', '--json')
    expect(unconnected.err).toContain(`Open ${stack.publicUrl}/connect/crm`)
    expect(JSON.parse(unconnected.out)).toMatchObject({ error: 'AUTH_REQUIRED' })
    const away = await run('client/cli.ts', ['apps'], { env: { CALLGATE_URL: 'http://127.0.0.1:9/api/v1' } })
    expect(away.code).toBe(6)
    const keyless = await run('client/cli.ts', ['calls'], { env: { CALLGATE_API_KEY: undefined } })
    expect([keyless.code, keyless.err]).toEqual([2, expect.stringContaining('CALLGATE_API_KEY')])
  })
})

test('doctor finds what is broken, and says how to mend it', async () => {
  const well = await callgate('doctor')
  expect([well.code, well.out]).toEqual([
    0,
    expect.stringMatching(/✓ gateway[\s\S]*✓ key: valid[\s\S]*✓ database[\s\S]*✓ engine/),
  ])
  const wrong = await run('client/cli.ts', ['doctor'], { env: { CALLGATE_API_KEY: 'cg_live_wrong' } })
  expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('✗ key: not valid')])
  const away = await run('client/cli.ts', ['doctor'], { env: { CALLGATE_URL: 'http://127.0.0.1:9/api/v1' } })
  expect([away.code, away.out]).toEqual([1, expect.stringContaining('npm start')])
})

test('the example of the client’s README runs as it stands', async () => {
  const text = await readFile(path.join(root, 'client/README.md'), 'utf8')
  const example = /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  const script = path.join(root, 'test/client', `.example-${process.pid}.ts`)
  await writeFile(script, example.replace('../client/index.ts', '../../client/index.ts'))
  try {
    const ran = run(path.relative(root, script), [])
    const deadline = Date.now() + 20_000
    for (let waiting: unknown[] = []; waiting.length === 0 && Date.now() < deadline;) {
      const { body } = await user.send('GET', '/calls?status=awaiting_confirmation')
      waiting = body['calls'] as { call_id: string }[]
      for (const one of waiting as { call_id: string }[]) await user.approve(one.call_id)
    }
    const { code, out } = await ran
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/people wait for an answer\nPlease approve: http.*\nsent as /),
    ])
  } finally {
    await rm(script)
  }
})
