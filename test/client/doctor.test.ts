import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Finding } from '../../client/finding.ts'
import { findChromium } from '../../scripts/doctor/chromium.ts'
import { findPorts } from '../../scripts/doctor/ports.ts'
import { findSecrets } from '../../scripts/doctor/secrets.ts'
import { writePidFile } from '../../scripts/supervisor/pid-files.ts'
import { makeSecrets } from '../../scripts/supervisor/secrets.ts'
import { readSettings } from '../../scripts/supervisor/settings.ts'
import { freePort } from '../../local-services/dev-server.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { listen } from '../support/listen.ts'
import { run } from './run.ts'

// Each doctor is a process of its own, with a browser.
vi.setConfig({ testTimeout: 120_000 })

let stack: Stack
let key: string
let cwd: string
/** A data folder as npm start leaves it. */
let dir: string
let ports: Record<string, string>
beforeAll(async () => {
  stack = await startStack()
  key = (await stack.user()).key
  cwd = await mkdtemp(path.join(tmpdir(), 'callgate-doctor-'))
  // The browser may be another user than this one.
  await chmod(cwd, 0o777)
  dir = await folder()
})
afterAll(async () => {
  await stack.stop()
  await rm(cwd, { recursive: true, force: true })
})
beforeEach(async () => {
  const names = ['SANDBOX_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']
  const free = await Promise.all(names.map(async (name) => [name, String(await freePort())] as const))
  ports = { PORT: portOf(stack.url), ADMIN_PORT: portOf(stack.adminUrl), ...Object.fromEntries(free) }
})

const portOf = (url: string): string => new URL(url).port

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(cwd, 'data-'))
  await chmod(made, 0o711)
  await mkdir(path.join(made, 'run'))
  makeSecrets(path.join(made, 'secrets.json'))
  return made
}

/** Listens as a program of somebody else. */
async function serve(answer?: (server: Server) => void): Promise<string> {
  const server = createServer()
  answer?.(server)
  const port = await listen(server)
  onTestFinished(() => void server.close())
  return String(port)
}

/** What is broken, of a gateway that is well but for these settings. */
async function broken(env: object): Promise<{ readonly code: number; readonly bad: readonly Finding[] }> {
  const { code, out, err } = await doctor(env, '--json')
  expect(err).toBe('')
  return { code, bad: (JSON.parse(out) as Finding[]).filter(({ ok }) => !ok) }
}

function doctor(env: object, ...options: string[]) {
  const well = { CALLGATE_URL: stack.url, CALLGATE_ADMIN_URL: stack.adminUrl, CALLGATE_API_KEY: key, CALLGATE_DIR: dir }
  return run('client/cli.ts', ['doctor', ...options], { cwd, env: { ...well, ...ports, ...env } })
}

test('of a gateway that is well, everything is', async () => {
  const { code, out } = await doctor({})
  const looked = [
    'gateway',
    'clock',
    'key',
    'accounts',
    'database',
    'engine',
    'secret keys',
    'ports',
    'Chromium',
    'added connectors',
  ]
  expect(out.trimEnd().split('\n')).toEqual(looked.map((what) => expect.stringMatching(`^✓ ${what}: .`) as string))
  expect(code).toBe(0)
})

