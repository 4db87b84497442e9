import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { reachableFolder, shortFolder, unprivileged, type RunAs } from './places.ts'
import { ensurePostgres, type PostgresBinaries } from './postgres-binaries.ts'
import { identify, hasEnded, signalProcess } from './process-identity.ts'
import { launch, loggedTo, type Running, type Service } from './service.ts'
import { SetupError } from './setup-error.ts'

const user = 'callgate'
const defaultPort = 5432

/** A cluster's binaries and folders; the data is elsewhere if its user cannot enter `dir`. */
export interface PostgresCluster {
  binaries: PostgresBinaries
  dataDir: string
  socketDir: string
  runAs: RunAs | undefined
  tcp: LoopbackAccess | undefined
}

/** For clients that cannot use the socket: a loopback port, with a password. */
export interface LoopbackAccess {
  port: number
  password: string
}

export async function findCluster(options: {
  /** Existing folder for data and socket. */
  dir: string
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  tcp?: LoopbackAccess
}): Promise<PostgresCluster> {
  const { dir, env, log, tcp } = options
  const runAs = unprivileged()
  const home = await reachableFolder(dir, runAs)
  const dataDir = join(home, 'postgres')
  const socketDir = await shortFolder(join(home, 'postgres-socket'))
  return { binaries: await ensurePostgres({ env, log, dataDir, runAs }), dataDir, socketDir, runAs, tcp }
}

export function databaseUrl({ socketDir, tcp }: PostgresCluster, database = 'callgate'): string {
  const port = tcp?.port ?? defaultPort
  return `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(socketDir)}&port=${port}`
}

/** Postgres on a Unix socket that only its user (and root) can open, with full durability. */
export function postgresService(cluster: PostgresCluster, logFile: string): Service {
  const { binaries, dataDir, socketDir, runAs, tcp } = cluster
  const settings = {
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    listen_addresses: tcp ? '127.0.0.1' : '',
    port: tcp?.port ?? defaultPort,
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    shared_buffers: '128MB',
    max_connections: 400,
    cluster_name: clusterName(dataDir),
    timezone: 'UTC',
    log_timezone: 'UTC',
  }
  const args = ['-D', dataDir, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])]
  return {
    name: 'postgres',
    logFile,
    prepare: async () => {
      await makeOwnFolder(socketDir, runAs)
      if (existsSync(join(dataDir, 'PG_VERSION'))) await endOrphans(cluster)
      else await initialise(cluster)
    },
    spawn: () =>
      loggedTo(logFile, (base) =>
        spawn(join(binaries.bin, 'postgres'), args, { ...base, ...runAs, cwd: '/', env: plainEnv }),
      ),
    ready: (_child, signal) => createDatabase(cluster, signal),
    // After a crash it replays its WAL first.
    stalledAfterMs: 300_000,
    stopSignal: 'SIGINT',
    stopWithinMs: 20_000,
  }
}

export interface RunningPostgres extends Running {
  cluster: PostgresCluster
  databaseUrl: string
}

/** Starts a private cluster below `dir`. */
export async function startPostgres(options: {
  dir: string
  env: NodeJS.ProcessEnv
  logFile: string
  log: (line: string) => void
  tcp?: LoopbackAccess
}): Promise<RunningPostgres> {
  const cluster = await findCluster(options)
  const running = await launch(postgresService(cluster, options.logFile))
  return { ...running, cluster, databaseUrl: databaseUrl(cluster) }
}

const plainEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }

/** Runs initdb in a draft folder and renames it: an interrupted one leaves nothing. SetupError. */
async function initialise({ binaries, dataDir, runAs, tcp }: PostgresCluster): Promise<void> {
  const draft = await mkdtemp(`${dataDir}-`)
  try {
    await makeOwnFolder(draft, runAs)
    const access = ['--auth-local=trust', `--auth-host=${tcp ? 'scram-sha-256' : 'reject'}`, `--username=${user}`]
    const args = [...access, '--encoding=UTF8', '--locale=C', '--no-instructions', '-D', draft]
    await promisify(execFile)(join(binaries.bin, 'initdb'), args, { ...runAs, cwd: '/', env: plainEnv })
    await rename(draft, dataDir)
  } catch (error) {
    const why = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    throw new SetupError(`Postgres could not make its data folder ${dataDir}: ${why}`)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function makeOwnFolder(path: string, runAs: RunAs | undefined): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (runAs) await chown(path, runAs.uid, runAs.gid)
  await chmod(path, 0o700)
}

/**
 * A killed postmaster leaves backends that hold its shared memory, which keep a new one from
 * starting, and pid files whose pid may now be another process, or a zombie. Kills those, and
 * removes these. Throws SetupError if a postmaster runs.
 */
async function endOrphans({ dataDir, socketDir, tcp }: PostgresCluster): Promise<void> {
  let { postmaster, others } = serverProcesses(dataDir)
  // A freshly forked backend still has its postmaster's command line; it ends soon if that is dead.
  for (let tries = 0; postmaster.length > 0 && tries < 40; tries++) {
    await pause(50)
    ;({ postmaster, others } = serverProcesses(dataDir))
  }
  if (postmaster[0] !== undefined) {
    throw new SetupError(`Another Postgres (process ${postmaster[0]}) already runs on ${dataDir}: stop it first`)
  }
  for (const pid of others) {
    const identity = identify(pid)
    signalProcess(pid, 'SIGKILL')
    if (identity) await hasEnded(identity, 5_000)
  }
  await rm(join(dataDir, 'postmaster.pid'), { force: true })
  await rm(join(socketDir, `.s.PGSQL.${tcp?.port ?? defaultPort}.lock`), { force: true })
}

/** By command line: root in a container may lack the ptrace rights for /proc/<pid>/cwd. */
function serverProcesses(dataDir: string): { postmaster: number[]; others: number[] } {
  const title = `postgres: ${clusterName(dataDir)}:`
  const found = { postmaster: [] as number[], others: [] as number[] }
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const [program = '', ...args] = commandLine(pid)
    if (program.startsWith(title)) found.others.push(pid)
    else if (basename(program) === 'postgres' && args.includes(dataDir)) found.postmaster.push(pid)
  }
  return found
}

/** Part of the process title of all processes of the cluster. */
function clusterName(dataDir: string): string {
  return `callgate-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`
}

function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

async function createDatabase(cluster: PostgresCluster, signal: AbortSignal): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: databaseUrl(cluster, 'postgres') })
    // A lost connection surfaces as the failed query.
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [user])
      if (rowCount === 0) await client.query(`create database ${user}`)
      if (cluster.tcp) await client.query(`alter role ${user} password ${client.escapeLiteral(cluster.tcp.password)}`)
      return
    } catch (error) {
      if (signal.aborted) throw error
      await pause(30)
    } finally {
      // Best effort: a failed connect was handled above, and the server closes the rest.
      await client.end().catch(() => undefined)
    }
  }
}
