import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { listen } from '../support/listen.ts'
import { fetchPip, pythonWith } from '../../scripts/python.ts'
import type { TestUser } from '../support/user.ts'
import { run } from './run.ts'
import type { Ran } from './run.ts'

const root = path.join(import.meta.dirname, '../..')

let stack: Stack
let user: TestUser
let python: string
let cwd: string
beforeAll(async () => {
  const requirements = await readFile(path.join(import.meta.dirname, 'requirements.txt'), 'utf8')
  python = (await pythonWith({ requirements: requirements.trimEnd().split('\n') })).python
  stack = await startStack()
  cwd = await mkdtemp(path.join(tmpdir(), 'callgate-python-'))
  const text = await readFile(path.join(root, 'docs/python.md'), 'utf8')
  await writeFile(path.join(cwd, 'reply.py'), /```python\n([\s\S]*?)```/.exec(text)?.[1] ?? '')
}, 300_000)
beforeEach(async () => {
  user = await stack.user()
})
afterAll(async () => {
  await stack.stop()
  await rm(cwd, { recursive: true, force: true })
})

const effects = () => stack.sandbox.effects(user.account.seeded.account)

/** The program of the docs, word for word; `decide` is the person, who is told the call. */
function reply(decide: (callId: string) => Promise<unknown>, env: object = {}): Promise<Ran> {
  let decided: Promise<unknown> | undefined
  return run(python, ['reply.py', 'Yes, it is still available.'], {
    cwd,
    env: { CALLGATE_URL: stack.url, CALLGATE_API_KEY: user.key, ...env },
    onOut(text) {
      const found = /confirm\/(call_\w{26})\n/.exec(text)?.[1]
      if (found !== undefined) decided ??= decide(found)
    },
  })
}

describe('the Python program of the docs', () => {
  test('finds an action, reads its schema, writes, waits for the person, and has the result', async () => {
    const before: unknown[] = []
    const { code, out, err } = await reply(async (callId) => {
      before.push(...(await effects()))
      return user.approve(callId)
    })
    expect([code, err]).toEqual([0, ''])
    expect(out.trimEnd().split('\n')).toEqual([
      'property-advertising.reply_to_contact takes contact_id, message',
      expect.stringMatching(/^Nothing has been sent yet\. Approve it here: http/),
      expect.stringMatching(/^sent as \S+$/),
    ])
    expect(before).toEqual([])
    expect(await effects()).toHaveLength(1)
  })

  test('says that nothing was sent when the person rejects', async () => {
    const { code, err } = await reply((callId) => user.reject(callId))
    expect([code, err]).toEqual([1, 'Nothing was sent: rejected\n'])
    expect(await effects()).toEqual([])
  })

  test('does not send again what may have happened', async () => {
    onTestFinished(() => stack.sandbox.clearFaults())
    const { code, err } = await reply(async (callId) => {
      await stack.sandbox.fault('drop_after', { times: 1 })
      return user.approve(callId)
    })
    expect([code, err]).toEqual([1, expect.stringMatching(/^It may or may not have happened.*\(call_\w{26}\)\n$/)])
    expect(await effects()).toHaveLength(1)
  })

  test('gives the person the link that only they can use', async () => {
    const unconnected = await stack.user({ accounts: [] })
    const { code, err } = await reply(() => Promise.resolve(), { CALLGATE_API_KEY: unconnected.key })
    expect(code).toBe(1)
    expect(err).toMatch(/^AUTH_REQUIRED: .*\nOpen http.*\/connect\/property-advertising\n$/)
  })

  test('says what the gateway refused, by its code', async () => {
    const { code, err } = await reply(() => Promise.resolve(), { CALLGATE_API_KEY: 'cg_live_wrong' })
    expect([code, err]).toEqual([1, expect.stringMatching(/^api_key_invalid: /)])
  })

  test('waits when it is told to, and repeats what got no answer, without doing it twice', async () => {
    const seen: string[] = []
    const url = await front(async (request, pass) => {
      if (!String(request.url).endsWith('/reply_to_contact') || request.method !== 'POST') return pass()
      seen.push(String(request.headers['idempotency-key']))
      if (seen.length === 1) return { status: 429, wait: 1 }
      // The gateway has it, but nobody hears so.
      if (seen.length === 2) return pass().then(() => 'hang up' as const)
      return pass()
    })
    const { code, err } = await reply((callId) => user.approve(callId), { CALLGATE_URL: url })
    expect([code, err]).toEqual([0, ''])
    expect([seen.length, new Set(seen).size]).toEqual([3, 1])
    expect(await effects()).toHaveLength(1)
  })
})