describe('of the gateway', () => {
  test('that does not answer, it says how to start it', async () => {
    const { code, bad } = await broken({ CALLGATE_URL: 'http://127.0.0.1:9/api/v1', PORT: String(await freePort()) })
    expect(code).toBe(1)
    expect(bad[0]).toMatchObject({ what: 'gateway', mend: expect.stringContaining('npm start') as string })
  })

  test('that is another program, it says what the address is like', async () => {
    const port = await serve((server) => server.on('request', (_, response) => response.end('<html>')))
    const { bad } = await broken({ CALLGATE_URL: `http://127.0.0.1:${port}/api/v1` })
    expect(bad[0]).toMatchObject({ what: 'gateway', mend: expect.stringContaining('ending in /api/v1') as string })
  })

  test('whose clock is wrong, it names the difference', async () => {
    const port = await serve((server) =>
      server.on('request', (_, response) => {
        response.setHeader('Date', new Date(Date.now() - 600_000).toUTCString())
        response.end('{"apps":[]}')
      }),
    )
    const { bad } = await broken({ CALLGATE_URL: `http://127.0.0.1:${port}/api/v1` })
    const found = expect.stringMatching(/by (59\d|60\d) s/) as string
    expect(bad).toContainEqual({ what: 'clock', ok: false, found, mend: expect.stringContaining('NTP') as string })
  })

  test('that takes no such key, it says where to make one', async () => {
    const { bad } = await broken({ CALLGATE_API_KEY: 'cg_live_wrong' })
    expect(bad).toMatchObject([
      { what: 'key', found: 'not valid', mend: expect.stringContaining('dashboard') as string },
    ])
  })

  test('that has no address, or whose key was copied badly, it says what is wrong with them', async () => {
    const address = await broken({ CALLGATE_URL: stack.url.replace('http://', '') })
    const mend = expect.stringContaining('from http:// to /api/v1') as string
    expect(address.bad[0]).toMatchObject({
      what: 'gateway',
      found: expect.stringContaining('is no address') as string,
      mend,
    })
    const { code, bad } = await broken({ CALLGATE_API_KEY: `${key}\u2026` })
    expect([code, bad[0]]).toMatchObject([1, { what: 'key', found: 'it has characters that no key has' }])
  })

  test('whose health cannot be asked on its own machine, it names the variable', async () => {
    const { bad } = await broken({ CALLGATE_ADMIN_URL: `http://127.0.0.1:${await freePort()}`, ADMIN_PORT: '1' })
    expect(bad).toContainEqual(
      expect.objectContaining({ what: 'database and engine', mend: expect.stringContaining('ADMIN_PORT') as string }),
    )
  })

  test('without database or engine, it says where to look', async () => {
    const port = await serve((server) =>
      server.on('request', (_, response) => response.end('{"database":false,"engine":false}')),
    )
    const { bad } = await broken({ CALLGATE_ADMIN_URL: `http://127.0.0.1:${port}` })
    expect(bad.slice(0, 2)).toMatchObject([
      { what: 'database', mend: expect.stringContaining('DATABASE_URL') as string },
      { what: 'engine', mend: expect.stringContaining('TEMPORAL_ADDRESS') as string },
    ])
  })
})

describe('of a port', () => {
  const look = (env: object) => findPorts(readSettings({ CALLGATE_DIR: dir, ...ports, ...env }), answering)
  const answering: number[] = []
  beforeEach(() => {
    answering.splice(0, 2, Number(ports['PORT']), Number(ports['ADMIN_PORT']))
  })

  test('that another program has, it says which, and the variable that chooses another', async () => {
    const port = await serve()
    expect(await look({ SANDBOX_PORT: port })).toEqual([
      {
        what: `port ${port} (SANDBOX_PORT)`,
        ok: false,
        found: expect.stringContaining(`(process ${process.pid})`) as string,
        mend: expect.stringMatching(/set SANDBOX_PORT to a free one \(SANDBOX_PORT=\d+ npm start\)/) as string,
      },
    ])
  })

  test('that a process of npm start has, or at which a Callgate answers, it says nothing', async () => {
    const own = await folder()
    const port = await serve()
    writePidFile(path.join(own, 'run'), 'sandbox', process.pid)
    expect(await look({ SANDBOX_PORT: port, CALLGATE_DIR: own })).toMatchObject([{ ok: true }])
    expect(await look({ PORT: port })).toMatchObject([{ ok: false }])
    answering.push(Number(port))
    expect(await look({ PORT: port })).toMatchObject([{ ok: true }])
  })

  test('that is wanted twice, or has an address of elsewhere, it says so', async () => {
    expect(await look({ TEMPORAL_UI_PORT: ports['TEMPORAL_PORT'] })).toMatchObject([
      { ok: false, found: 'TEMPORAL_PORT wants it, too', mend: 'Set TEMPORAL_UI_PORT to another port.' },
    ])
    expect(await look({ HOST: '203.0.113.1', PORT: String(await freePort()) })).toMatchObject([
      { ok: false, mend: expect.stringContaining('set HOST to one that is') as string },
    ])
  })
})

