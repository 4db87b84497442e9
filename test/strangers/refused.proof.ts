import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { post } from '../mcp/raw.ts'
import { installStrangers, kinds } from './kinds.ts'
import type { Installed, Kind } from './kinds.ts'

let stack: Stack
let installed: Installed
let folder: string
beforeAll(async () => {
  installed = await installStrangers()
  stack = await startStack({ worker: false })
  folder = await mkdtemp(path.join(tmpdir(), 'callgate-refused-'))
}, 300_000)
afterAll(async () => {
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
})

/** What the client says when it is refused: what it throws, or what it writes before it ends. */
async function saidBy(kind: Kind, key: string): Promise<string> {
  const mcpUrl = `${stack.publicUrl}/mcp`
  const nobody = () => Promise.reject(new Error('nobody is to be asked'))
  const started = await kind.start({ mcpUrl, folder: await mkdtemp(path.join(folder, 'of-')) }, installed)
  try {
    const stranger = await started.open({ key, visit: nobody })
    await stranger.use('list_calls', {})
    return 'it was not refused'
  } catch (error) {
    return String(error)
  } finally {
    // A program that ended with an error has been heard.
    await started.stop().catch(() => {})
  }
}

async function tiredKey(): Promise<string> {
  const { key } = await stack.user({ accounts: [] })
  const batch = JSON.stringify(Array.from({ length: 10 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })))
  for (let sent = 0; sent < 120; sent += 10)
    await post(`${stack.publicUrl}/mcp`, batch, { Authorization: `Bearer ${key}` })
  return key
}

// A program each: two at a time keep a machine busy.
vi.setConfig({ maxConcurrency: 2 })
afterAll(() => vi.resetConfig())

const thatSpeakAt = (status: number) => kinds.filter(({ silentAt = [] }) => !silentAt.includes(status))

describe('a client that nobody here wrote shows the words of a refusal', () => {
  it.concurrent.each(thatSpeakAt(401))('401: $name', async (kind) => {
    expect(await saidBy(kind, 'cg_live_nonsense')).toContain('The key is malformed, unknown, revoked or expired')
  })

  it.concurrent.each(thatSpeakAt(429))('429: $name', async (kind) => {
    expect(await saidBy(kind, await tiredKey())).toMatch(/More than 120 requests in 60 seconds. Wait \d+ s/)
  })
})
