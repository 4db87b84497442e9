import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { WorkflowBundlePath } from '@temporalio/worker'
import pg from 'pg'
import type { DestinationStream, Logger } from 'pino'
import { inject } from 'vitest'
import { followConnectors } from '../core/connectors/follow.ts'
import { connectTemporal } from '../core/temporal/client.ts'
import { createContext } from '../core/context.ts'
import type { Context } from '../core/context.ts'
import { migrate } from '../core/database/migrate.ts'
import { watchEngine } from '../core/temporal/health.ts'
import { createLogger, setUpEngineSdk } from '../core/log.ts'
import { createWorkerMetrics } from '../activities/metrics.ts'
import { startSendWorkers } from '../activities/send-worker.ts'
import { startSweeper } from '../core/sweep/sweep.ts'
import { startApi } from '../server/server.ts'
import * as bundles from '../server/workflow-bundle.ts'
import { startWorkflowWorker } from '../server/workflow-worker.ts'
import { loadConfig, loadSecrets } from '../config.ts'
import type { Config, Secrets } from '../config.ts'
import type { Loaded } from '../connectors/runtime/load.ts'
import { freePort } from '../local-services/dev-server.ts'
import { makeSecrets } from '../scripts/supervisor/secrets.ts'
import { startSandbox } from '../sandbox/server.ts'
import type { Foundation } from './support/foundation.ts'
import { makeUser } from './support/user.ts'
import type { TestUser, UserOptions } from './support/user.ts'
import { SandboxControl } from './support/sandbox.ts'

/** A whole Callgate in this process: real Temporal and Postgres (shared by all files), an own database, namespace and sandbox. */
export interface Stack {
  readonly ctx: Context
  /** `http://…/api/v1` */
  readonly url: string
  readonly publicUrl: string
  readonly adminUrl: string
  readonly sandbox: SandboxControl
  /** A new user with a key and, by default, one fresh agency account of the app. */
  user(options?: UserOptions): Promise<TestUser>
  /** Another API process of the same gateway; returns its `…/api/v1`. */
  anotherApi(): Promise<string>
  /** The same with other connectors. */
  apiWith(connectors: Readonly<Record<string, Loaded>>): Promise<RunningApi>
  /** The worker of this process, which runs unless `worker: false` was asked for. */
  startWorker(connectors?: Readonly<Record<string, Loaded>>): Promise<void>
  stopWorker(): Promise<void>
  /** A worker process of its own, to be killed. */
  workerProcess(more?: Readonly<Record<string, string>>): Promise<ChildProcess>
  /** Takes the apps away; they come back where they were. */
  stopSandbox(): Promise<void>
  startSandbox(): Promise<void>
  stop(): Promise<void>
}

const logLevel = process.env['TEST_LOG_LEVEL'] ?? 'fatal'
/** Who gets the engine's own lines: its runtime is one a process, which several test files use in turn. */
let engineLog: DestinationStream | undefined
let quiet = false

