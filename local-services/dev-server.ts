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
  /** The `temporal` program, from `ensureTemporal`. */
  binary: string
  dbFile: string
  logFile: string
  port: number
  /** Without one there is no web UI. It asks nobody who they are. */
  ui?: Place
  /** Besides `default`. */
  namespaces?: string[]
  /** Without its own workers it has neither schedules nor releases; they cost time in each namespace, also when nothing happens. */
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
    readyWithinMs: 60_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 10_000,
  }
}

export interface RunningTemporal extends Running {
  address: string
}

/** A server of one's own, on a free port unless one is given. */
export async function startTemporal(
  options: Omit<TemporalOptions, 'port'> & { port?: number },
): Promise<RunningTemporal> {
  const port = options.port ?? (await freePort())
  return { ...(await launch(temporalService({ ...options, port }))), address: `127.0.0.1:${port}` }
}

const given = new Set<number>()

/** Each once, below those that the system gives out by itself: nobody has it by chance before its owner listens, or starts again. */
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
 * A place on this machine that a web page cannot guess: one of 16 million loopback addresses, and a free port. A page whose own name was
 * pointed at this machine would have to know both. 127.0.0.1 where the system has no other address.
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
    // Its HTTP API, on a port of its choice, takes every name and checks no origin. Nobody here uses it: it answers to none.
    ...['--dynamic-config-value', 'frontend.httpAllowedHosts=[]'],
    ...(ownWorkers ? [] : ['--dynamic-config-value', 'worker.perNamespaceWorkerCount=0']),
    ...searchAttributes.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ...namespaces.flatMap((name) => ['--namespace', name]),
  ]
}

function serverEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // GOGC: fewer collections for some memory, measured as faster calls. The check would call home.
  return { ...env, GOGC: '400', TEMPORAL_VERSION_CHECK_DISABLED: '1' }
}

async function serves(address: string, namespaces: string[], signal: AbortSignal): Promise<void> {
  // First by hand: a gRPC channel that was refused once waits a whole second before it tries again.
  while (!signal.aborted && !(await listens(address))) await pause(20)
  const connection = await Connection.connect({ address, connectTimeout: '10s' })
  try {
    for (const namespace of namespaces) await describe(connection, namespace, signal)
    await keepClosedRuns(connection)
  } finally {
    await connection.close()
  }
}

/** The server begins to listen a moment before it knows its namespaces. */
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

/** The embedded server would forget a closed run after a day. */
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
