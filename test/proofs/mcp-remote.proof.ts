import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { app } from '../mcp/asking.ts'
import { decide } from '../oauth/flow.ts'
import type { TestUser } from '../support/user.ts'
import { Visitor } from '../web/visitor.ts'

/** mcp-remote: how hosts that start programs only get to servers elsewhere. */
const script = process.env['CALLGATE_MCP_REMOTE'] ?? ''

let stack: Stack
let user: TestUser
let folder: string
beforeAll(async () => {
  stack = await startStack()
  user = await stack.user()
  folder = await mkdtemp(path.join(tmpdir(), 'callgate-mcp-remote-'))
})
afterAll(async () => {
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A host that starts mcp-remote; `decided` is told each address that it wants its person to visit. */
async function host(args: readonly string[], ask: (url: URL) => Promise<void>): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, `${stack.publicUrl}/mcp`, ...args],
    // Without a PATH there is no program that could open a browser.
    env: { PATH: '', HOME: folder, MCP_REMOTE_CONFIG_DIR: folder },
    stderr: 'pipe',
  })
  let said = ''
  let asked = false
  transport.stderr?.on('data', (bytes: Buffer) => {
    said += bytes.toString()
    const found = /visiting:\s+(http\S+)\s/.exec(said)?.[1]
    if (found === undefined || asked) return
    asked = true
    void ask(new URL(found))
  })
  const client = new Client({ name: 'a-host', version: '1.0.0' })
  await client.connect(transport, { timeout: 30_000 })
  return client
}

const read = async (client: Client): Promise<unknown> => {
  const input = { app, action: 'list_listings', input: { limit: 1 } }
  return (await client.callTool({ name: 'read_action', arguments: input })).structuredContent
}
const aListing = { listings: [expect.objectContaining({})] }
const nobody = () => Promise.reject(new Error('nobody is to be asked'))

test('gets in by a sign-in of its person, and stays in when it is started again', async () => {
  let asked = 0
  const client = await host([], async ({ pathname, search }) => {
    asked += 1
    const visitor = new Visitor({ ctx: stack.ctx, url: stack.publicUrl, stop: () => stack.stop() })
    await visitor.signIn(user)
    const back = await decide(visitor, pathname + search)
    await fetch(back)
  })
  expect(await read(client)).toMatchObject(aListing)
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('write_action')
  await client.close()

  const again = await host([], nobody)
  expect(await read(again)).toMatchObject(aListing)
  await again.close()
  expect(asked).toBe(1)
})

test('gets in with a key in a header', async () => {
  const client = await host(['--header', `Authorization:Bearer ${user.key}`], nobody)
  expect(await read(client)).toMatchObject(aListing)
  await client.close()
})
