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

export interface TemporalBinary {
  path: string
  serverVersion: string
}

export interface EnsureOptions {
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  /** Ends a download or build that is under way. */
  signal?: AbortSignal
}

/** The `temporal` program with a server that is new enough: on PATH, cached, downloaded or built, in this order. */
export async function ensureTemporal({ env, log, signal }: EnsureOptions): Promise<TemporalBinary> {
  const onPath = findOnPath('temporal', env)
  if (onPath) {
    const found = await usable(onPath)
    if (found) return found
    const version = (await serverVersion(onPath)) ?? 'of unknown version'
    log(`${onPath} holds server ${version}, too old for Callgate (${minimumServer} or later): using another one`)
  }

  const cache = cacheFolder(env)
  const built = join(cache, `temporal-${goSumHash()}`)
  const downloaded = join(cache, `temporal-cli-${downloadVersion}`)
  const cached = (await usable(built)) ?? (await usable(downloaded))
  if (cached) return cached

  await makeFolder(cache)
  const waiting = () => log('another process is getting the Temporal server; waiting for it')
  return await withLock(`${built}.lock`, waiting, async () => {
    const byOther = (await usable(built)) ?? (await usable(downloaded))
    if (byOther) return byOther
    if (await downloadTemporal({ target: downloaded, log, signal })) {
      const found = await usable(downloaded)
      if (found) return found
    }
    await buildTemporal({ target: built, env, log, go: findGo(env), signal })
    const found = await usable(built)
    if (!found) throw new SetupError(`The Temporal server was built at ${built}, but it does not run on this machine`)
    return found
  })
}

/** The server part of `temporal --version`; the version of the command line tool says nothing about it. */
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
    .update(readFileSync(new URL('go.sum', import.meta.url)))
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
