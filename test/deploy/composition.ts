import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { TLSConfig } from '@temporalio/client'
import { freePort } from '../../local-services/dev-server.ts'
import { startPostgres } from '../../local-services/postgres.ts'
import type { RunningPostgres } from '../../local-services/postgres.ts'
import { launch, lastLines, loggedTo } from '../../local-services/service.ts'
import type { Running } from '../../local-services/service.ts'
import { composeProject, root, serviceOf } from './compose-project.ts'
import type { ComposeProject } from './compose-project.ts'
import { accepts } from '../../local-services/cluster.ts'
import { placeFor } from '../../web/connect/browser/isolation.ts'
import {
  commandOf,
  environmentsHere,
  freePorts,
  imageFiles,
  imagePrograms,
  onThisMachine,
  secretFile,
} from './places.ts'

/** The services of docker-compose.yml, with its profile sandbox, as processes of this machine, in the order of the file. */
export interface Composition {
  readonly project: ComposeProject
  readonly databaseUrl: string
  readonly secretsFile: string
  readonly temporalAddress: string
  /** Whom the server lets in, and how it is known. */
  readonly temporalTls: TLSConfig
  /** Where people come to the engine's UI; the UI itself does not run. */
  readonly uiUrl: string
  readonly publicUrl: string
  readonly adminUrl: string
  readonly sandboxUrl: string
  /** Where the connect page's browsers have their files. */
  readonly browserDir: string
  readonly workers: readonly Running[]
  /** The jobs that run before the server and before Callgate. */
  runJob(name: 'temporal-schema' | 'temporal-namespace'): Promise<void>
  killServer(): Promise<void>
  startServer(): Promise<void>
  killDatabase(): Promise<void>
  startDatabase(): Promise<void>
  startWorker(): Promise<Running>
  down(): Promise<void>
}

export async function composeUp(): Promise<Composition> {
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-compose-'))
  // Postgres may have to run as another user, who must get through.
  await chmod(dir, 0o711)
  const running: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })]
  const down = async (): Promise<void> => {
    for (const end of running.splice(0).toReversed()) await end()
  }
  try {
    return await start(dir, running, down)
  } catch (error) {
    await down()
    throw error
  }
}

