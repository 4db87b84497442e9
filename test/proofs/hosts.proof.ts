import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../client/run.ts'
import type { Ran } from '../client/run.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'

/** The lines that the keys page and docs/mcp.md have for hosts, each given to the host itself. */
const { CALLGATE_CLAUDE: claude = '', CALLGATE_CODEX: codex = '' } = process.env

let stack: Stack
let folder: string
beforeAll(async () => {
  stack = await startStack()
  folder = await mkdtemp(path.join(tmpdir(), 'callgate-hosts-'))
})
afterAll(async () => {
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
})

const shell = (command: string, args: readonly string[], env: object = {}): Promise<Ran> =>
  run(command, args, { cwd: folder, env: { HOME: folder, ...env } })

test('Claude Code takes the line with a key, and is connected', async () => {
  const { key } = await stack.user()
  const add = ['mcp', 'add', '--transport', 'http', 'callgate', `${stack.publicUrl}/mcp`]
  expect(await shell(claude, [...add, '--header', `Authorization: Bearer ${key}`])).toMatchObject({ code: 0 })
  expect((await shell(claude, ['mcp', 'list'])).out).toMatch(/^callgate: .* Connected/m)
  await shell(claude, ['mcp', 'remove', 'callgate'])
})

test('Claude Code takes the address alone, and asks its person to sign in', async () => {
  const add = ['mcp', 'add', '--transport', 'http', 'callgate', `${stack.publicUrl}/mcp`]
  expect(await shell(claude, add)).toMatchObject({ code: 0 })
  expect((await shell(claude, ['mcp', 'list'])).out).toMatch(/^callgate: .* Needs authentication/m)
})

test('Codex takes the line with the name of a variable', async () => {
  const add = [
    'mcp',
    'add',
    'callgate',
    '--url',
    `${stack.publicUrl}/mcp`,
    '--bearer-token-env-var',
    'CALLGATE_API_KEY',
  ]
  expect(await shell(codex, add)).toMatchObject({ code: 0 })
  const { out } = await shell(codex, ['mcp', 'list', '--json'])
  const [server] = JSON.parse(out) as { name: string; enabled: boolean; transport: object }[]
  expect(server).toMatchObject({
    name: 'callgate',
    enabled: true,
    transport: { url: `${stack.publicUrl}/mcp`, bearer_token_env_var: 'CALLGATE_API_KEY' },
  })
})