test('of a variable that is no port, it names the variable', async () => {
  const { code, bad } = await broken({ SANDBOX_PORT: 'eighty' })
  expect([code, bad]).toMatchObject([
    1,
    [{ what: 'settings', found: expect.stringContaining('SANDBOX_PORT') as string }],
  ])
})

test('of secret keys that others may read or that are not whole, it says how to mend them', async () => {
  const file = path.join(await folder(), 'secrets.json')
  expect(findSecrets(file)).toMatchObject({ ok: true })
  await chmod(file, 0o644)
  expect(findSecrets(file)).toMatchObject({ ok: false, mend: `chmod 600 ${file}` })
  await writeFile(file, '{}')
  expect(findSecrets(file)).toMatchObject({
    ok: false,
    found: expect.stringContaining('needs at least one key') as string,
    mend: expect.stringContaining('backup') as string,
  })
  await rm(file)
  expect(findSecrets(file)).toMatchObject({ ok: true, found: expect.stringContaining('npm start makes') as string })
})

describe('of Chromium', () => {
  /** The package starts whatever program lies in its folder. */
  async function look(script: string, { mode = 0o755, seconds = 30 } = {}): Promise<Finding> {
    const own = await folder()
    await mkdir(path.join(own, 'chromium'))
    await writeFile(path.join(own, 'chromium', 'chromium'), `#!/bin/sh\n${script}\n`, { mode })
    return findChromium(own, seconds)
  }

  test.each([
    [
      'a missing library',
      'echo "chromium: error while loading shared libraries: libnspr4.so: no" >&2; exit 127',
      'libnspr4.so is missing',
      'apt-get install libnspr4',
    ],
    [
      'another one',
      'echo "chromium: error while loading shared libraries: libx+y.so.1: no" >&2; exit 127',
      'libx+y.so.1 is missing',
      'apt-get install libnss3 libnspr4 libexpat1',
    ],
    ['a broken program', 'exit 1', 'it ends as soon as it starts', 'Delete '],
  ])('with %s, it says what helps', async (_, script, found, mend) => {
    expect(await look(script)).toEqual({
      what: 'Chromium',
      ok: false,
      found,
      mend: expect.stringContaining(mend) as string,
    })
  })

  test('whose sandbox is not allowed, it says that it runs without, and how to allow it', async () => {
    const real = path.join(dir, 'chromium', 'chromium')
    expect(await findChromium(dir, 30)).toMatchObject({
      ok: true,
      found: expect.stringContaining('in its own sandbox') as string,
    })
    const script = `case "$*" in *--no-sandbox*) exec ${real} "$@" ;; *) echo "FATAL: No usable sandbox! See" >&2; exit 1 ;; esac`
    expect(await look(script)).toMatchObject({
      ok: false,
      found: expect.stringMatching(/^[\d.]+ starts and shows text, but without its own sandbox/) as string,
      mend: expect.stringContaining('sysctl') as string,
    })
  })

  test('that may not be run, or whose folder is in the way, it says which', async () => {
    expect(await look('exit 1', { mode: 0o644 })).toMatchObject({ mend: expect.stringContaining('chown') as string })
    const own = await folder()
    await writeFile(path.join(own, 'chromium'), '')
    expect(await findChromium(own, 30)).toMatchObject({
      found: expect.stringContaining('EEXIST') as string,
      mend: expect.stringContaining('Delete ') as string,
    })
  })

  test('that hangs, it does not wait for ever', async () => {
    const pid = path.join(cwd, 'pid')
    expect(await look(`echo $$ > ${pid}; exec sleep 600`, { seconds: 3 })).toMatchObject({
      ok: false,
      found: 'it took longer than 3 s',
    })
    process.kill(Number(await readFile(pid, 'utf8')))
  })

  test('without fonts, it says which package has some', async () => {
    const file = path.join(cwd, 'no-fonts.conf')
    await writeFile(file, '<?xml version="1.0"?><fontconfig><dir>/no/such/folder</dir></fontconfig>')
    const { bad } = await broken({ FONTCONFIG_FILE: file })
    expect(bad).toMatchObject([{ what: 'Chromium', mend: expect.stringContaining('apt-get install fonts-') as string }])
  })
})
