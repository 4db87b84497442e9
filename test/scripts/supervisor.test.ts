import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../local-services/dev-server.ts'
import { identify } from '../../local-services/process-identity.ts'
import { hidden } from '../../scripts/browsing.ts'
import { root } from '../../scripts/supervisor/settings.ts'
import { strangerSends } from '../mcp/stranger-story.ts'
import { Person } from '../support/person.ts'
import { until } from './temp.ts'

const names = ['postgres', 'temporal', 'sandbox', 'api', 'worker'] as const
const portVariables = ['PORT', 'ADMIN_PORT', 'SANDBOX_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'] as const

describe('npm start', () => {
  const dir = mkdtempSync(join(tmpdir(), 'callgate-start-'))
  chmodSync(dir, 0o711)
  const environment: NodeJS.ProcessEnv = { ...process.env, CALLGATE_DIR: dir }
  for (const name of ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'HOST', 'PUBLIC_URL']) delete environment[name]
  let running: ReturnType<typeof start>

  beforeAll(async () => {
    for (const variable of portVariables) environment[variable] = String(await freePort())
    running = start()
    await running.greeted()
  })

  afterAll(async () => {
    running.child.kill('SIGINT')
    await running.ended
    await rm(dir, { recursive: true, force: true })
  })

  function start() {
    const child = spawn(process.execPath, ['scripts/start.mjs', 'start'], {
      cwd: root,
      env: environment,
      detached: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }))
    const greeted = () =>
      until(() => {
        if (child.exitCode !== null) throw new Error(output)
        return output.includes('Ctrl-C stops everything')
      })
    return { child, ended, greeted, output: () => output }
  }

  const pidOf = (name: string) => Number(readFileSync(join(dir, 'run', `${name}.pid`), 'utf8'))
  const pasteCurl = async (index: number) => {
    const line = running
      .output()
      .split('\n')
      .filter((text) => text.startsWith('curl '))[index]
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `${line} -w '\n%{http_code}'`])
    const [status, ...body] = stdout.split('\n').toReversed()
    return { status: Number(status), body: body.toReversed().join('\n') }
  }
  const answers = async () => (await pasteCurl(0).catch(() => ({ status: 0 }))).status === 200

  test('prints a read that works when pasted', async () => {
    const { status, body } = await pasteCurl(0)
    expect({ status, body }).toMatchObject({ status: 200 })
    expect(JSON.parse(body)).toHaveProperty('listings')
  })

  test('prints a write that asks first', async () => {
    const { status, body } = await pasteCurl(1)
    expect({ status, body }).toMatchObject({ status: 202 })
    expect(JSON.parse(body)).toMatchObject({ status: 'awaiting_confirmation', confirm_url: expect.any(String) })
  })

  test('lets the demo user’s agents, of others’ making, send what the person approves', async () => {
    const demo = JSON.parse(readFileSync(join(dir, 'demo.json'), 'utf8')) as Record<string, string>
    const {
      mcp_url: mcpUrl = '',
      dashboard_url: publicUrl = '',
      email = '',
      password = '',
      api_key: apiKey = '',
    } = demo
    expect(mcpUrl).toBe(`${publicUrl}/mcp`)
    const person = await Person.signIn(publicUrl, email, password)
    const approve = (callId: string) => person.decide(callId, 'approve')
    await strangerSends({ publicUrl, apiKey, approve })
  })

  /** The demo user in a browser, their keys, and what a key is told of a call. */
  async function demoUser() {
    const demo = JSON.parse(readFileSync(join(dir, 'demo.json'), 'utf8')) as Record<string, string>
    const { base_url: url = '', dashboard_url: publicUrl = '', email = '', password = '', api_key: key = '' } = demo
    const person = await Person.signIn(publicUrl, email, password)
    const page = async () => (await person.get('/keys')).text()
    const post = async (path: string, form: Record<string, string>) =>
      (await person.post(path, { csrf: hidden(await page(), 'csrf'), ...form })).text()
    const ask = async (path: string, apiKey: string, method = 'GET') => {
      const response = await fetch(`${url}${path}`, { method, headers: { 'X-API-Key': apiKey } })
      return { status: response.status, id: response.headers.get('X-Request-Id') ?? '', text: await response.text() }
    }
    return { key, page, post, ask }
  }

  test('has keys of the demo users that see all calls of their owner, as the keys of others do not', async () => {
    const { key, page, post, ask } = await demoUser()
    const made = await post('/keys', { name: 'Front desk', days: '30', all: 'yes' })
    const other = /cg_live_\w+/.exec(made)?.[0] ?? ''
    const read = '/property-advertising/list_listings?limit=1'
    const [mine, theirs] = [(await ask(read, key)).id, (await ask(read, other)).id]
    expect((await ask(`/calls/${theirs}`, key)).status).toBe(200)
    expect((await ask('/calls?limit=1', key)).text).toContain(theirs)
    expect((await ask(`/calls/${mine}`, other)).status).toBe(404)
    // Until the next start, if its owner wants it otherwise.
    const forms = [...(await page()).matchAll(/action="(\/keys\/\w+)"/g)]
    await post(forms.at(-1)?.[1] ?? '', { action: 'sight' })
    expect((await ask(`/calls/${theirs}`, key)).status).toBe(404)
  })

  test('shows the engine’s runs at the address that it tells, and lets no stranger change them', async () => {
    const demo = JSON.parse(readFileSync(join(dir, 'demo.json'), 'utf8')) as Record<string, string>
    expect(demo['temporal_ui_url']).toBe(`http://127.0.0.1:${environment['TEMPORAL_UI_PORT']}`)
    const runs = `${demo['temporal_ui_url']}/api/v1/namespaces/default/workflows`
    const { executions } = (await (await fetch(runs)).json()) as { executions: { execution: { workflowId: string } }[] }
    const terminated = await fetch(`${runs}/${executions[0]?.execution.workflowId}/terminate`, { method: 'POST' })
    expect([terminated.status, await terminated.text()]).toEqual([
      403,
      expect.stringContaining(`sign in as an operator at http://127.0.0.1:${environment['ADMIN_PORT']}/login`),
    ])
  })

  test('tells operators’ commands of this folder where it listens', async () => {
    const { ADMIN_PORT: adminPort, ...silent } = environment
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/admin.ts', 'apps'], {
      cwd: root,
      env: { ...silent, CALLGATE_ADMIN_URL: '', CALLGATE_SECRETS: join(dir, 'secrets.json') },
    })
    expect(JSON.parse(stdout)).toHaveProperty('apps')
    expect(JSON.parse(readFileSync(join(dir, 'gateway.json'), 'utf8'))).toMatchObject({
      admin_url: `http://127.0.0.1:${adminPort}`,
    })
  })

  test('keeps its keys to itself', () => {
    for (const file of ['demo.json', 'secrets.json']) expect(statSync(join(dir, file)).mode & 0o777, file).toBe(0o600)
  })

  test('logs no warning while all is well', () => {
    const lines = ['api', 'worker'].flatMap((name) =>
      readFileSync(join(dir, 'logs', `${name}.log`), 'utf8').split('\n'),
    )
    const warn = 40
    const warns = (line: string): boolean => {
      const { level, msg } = JSON.parse(line) as { level: number; msg: string }
      // A busy machine takes longer to start the database.
      return level >= warn && !msg.startsWith('not ready: waiting')
    }
    expect(lines.filter((line) => line !== '' && warns(line))).toEqual([])
  })

  test('tells a second one that it runs already, in one line', async () => {
    const { code, output } = await start().ended
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/^Callgate already runs here .*\n$/) })
  })

  test.each(names)('has %s back within two seconds after a SIGKILL, and serves again', async (name) => {
    const before = pidOf(name)
    process.kill(before, 'SIGKILL')
    await until(() => pidOf(name) !== before && identify(pidOf(name)) !== undefined)
    await until(answers)
  })

  test('stops everything on Ctrl-C and leaves no process behind', async () => {
    running.child.kill('SIGINT')
    const { code } = await running.ended
    expect(code).toBe(0)
    expect(processesOf(dir)).toEqual([])
    expect(readdirSync(join(dir, 'run'))).toEqual([])
  })

  test('starts again with the same keys', async () => {
    const key = readFileSync(join(dir, 'secrets.json'), 'utf8')
    running = start()
    await running.greeted()
    expect(await answers()).toBe(true)
    expect(readFileSync(join(dir, 'secrets.json'), 'utf8')).toBe(key)
    expect(await (await demoUser()).page()).toContain('sees all of your calls')
  })

  test('cleans up after one that was killed with everything it had started still running', async () => {
    const left = names.map(pidOf)
    const { pid } = running.child
    if (pid === undefined) throw new Error('no pid')
    // Its process group holds the bootstrap and the supervisor; what they started has groups of its own.
    process.kill(-pid, 'SIGKILL')
    await running.ended
    running = start()
    await running.greeted()
    expect(left.filter((old) => names.map(pidOf).includes(old))).toEqual([])
    expect(left.map(identify)).toEqual(names.map(() => undefined))
    expect(await answers()).toBe(true)
  })

  test('ends in order when only the process that npm started is killed', async () => {
    running.child.kill('SIGKILL')
    await until(() => processesOf(dir).length === 0)
    expect(existsSync(join(dir, 'run', 'postgres.pid'))).toBe(false)
  })
})

/** Processes that carry the folder in their command line or environment. */
function processesOf(dir: string): string[] {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return ''
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && identify(Number(name)) !== undefined)
    .filter((pid) => `${read(`/proc/${pid}/cmdline`)}${read(`/proc/${pid}/environ`)}`.includes(dir))
    .map((pid) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '))
}