export interface StackOptions {
  readonly worker?: boolean
  /** Engine and database of this stack alone, so that they can be killed. */
  readonly foundation?: Foundation
  /** Gets every line that API and worker log, from debug on. */
  readonly logTo?: DestinationStream
  /** Further settings of API and worker. */
  readonly settings?: Readonly<Record<string, string>>
  /** Other connectors than the built-in ones, of API and worker. */
  readonly connectors?: Readonly<Record<string, Loaded>>
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const level = options.logTo ? 'debug' : logLevel
  const logger = (name: string) => createLogger(level, name, options.logTo)
  engineLog = options.logTo ?? (process.env['TEST_LOG_LEVEL'] === undefined ? undefined : process.stdout)
  if (!quiet) setUpEngineSdk(createLogger('debug', 'engine', { write: (line) => engineLog?.write(line) }))
  quiet = true
  const cleanups: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
  }
  try {
    const dir = await mkdtemp(path.join(tmpdir(), 'callgate-test-'))
    // Sign-in browsers may run as another user, who must get through.
    await chmod(dir, 0o711)
    cleanups.push(() => rm(dir, { recursive: true, force: true }))
    const { foundation } = options
    const database = foundation ?? (await createDatabase())
    if (foundation) await migrate(foundation.url)
    cleanups.push(() => database.drop())
    const apps = { port: await freePort(), host: '127.0.0.1', dataDir: path.join(dir, 'sandbox') }
    let sandbox = await startSandbox(apps)
    cleanups.push(() => sandbox.close())

    const secretsFile = path.join(dir, 'secrets.json')
    makeSecrets(secretsFile)
    const secrets = loadSecrets(secretsFile)
    const bundle = await workflowBundle()
    const settings = {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: foundation?.temporalAddress ?? inject('temporalAddress'),
      TEMPORAL_NAMESPACE: database.namespace,
      SANDBOX_URL: `http://localhost:${sandbox.port}`,
      CALLGATE_DIR: dir,
      LOG_LEVEL: level,
      ...options.settings,
    }
    const runApi = async (sweeps: boolean, connectors?: Readonly<Record<string, Loaded>>): Promise<RunningApi> => {
      const port = await freePort()
      const config = loadConfig({ ...settings, PORT: String(port) })
      const api = await startGateway({ config, secrets, bundle, sweeps, log: logger('api'), connectors })
      cleanups.push(() => api.stop())
      return api
    }
    const api = await runApi(true, options.connectors)

    let worker: (() => Promise<void>) | undefined
    const startWorker: Stack['startWorker'] = async (connectors = options.connectors) => {
      worker ??= await startSender({ config: loadConfig(settings), secrets, log: logger('worker'), connectors })
    }
    const stopWorker = async (): Promise<void> => {
      await worker?.()
      worker = undefined
    }
    cleanups.push(stopWorker)
    const workerProcess = async (more: Readonly<Record<string, string>> = {}): Promise<ChildProcess> => {
      const child = await spawnWorker({ ...settings, CALLGATE_SECRETS: secretsFile, ...more })
      cleanups.push(() => end(child))
      return child
    }
    if (options.worker !== false) await startWorker()

    const control = new SandboxControl(`http://127.0.0.1:${sandbox.port}`, 'property-advertising')
    return {
      ctx: api.ctx,
      url: `${api.url}/api/v1`,
      publicUrl: api.url,
      adminUrl: api.adminUrl,
      sandbox: control,
      user: (userOptions) => makeUser({ ctx: api.ctx, publicUrl: api.url, sandbox: control }, userOptions),
      anotherApi: async () => `${(await runApi(false)).url}/api/v1`,
      apiWith: (connectors) => runApi(false, connectors),
      startWorker,
      stopWorker,
      workerProcess,
      stopSandbox: () => sandbox.close(),
      startSandbox: async () => {
        sandbox = await startSandbox(apps)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

export interface RunningApi {
  readonly ctx: Context
  readonly url: string
  readonly adminUrl: string
  stop(): Promise<void>
}

/** What server/main.ts starts, in this process. */
async function startGateway(parts: {
  readonly config: Config
  readonly secrets: Secrets
  readonly bundle: WorkflowBundlePath
  readonly sweeps: boolean
  readonly log: Logger
  readonly connectors: Readonly<Record<string, Loaded>> | undefined
}): Promise<RunningApi> {
  const { config, bundle, sweeps } = parts
  const { connection, temporal } = await connectTemporal(config)
  const ctx = createContext({ ...parts, temporal })
  const connectors = await followConnectors(ctx)
  const workflows = await startWorkflowWorker(ctx, connection, bundle)
  const stopWatching = watchEngine(ctx)
  const sweeper = sweeps ? startSweeper(ctx, 500) : undefined
  const api = await startApi(ctx, { host: config.host, port: config.port, adminPort: 0 })
  return {
    ctx,
    url: config.publicUrl,
    adminUrl: api.adminUrl,
    async stop() {
      await api.close()
      stopWatching()
      await sweeper?.stop()
      await workflows.stop()
      await connectors.stop()
      await ctx.db.end()
      await connection.close()
    },
  }
}

/** What activities/worker.ts starts, in this process. */
async function startSender(parts: {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: Logger
  readonly connectors: Readonly<Record<string, Loaded>> | undefined
}): Promise<() => Promise<void>> {
  const { connection, temporal } = await connectTemporal(parts.config)
  const ctx = createContext({ ...parts, temporal })
  const connectors = await followConnectors(ctx)
  const workers = await startSendWorkers(ctx, connection, createWorkerMetrics(ctx))
  return async () => {
    await workers.stop()
    await connectors.stop()
    await ctx.security.flush()
    await ctx.db.end()
    await connection.close()
  }
}

/** Starts activities/worker.ts; resolves once it polls. */
async function spawnWorker(settings: Record<string, string>): Promise<ChildProcess> {
  const script = path.join(import.meta.dirname, '../activities/worker.ts')
  const child = fork(script, {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Made once for all test files. */
export function workflowBundle(): Promise<WorkflowBundlePath> {
  return bundles.workflowBundle(inject('sharedDir'))
}

/** A migrated database of its own, and a namespace that no other test file has. */
export async function createDatabase(): Promise<{ url: string; namespace: string; drop: () => Promise<void> }> {
  const maintenance = inject('databaseUrl')
  const admin = new pg.Client({ connectionString: maintenance })
  await admin.connect()
  const { rows } = await admin.query<{ n: string }>(`SELECT nextval('test_file') AS n`)
  const n = Number(rows[0]?.n)
  const name = `test_${n}`
  await admin.query(`CREATE DATABASE ${name} TEMPLATE migrated`)
  await admin.end()
  const url = new URL(maintenance)
  url.pathname = `/${name}`
  const namespaces = inject('namespaces')
  const namespace = namespaces[n - 1]
  if (namespace === undefined) throw new Error(`more than ${namespaces.length} test files ask for a namespace`)
  return {
    url: url.href,
    namespace,
    async drop() {
      const client = new pg.Client({ connectionString: maintenance })
      await client.connect()
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await client.end()
    },
  }
}
