import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKey } from '../../core/keys/rows.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { startRotatingKeys } from '../support/rotating-keys.ts'

const require = createRequire(import.meta.url)
const manifest = require.resolve('@modelcontextprotocol/conformance/package.json')
const command = path.join(path.dirname(manifest), 'dist/index.js')
const expected = path.join(import.meta.dirname, 'conformance-expected.yml')

let stack: Stack
let proxy: Awaited<ReturnType<typeof startRotatingKeys>>
let dir: string
beforeAll(async () => {
  stack = await startStack({ worker: false })
  const { id: owner } = await stack.user({ accounts: [] })
  // More messages than one key has in a minute.
  const made = await Promise.all(
    Array.from({ length: 10 }, () => createKey(stack.ctx, { owner, name: 'conformance', apps: null })),
  )
  proxy = await startRotatingKeys(
    stack.publicUrl,
    made.map(({ key }) => key),
  )
  dir = await mkdtemp(path.join(tmpdir(), 'callgate-conformance-'))
})
afterAll(async () => {
  await proxy.stop()
  await rm(dir, { recursive: true, force: true })
  await stack.stop()
})

it.each(['2025-11-25', '2026-07-28'])('the official suite finds nothing new at revision %s', async (version) => {
  const { code, output } = await conformance(
    '--spec-version',
    version,
    '--suite',
    'all',
    '--expected-failures',
    expected,
  )
  expect(output).toMatch(/✓ tools-list: [34] passed, 0 failed/)
  expect(output).toContain('✓ dns-rebinding-protection: 2 passed, 0 failed')
  expect(code, output.slice(output.indexOf('=== SUMMARY'))).toBe(0)
})

function conformance(...options: string[]): Promise<{ readonly code: number; readonly output: string }> {
  const args = [command, 'server', '--url', `${proxy.url}/mcp`, ...options]
  return new Promise((resolve) => {
    // It may write its results into the folder where it runs.
    const child = execFile(process.execPath, args, { cwd: dir, maxBuffer: 64 * 1024 * 1024 }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, output: `${out}${err}` }),
    )
  })
}
