import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Connection } from '@temporalio/client'
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js'
import { launch, loggedTo, type Running, type Service } from './service.ts'
import { dynamicConfig, retentionMs, searchAttributes } from './settings.ts'

export interface Place {
  host: string
  port: number
}

export interface TemporalOptions {
  /** The `temporal` binary, from `ensureTemporal`. */
  binary: string
  dbFile: string
  logFile: string
  port: number
  /** Address of the web UI, which has no authentication; default: no UI. */
  ui?: Place
  /** Besides `default`. */
  namespaces?: string[]
  /** False: no schedules and releases, whose system workers cost CPU even when idle. */
  ownWorkers?: boolean
  env: NodeJS.ProcessEnv
}

/** The embedded Temporal server: one process, one SQLite file, on the loopback interface only. */
export function temporalService(options: TemporalOptions): Service {
  const { binary, port, logFile, namespaces = [], env } = options
  return {
    name: 'temporal',
    logFile,
    prepare: async () => undefined,
    spawn: () => loggedTo(logFile, (base) => spawn(binary, startArguments(options), { ...base, env: serverEnv(env) })),
    ready: (_child, signal) => serves(`127.0.0.1:${port}`, ['default', ...namespaces], signal),
    stalledAfterMs: 60_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 10_000,
  }
}

export interface RunningTemporal extends Running {
  address: string
}

/** Starts a private server, on a free port unless one is given. */
export async function startTemporal(
  options: Omit<TemporalOptions, 'port'> & { port?: number },
): Promise<RunningTemporal> {
  const port = options.port ?? (await freePort())
  return { ...(await launch(temporalService({ ...options, port }))), address: `127.0.0.1:${port}` }
}

const given = new Set<number>()

/** Never the same twice, and below the ephemeral range, so that no other process takes it. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    // From 11,000: browsers and `fetch` refuse 10080.
    const port = randomInt(11_000, 32_000)
    if (given.has(port)) continue
    if (!(await isFree({ host: '127.0.0.1', port }))) continue
    given.add(port)
    return port
  }
  throw new Error('No free port')
}

/**
 * An address of this machine that a DNS-rebinding web page cannot guess: one of 16 million loopback
 * addresses, and a free port. 127.0.0.1 where the system has no other loopback address.
 */
export async function hiddenPlace(): Promise<Place> {
  const port = await freePort()
  const host = ['127', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.')
  return { host: (await isFree({ host, port })) ? host : '127.0.0.1', port }
}

async function isFree({ host, port }: Place): Promise<boolean> {
  const server = createServer()
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, host, () => resolve(true))
  })
  if (free) await new Promise((resolve) => server.close(resolve))
  return free
}

function startArguments({ dbFile, port, ui, namespaces = [], ownWorkers = true }: TemporalOptions): string[] {
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--db-filename', dbFile],
    ...(ui === undefined ? ['--headless'] : ['--ui-ip', ui.host, '--ui-port', String(ui.port)]),
    ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
    ...['--log-level', 'error', '--color', 'never', '--ui-disable-news-fetch'],
    ...['--disable-config-file', '--disable-config-env'],
    ...Object.entries(dynamicConfig).flatMap(([key, value]) => [
      '--dynamic-config-value',
      `${key}=${JSON.stringify(value)}`,
    ]),
    // Its HTTP API, unused here, accepts any host name and origin by default: allow none.
    ...['--dynamic-config-value', 'frontend.httpAllowedHosts=[]'],
    ...(ownWorkers ? [] : ['--dynamic-config-value', 'worker.perNamespaceWorkerCount=0']),
    ...searchAttributes.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ...namespaces.flatMap((name) => ['--namespace', name]),
  ]
}

function serverEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // GOGC trades memory for measurably faster calls. The version check would phone home.
  return { ...env, GOGC: '400', TEMPORAL_VERSION_CHECK_DISABLED: '1' }
}

async function serves(address: string, namespaces: string[], signal: AbortSignal): Promise<void> {
  // Poll the port first: a refused gRPC channel waits a second before it retries.
  while (!signal.aborted && !(await listens(address))) await pause(20)
  const connection = await Connection.connect({ address, connectTimeout: '10s' })
  try {
    for (const namespace of namespaces) await describe(connection, namespace, signal)
    await keepClosedRuns(connection)
  } finally {
    await connection.close()
  }
}

/** The server listens a moment before it knows its namespaces. */
async function describe(connection: Connection, namespace: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await connection.workflowService.describeNamespace({ namespace })
      return
    } catch (error) {
      if (signal.aborted) throw error
      await pause(20)
    }
  }
}

/** The embedded server deletes a closed run after a day by default. */
async function keepClosedRuns({ workflowService }: Connection): Promise<void> {
  const namespace = 'default'
  const { config } = await workflowService.describeNamespace({ namespace })
  if (tsToMs(config?.workflowExecutionRetentionTtl) === retentionMs) return
  await workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: msToTs(retentionMs) } })
}

function listens(address: string): Promise<boolean> {
  const [host, port] = address.split(':')
  return new Promise((resolve) => {
    const socket = connect({ host: host ?? '', port: Number(port) })
    const answer = (yes: boolean) => {
      socket.destroy()
      resolve(yes)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
  })
}
