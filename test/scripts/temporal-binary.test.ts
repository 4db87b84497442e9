import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { downloadTemporal } from '../../engine/download.ts'
import { buildTemporal } from '../../engine/build.ts'
import { ensureTemporal, isNewEnough, serverVersion } from '../../engine/temporal.ts'
import { temporaryFolder } from './temp.ts'
import { listen } from '../support/listen.ts'

/** A program that only knows its version. */
function fake(folder: string, name: string, version: string): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\necho "temporal version 9.9.9 (Server ${version}, UI 2.0.0)"\n`)
  chmodSync(path, 0o755)
  return path
}

function lines() {
  const seen: string[] = []
  return { seen, log: (line: string) => void seen.push(line) }
}

test('versions compare as numbers, part by part', () => {
  expect(['1.32.0', '1.32.2', '1.100.0', '2.0.0'].filter((version) => isNewEnough(version))).toHaveLength(4)
  expect(['1.31.9', '1.4.0', '0.99.99', '1.9.1'].filter((version) => isNewEnough(version))).toEqual([])
})

test('a temporal on PATH whose server is new enough is taken as it is', async () => {
  const bin = join(temporaryFolder(), 'bin')
  const path = fake(bin, 'temporal', '1.33.1')
  const { seen, log } = lines()
  const found = await ensureTemporal({ env: { PATH: bin, XDG_CACHE_HOME: bin }, log })
  expect(found).toEqual({ path, serverVersion: '1.33.1' })
  expect(seen).toEqual([])
})

test('a temporal on PATH with an older server is passed over with a line that says so', async () => {
  const bin = join(temporaryFolder(), 'bin')
  const path = fake(bin, 'temporal', '1.31.2')
  const { seen, log } = lines()
  const cache = temporaryFolder()
  const cached = fake(join(cache, 'callgate'), 'temporal-cli-1.9.1', '1.32.0')
  const found = await ensureTemporal({ env: { PATH: bin, XDG_CACHE_HOME: cache }, log })
  expect(found).toEqual({ path: cached, serverVersion: '1.32.0' })
  expect(seen).toEqual([`${path} holds server 1.31.2, too old for Callgate (1.32.0 or later): using another one`])
})

test('without a server and without Go, one line says what to install', async () => {
  const target = join(temporaryFolder(), 'temporal')
  const build = buildTemporal({ target, env: {}, log: () => undefined, go: undefined, signal: undefined })
  await expect(build).rejects.toThrow(/^No Temporal server 1\.32\.0 or later was found: install Go .*TEMPORAL_ADDRESS/)
})

test('a failed build says what the compiler said, and leaves nothing in the cache', async () => {
  const folder = temporaryFolder()
  const go = join(folder, 'go')
  writeFileSync(go, '#!/bin/sh\necho "go: no such module" >&2\nexit 1\n')
  chmodSync(go, 0o755)
  const target = join(folder, 'temporal')
  const build = buildTemporal({ target, env: process.env, log: () => undefined, go, signal: undefined })
  await expect(build).rejects.toThrow('Building the Temporal server failed: go: no such module')
  expect(existsSync(target)).toBe(false)
})

async function serve(body: Buffer | string): Promise<string> {
  const server = createServer((_request, response) => response.end(body))
  const port = await listen(server)
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${port}`
}

test('a download with the right checksum is unpacked, ready to run', async () => {
  const folder = temporaryFolder()
  fake(folder, 'temporal', '1.32.0')
  const archive = execFileSync('tar', ['-cz', '-C', folder, 'temporal'])
  const target = join(folder, 'downloaded')
  const origin = await serve(archive)
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const { log } = lines()
  expect(await downloadTemporal({ target, log, signal: undefined, origin, sha256 })).toBe(true)
  expect(await serverVersion(target)).toBe('1.32.0')
  expect(readdirSync(folder).toSorted()).toEqual(['downloaded', 'temporal'])
})

test('a download whose checksum is not the pinned one is thrown away', async () => {
  const { seen, log } = lines()
  const target = join(temporaryFolder(), 'temporal')
  const origin = await serve('something else')
  expect(await downloadTemporal({ target, log, signal: undefined, origin })).toBe(false)
  expect(existsSync(target)).toBe(false)
  expect(seen.at(-1)).toMatch(/SHA-256 is [0-9a-f]{64}, not the pinned [0-9a-f]{64}/)
})