async function start(
  dir: string,
  running: (() => Promise<unknown>)[],
  down: () => Promise<void>,
): Promise<Composition> {
  const secretsDir = path.join(dir, 'secrets')
  await promisify(execFile)('/bin/sh', [path.join(root, 'deploy/make-secrets.sh'), secretsDir])
  const { server: serverPorts, ...ports } = await freePorts()
  const { database, api, admin, sandbox, browser, frontend, ui } = ports
  const publicUrl = `http://127.0.0.1:${api}`
  const project = await composeProject({
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: '0',
    CALLGATE_SECRETS_DIR: secretsDir,
    COMPOSE_PROFILES: 'sandbox',
  })
  const bin = await imagePrograms(dir)
  const images: Readonly<Record<string, string>> = {
    server: await imageFiles(dir),
    sandbox: await imageFiles(dir, 'sandbox'),
    'callgate-browser': await imageFiles(dir, 'browser'),
  }
  const data = path.join(dir, 'data')
  await mkdir(data, { recursive: true, mode: 0o700 })

  const password = readFileSync(secretFile(project, 'postgres_password'), 'utf8')
  const runDatabase = (): Promise<RunningPostgres> =>
    startPostgres({
      dir,
      env: process.env,
      log: () => undefined,
      logFile: path.join(dir, 'postgres.log'),
      tcp: { port: database, password },
    })
  let postgres = await runDatabase()
  running.push(async () => {
    await postgres.stop()
    const { dataDir, socketDir } = postgres.cluster
    for (const gone of [dataDir, socketDir]) await rm(gone, { recursive: true, force: true })
  })

  const temporalAddress = `127.0.0.1:${frontend}`
  const environments = environmentsHere({ ...ports, data })
  const env = (name: string): NodeJS.ProcessEnv => ({
    PATH: `${bin}:/usr/bin:/bin`,
    // As in the containers, whose file systems are read-only: what writes there fails.
    HOME: '/proc',
    ...onThisMachine(project, name, environments[name] ?? {}),
  })
  const command = (name: string): string[] => commandOf(project, name)

  const runJob = async (name: string): Promise<void> => {
    const [program = '', ...args] = command(name)
    await promisify(execFile)(program, args, { env: env(name) })
  }
  const run = async (
    name: string,
    ready: (log: string) => Promise<boolean>,
    extra: NodeJS.ProcessEnv = {},
    logName = name,
  ): Promise<Running> => {
    const logFile = path.join(dir, `${logName}.log`)
    const [program = '', ...args] = command(name)
    try {
      return await launch({
        name,
        logFile,
        prepare: async () => undefined,
        spawn: () =>
          loggedTo(logFile, (base) =>
            spawn(program, args, {
              ...base,
              cwd: images[name] ?? images['server'],
              env: { ...env(name), ...extra },
            }),
          ),
        ready: async (_child, signal) => {
          while (!signal.aborted && !(await ready(logFile))) await pause(100)
        },
        stalledAfterMs: 60_000,
        stopSignal: 'SIGTERM',
        stopWithinMs: 40_000,
      })
    } catch (error) {
      throw new Error([String(error), ...lastLines(logFile, 20)].join('\n'), { cause: error })
    }
  }

  const apps = await run('sandbox', () => accepts(sandbox))
  running.push(() => apps.stop())
  await runJob('temporal-schema')
  const runServer = (): Promise<Running> => run('temporal', () => accepts(frontend), serverPorts)
  let server = await runServer()
  running.push(() => server.kill())
  await runJob('temporal-namespace')

  // As the containers' engine would ask, though not as rarely.
  const healthOf = (name: string, port: number) => async (): Promise<boolean> => {
    const [, , flag = '', script = ''] = serviceOf(project, name).healthcheck?.test ?? []
    try {
      await promisify(execFile)(process.execPath, [flag, script.replace(/:\d{4}\//, `:${port}/`)])
      return true
    } catch {
      return false
    }
  }
  // In its container each has these ports for itself.
  const ownPorts = async () => ({ SDK_METRICS_PORT: String(await freePort()) })
  const chromium = await run('callgate-browser', healthOf('callgate-browser', browser))
  running.push(() => chromium.stop())
  const gateway = await run('callgate-api', healthOf('callgate-api', admin), await ownPorts())
  running.push(() => gateway.stop())
  const workers: Running[] = []
  let started = 0
  const startWorker = async (): Promise<Running> => {
    const port = await freePort()
    const extra = { ...(await ownPorts()), WORKER_ADMIN_PORT: String(port) }
    const worker = await run(
      'callgate-worker',
      healthOf('callgate-worker', port),
      extra,
      `callgate-worker-${++started}`,
    )
    workers.push(worker)
    running.push(() => worker.stop())
    return worker
  }
  const { replicas = 1 } = serviceOf(project, 'callgate-worker').deploy ?? {}
  await Promise.all(Array.from({ length: replicas }, startWorker))

  return {
    project,
    databaseUrl: postgres.databaseUrl,
    secretsFile: secretFile(project, 'callgate_secrets'),
    temporalAddress,
    temporalTls: tlsOf(project),
    uiUrl: `http://127.0.0.1:${ui}`,
    publicUrl,
    adminUrl: `http://127.0.0.1:${admin}`,
    sandboxUrl: `http://127.0.0.1:${sandbox}`,
    browserDir: path.join(await placeFor(path.join(data, 'browser')), 'browsers'),
    workers,
    runJob,
    killServer: () => server.kill(),
    async startServer() {
      server = await runServer()
    },
    killDatabase: () => postgres.kill(),
    async startDatabase() {
      postgres = await runDatabase()
    },
    startWorker,
    down,
  }
}

/** As the containers of Callgate have it. */
function tlsOf(project: ComposeProject): TLSConfig {
  const secret = (name: string): Buffer => readFileSync(secretFile(project, name))
  return {
    serverNameOverride: 'temporal',
    serverRootCACertificate: secret('temporal_ca'),
    clientCertPair: { crt: secret('temporal_client_cert'), key: secret('temporal_client_key') },
  }
}
