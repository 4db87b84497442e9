import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import type { TestUser } from '../support/user.ts'
import { run } from './run.ts'
import type { Ran } from './run.ts'

/** This Node, and those that `npm run prove` brings. */
const nodes = [process.execPath, ...(process.env['CALLGATE_NODES'] ?? '').split(path.delimiter).filter(Boolean)]
const root = path.join(import.meta.dirname, '../..')
const tsc = path.join(root, 'node_modules/.bin/tsc')

const program = `
const callgate = new Callgate({ apiKey: process.env.CALLGATE_API_KEY, baseUrl: process.env.CALLGATE_URL })
const main = async () => {
  const { contacts } = await callgate.run('property-advertising.list_contacts', {})
  const { message_id } = await callgate.run(
    'property-advertising.reply_to_contact',
    { contact_id: contacts[0].contact_id, message: 'Yes.' },
    { onConfirm: (url) => console.log(url) },
  )
  console.log('sent', message_id !== '')
  const refused = await callgate.run('crm.list_clients', {}).catch((error) => error)
  console.log(refused instanceof CallgateError, refused instanceof theirs, refused.code, refused.link)
}
void main()
`

const typed = `
import '@callgate/client/apps'
const callgate = new Callgate({ apiKey: 'k', baseUrl: 'https://callgate.example.com' })
export const title = async (): Promise<string | undefined> =>
  (await callgate.run('property-advertising.list_listings', { limit: 1 })).listings[0]?.title
// @ts-expect-error There is no such field.
export const wrong = () => callgate.run('property-advertising.list_listings', { limt: 1 })
`

/** Without an entry that declares actions: any action, and answers as JSON. */
const untyped = `
const callgate = new Callgate({ apiKey: 'k', baseUrl: 'https://callgate.example.com' })
export const title = async (): Promise<string> =>
  (await callgate.run('property-advertising.list_listings', { limit: 1 })).listings[0].title
export const any = async (id: EndpointId, input: Input<EndpointId>): Promise<Output<EndpointId>> => callgate.run(id, input)
// @ts-expect-error An input is an object.
export const wrong = () => callgate.run('property-advertising.list_listings', 1)
`

const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  module: 'node20',
  strict: true,
  noEmit: true,
  types: ['node'],
  typeRoots: [path.join(root, 'node_modules/@types')],
}

const files = {
  'package.json': '{ "name": "somebodys", "private": true }',
  'esm.mjs': `import { createRequire } from 'node:module'
import { Callgate, CallgateError } from '@callgate/client'
const theirs = createRequire(import.meta.url)('@callgate/client').CallgateError
${program}`,
  'cjs.cjs': `const { Callgate, CallgateError } = require('@callgate/client')
const theirs = CallgateError
${program}`,
  'esm.mts': `import { Callgate } from '@callgate/client'\n${typed}`,
  'cjs.cts': `import { Callgate } from '@callgate/client'\n${typed}`,
  'tsconfig.json': JSON.stringify({ compilerOptions, exclude: ['untyped.*'] }),
  'untyped.mts': `import { Callgate } from '@callgate/client'\nimport type { EndpointId, Input, Output } from '@callgate/client'\n${untyped}`,
  'untyped.cts': `import { Callgate } from '@callgate/client'\nimport type { EndpointId, Input, Output } from '@callgate/client'\n${untyped}`,
  'untyped.json': JSON.stringify({ compilerOptions, files: ['untyped.mts', 'untyped.cts'] }),
  'apps.mjs': `import * as apps from '@callgate/client/apps'
import { createRequire } from 'node:module'
console.log(Object.keys(createRequire(import.meta.url)('@callgate/client/apps')).length, typeof apps)`,
}