describe('the Python client', () => {
  const program = (run: string, wait = '') => `
import asyncio, os
from callgate import Call, CallEndedError, CallgateError, OptionError
from callgate.apps import AsyncCallgate, Callgate
url, key = os.environ["CALLGATE_URL"], os.environ["CALLGATE_API_KEY"]
show = lambda url, call_id: print(url, flush=True)
def reply(c, contact): return c.run("property-advertising.reply_to_contact", {"contact_id": contact, "message": "Yes."}, on_confirm=show)
def contacts(c): return c.run("property-advertising.list_contacts", {})
${run}
${wait}`
  const sync = program(`
with Callgate(key, url) as c:
    try:
        print(reply(c, contacts(c)["contacts"][0]["contact_id"])["message_id"] != "")
    except CallEndedError as error:
        print(error.status, error.reason)
    for refused in [lambda: c.run("crm.list_clients", {}), lambda: Callgate("\u2026", url).connections(), lambda: Callgate(key, url + "/docs")]:
        try:
            refused()
        except (CallgateError, OptionError) as error:
            print(getattr(error, "code", "option"), getattr(error, "link", error))
    print(c.get_call(c.list_calls(limit=1)["calls"][0]["call_id"])["status"], len(c.connections()))`)
  const asynchronous = program(
    `
async def main():
    async with AsyncCallgate(key, url) as c:
        contact = (await contacts(c))["contacts"][0]["contact_id"]
        print((await reply(c, contact))["message_id"] != "")
        waiting = await c.call("property-advertising.reply_to_contact", {"contact_id": contact, "message": "Later"})
        assert isinstance(waiting, Call)
        try:
            await c.wait_for_approval(waiting.call_id, timeout=0.5)
        except CallgateError as error:
            print(error.code)
        print((await c.cancel(waiting.call_id))["status"])`,
    'asyncio.run(main())',
  )

  async function ran(
    code: string,
    decide: (callId: string) => Promise<unknown>,
    { url = stack.publicUrl, from = path.join(root, 'client/python') } = {},
  ): Promise<Ran> {
    let decided: Promise<unknown> | undefined
    const done = await run(python, ['-c', code], {
      cwd,
      env: {
        CALLGATE_URL: url,
        CALLGATE_API_KEY: user.key,
        PYTHONPATH: from,
        PYTHONDONTWRITEBYTECODE: '1',
      },
      onOut(text) {
        const found = /confirm\/(call_\w{26})\n/.exec(text)?.[1]
        if (found !== undefined) decided ??= decide(found)
      },
    })
    await decided
    return done
  }

  test('waits for the person, and says in its errors who can put it right', async () => {
    const { out, err } = await ran(sync, (callId) => user.approve(callId))
    expect(err).toBe('')
    expect(out.trimEnd().split('\n').slice(1)).toEqual([
      'True',
      `AUTH_REQUIRED ${stack.publicUrl}/connect/crm`,
      'option The API key has characters that cannot be sent.',
      expect.stringMatching(/^option "http.*\/docs" is no address of a gateway/),
      'executed 1',
    ])
  })

  test('is installed by pip from the gateway, and runs', async () => {
    const page = await (await fetch(`${stack.publicUrl}/clients`)).text()
    const [, address = ''] = /pip install (http\S+\.whl)/.exec(page) ?? []
    const from = path.join(cwd, 'installed')
    const install = ['install', '--quiet', '--no-index', '--no-deps', '--target', from, address]
    const installed = await run(python, ['-m', 'pip', ...install], { cwd, env: { HOME: cwd } })
    expect([installed.code, installed.err]).toEqual([0, ''])
    const described = `from importlib.metadata import metadata, files
print(metadata('callgate')['Version'], metadata('callgate').get_all('Requires-Dist'), all(f.locate().exists() for f in files('callgate')))`
    expect((await ran(described, () => Promise.resolve(), { from })).out).toBe(
      "0.1.0 ['httpx>=0.27,<1', 'typing_extensions>=4.6'] True\n",
    )
    const { out, err } = await ran(sync, (callId) => user.approve(callId), { from })
    expect([out.split('\n')[1], err]).toEqual(['True', ''])
  })

  test('tells why the person rejected', async () => {
    const { out } = await ran(sync, async (callId) => {
      const person = await user.person()
      const rejection = { ...(await person.confirmForm(callId)), decision: 'reject', reason: 'Ask Ann first.' }
      return person.post(`/confirm/${callId}`, rejection)
    })
    expect(out.split('\n')[1]).toBe('rejected Ask Ann first.')
    expect(await effects()).toEqual([])
  })

  test('does the same for programs that do several things at once, and repeats nothing that was done', async () => {
    const keys: string[] = []
    const url = await front(async (request, pass) => {
      if (!String(request.url).endsWith('/reply_to_contact')) return pass()
      keys.push(String(request.headers['idempotency-key']))
      // The gateway has it, but nobody hears so.
      return keys.length === 1 ? pass().then(() => 'hang up' as const) : pass()
    })
    const { out, err } = await ran(asynchronous, (callId) => user.approve(callId), { url })
    expect([out.trimEnd().split('\n').slice(1), err]).toEqual([['True', 'wait_timed_out', 'cancelled'], ''])
    expect([keys.length, new Set(keys).size]).toEqual([3, 2])
    expect(await effects()).toHaveLength(1)
  })
})

