import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listen } from '../support/listen.ts'

const script = path.join(import.meta.dirname, '../../scripts/admin.ts')

/** Nobody listens where it asks: whatever ends otherwise was decided by the command itself. */
function admin(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  return adminIn({}, ...args)
}

function adminIn(
  settings: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{ code: unknown; out: string; err: string }> {
  const told = { CALLGATE_ADMIN_URL: 'http://127.0.0.1:9', CALLGATE_OPERATOR_TOKEN: 'a-token', ...settings }
  const env = { ...process.env, ...told }
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    )
  })
}

test.each(['--help', '-h', 'help'])('%s shows the commands', async (word) => {
  expect(await admin(word)).toEqual({ code: 0, out: expect.stringContaining('refund <call id>'), err: '' })
  expect((await admin('pause', 'crm', '--help')).code).toBe(0)
})

test('an option that is not known, or lacks its value, is wrong usage and not a crash', async () => {
  const wrong = [
    ['apps', '--ap', 'crm'],
    ['calls', '--owner'],
    ['apps', '--stuck=yes'],
  ]
  for (const { code, out, err } of await Promise.all(wrong.map((args) => admin(...args)))) {
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('callgate-admin: help lists')])
    expect(err).not.toContain('    at ')
  }
})

test('an answer in words is shown as it is', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(421).end('The admin port is not known by this name.\n'),
  )
  const url = `http://127.0.0.1:${await listen(server)}`
  const told = await admin('apps', '--url', url)
  server.close()
  const err = `The admin port is not known by this name.\n(refused by ${url})\n`
  expect(told).toEqual({ code: 1, out: '', err })
})

test('the gateway that npm start began in this folder is asked, where nothing else is said', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"apps":[]}'),
  )
  const url = `http://127.0.0.1:${await listen(server)}`
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-admin-'))
  await writeFile(path.join(dir, 'gateway.json'), JSON.stringify({ admin_url: url }))
  const silent = { CALLGATE_ADMIN_URL: '', ADMIN_PORT: '', CALLGATE_DIR: dir }
  const told = [await adminIn(silent, 'apps'), await adminIn({ ...silent, ADMIN_PORT: '9' }, 'apps')]
  server.close()
  await rm(dir, { recursive: true })
  expect(told).toMatchObject([{ code: 0 }, { code: 6, err: expect.stringContaining('http://127.0.0.1:9.') }])
})

test('who cannot be named in the log is told so, and nothing is done', async () => {
  const names = ['Żółw', 'Ann Smith', '', 'x'.repeat(61)]
  for (const { code, err } of await Promise.all(names.map((name) => admin('pause', 'crm', '--as', name))))
    expect([code, err]).toEqual([2, expect.stringContaining('--as takes')])
  expect((await admin('pause', 'crm', '--as', 'ann.smith@example.test')).code).toBe(6)
})

test('where a gateway listens on this machine it is asked there, whatever address operators reach it by', async () => {
  const seen = { CALLGATE_ADMIN_URL: 'https://operators.example.test', ADMIN_PORT: '9' }
  expect(await adminIn(seen, 'apps')).toMatchObject({ code: 6, err: expect.stringContaining('http://127.0.0.1:9.') })
  const elsewhere = { CALLGATE_ADMIN_URL: 'http://[::1]:9', ADMIN_PORT: '' }
  expect(await adminIn(elsewhere, 'apps')).toMatchObject({ code: 6, err: expect.stringContaining('http://[::1]:9.') })
})