let stack: Stack
let user: TestUser
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'callgate-package-'))
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(path.join(folder, name), text)))
  const [, readme = ''] = /```ts\n([\s\S]*?)```/.exec(await readFile(path.join(root, 'client/README.md'), 'utf8')) ?? []
  await writeFile(path.join(folder, 'readme.mts'), readme)
  const home = path.join(folder, 'home')
  stack = await startStack()
  user = await stack.user()
  await mkdir(home)
  const page = await (await fetch(`${stack.publicUrl}/clients`)).text()
  const [, address = ''] = /npm install (http\S+\.tgz)/.exec(page) ?? []
  // No registry is asked.
  const installed = await shell(
    'npm',
    'install',
    '--registry',
    'http://127.0.0.1:1',
    '--no-audit',
    '--no-fund',
    address,
  )
  expect([installed.code, installed.err]).toEqual([0, ''])
})
afterAll(async () => {
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A program in somebody's project, which knows nothing of ours. */
const shell = (command: string, ...args: string[]): Promise<Ran> =>
  run(command, args, { cwd: folder, env: { HOME: path.join(folder, 'home') } })

/** Somebody's program, whose person approves what it asks for. */
async function started(node: string, file: string): Promise<Ran> {
  const decided = new Map<string, Promise<unknown>>()
  const ran = await run(node, [file], {
    cwd: folder,
    // Of the gateway, people know the host.
    env: { CALLGATE_URL: stack.publicUrl, CALLGATE_API_KEY: user.key },
    onOut(text) {
      const call = /confirm\/(call_\w{26})\n/.exec(text)?.[1]
      if (call !== undefined && !decided.has(call)) decided.set(call, user.approve(call))
    },
  })
  await Promise.all(decided.values())
  return ran
}

test.each(nodes.flatMap((node) => [[node, 'esm.mjs'] as const, [node, 'cjs.cjs'] as const]))(
  'installed from the gateway, %s runs %s against the gateway, and waits for the person',
  async (node, file) => {
    const { code, out, err } = await started(node, file)
    expect([code, err]).toEqual([0, ''])
    expect(out.trimEnd().split('\n')).toEqual([
      expect.stringContaining('/confirm/call_'),
      'sent true',
      `true true AUTH_REQUIRED ${stack.publicUrl}/connect/crm`,
    ])
  },
)

test('the example of its README runs as it stands', async () => {
  const { code, out } = await started(process.execPath, 'readme.mts')
  expect([code, out]).toEqual([0, expect.stringMatching(/people wait for an answer\nPlease approve: http.*\nsent as /)])
})

test.each(nodes)('its command runs by npx with %s', async (node) => {
  const env = { HOME: path.join(folder, 'home'), CALLGATE_URL: `${stack.publicUrl}/mcp`, CALLGATE_API_KEY: user.key }
  const PATH = `${path.dirname(node)}${path.delimiter}${process.env['PATH']}`
  const called = ['--offline', 'callgate', 'call', 'property-advertising.list_listings', '{"limit":1}']
  const { code, out, err } = await run('npx', called, { cwd: folder, env: { ...env, PATH } })
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(out)).toMatchObject({ listings: [expect.objectContaining({})] })
})

test('types of the built-in apps are an entry of their own, for modules of both kinds, and its README compiles', async () => {
  expect(await shell(tsc, '-p', '.')).toEqual({ code: 0, out: '', err: '' })
  expect(await shell(process.execPath, 'apps.mjs')).toEqual({ code: 0, out: '0 object\n', err: '' })
})

test('a program that imports no types of apps compiles, and calls any action', async () => {
  expect(await shell(tsc, '-p', 'untyped.json')).toEqual({ code: 0, out: '', err: '' })
  const listed = await shell(tsc, '-p', 'untyped.json', '--listFilesOnly')
  expect(listed.out).toContain('@callgate/client/dist/callgate.d.ts')
  expect(listed.out).not.toContain('/endpoints/')
})

test('the package holds the client, its command and types of apps, and nothing else of Callgate', async () => {
  const installed = path.join(folder, 'node_modules/@callgate/client')
  const names = (await readdir(installed, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)))
  const types = names.filter((name) => name.startsWith('dist/endpoints/'))
  expect(types).toHaveLength(22)
  const dist = [
    ...['apps.d.ts', 'apps.js', 'callgate.d.ts', 'cli.mjs', 'errors.d.ts', 'index.d.mts', 'index.d.ts', 'index.js'],
    ...['index.mjs', 'package.json', 'records.d.ts', 'transport.d.ts'],
  ]
  expect(names.filter((name) => !types.includes(name)).toSorted()).toEqual(
    ['README.md', ...dist.map((name) => `dist/${name}`), 'package.json'].toSorted(),
  )
  for (const entry of ['index.js', 'index.mjs', 'callgate.d.ts'])
    expect(await readFile(path.join(installed, 'dist', entry), 'utf8'), entry).not.toMatch(/property-advertising|crm\./)
})