interface Passed {
  readonly status: number
  readonly wait?: number
  readonly body?: string
}

/** A proxy before the gateway that may answer otherwise; returns its `…/api/v1`. */
async function front(
  answer: (request: IncomingMessage, pass: () => Promise<Passed>) => Promise<Passed | 'hang up'> | Passed,
): Promise<string> {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await request.toArray()).join('')
    const headers = { ...(request.headers as Record<string, string>) }
    for (const name of ['host', 'connection', 'content-length', 'accept-encoding']) delete headers[name]
    const pass = async (): Promise<Passed> => {
      const method = request.method ?? ''
      const passed = await fetch(`${stack.publicUrl}${request.url}`, { method, headers, ...(body !== '' && { body }) })
      return { status: passed.status, body: await passed.text() }
    }
    const said = await answer(request, pass)
    if (said === 'hang up') return void request.socket.destroy()
    const limited = JSON.stringify({ error: 'rate_limited', message: 'Wait.', request_id: 'r' })
    const wait = said.wait === undefined ? {} : { 'Retry-After': String(said.wait) }
    response.writeHead(said.status, { 'Content-Type': 'application/json', ...wait }).end(said.body ?? limited)
  }
  const server = await listening(createServer((request, response) => void serve(request, response)))
  return `${server}/api/v1`
}

async function listening(server: Server): Promise<string> {
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}`
}

describe('a Python environment', () => {
  const environment = (program: string) => path.dirname(path.dirname(program))

  test('is made once, also when two processes ask at the same moment', async () => {
    const env = { XDG_CACHE_HOME: await mkdtemp(path.join(cwd, 'cache-')), HOME: cwd }
    const script = `import { pythonWith } from '${path.join(root, 'scripts/python.ts')}'
      process.stderr.write((await pythonWith({ requirements: [] })).python)`
    const ask = () => run(process.execPath, ['--input-type=module', '-e', script], { cwd, env })
    const [one, other] = await Promise.all([ask(), ask()])
    expect([one.code, one.err]).toEqual([0, other.err])
    expect(await readdir(path.join(env.XDG_CACHE_HOME, 'callgate'))).toEqual([path.basename(environment(one.err))])
    const { out } = await run(one.err, ['-c', 'import sys; print(sys.prefix)'], { cwd, env: {} })
    expect(out.trim()).toBe(environment(one.err))
  })

  test('is not made where Python is missing: it says what to install', async () => {
    await expect(pythonWith({ requirements: [] }, { ...process.env, PATH: cwd })).rejects.toThrow(
      'apt-get install python3',
    )
  })

  test('takes no other pip than the pinned one', async () => {
    const url = await listening(
      createServer((request, response) => response.writeHead(request.url === '/pip.whl' ? 200 : 404).end('pip')),
    )
    await expect(fetchPip(cwd, { url: `${url}/pip.whl`, sha256: '0'.repeat(64) })).rejects.toThrow('is not the pinned')
    await expect(fetchPip(cwd, { url: `${url}/other.whl`, sha256: '' })).rejects.toThrow(/404.*apt-get install/)
    const sha256 = createHash('sha256').update('pip').digest('hex')
    expect(await readFile(await fetchPip(cwd, { url: `${url}/pip.whl`, sha256 }), 'utf8')).toBe('pip')
  })
})
