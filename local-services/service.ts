import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { closeSync, copyFileSync, existsSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { signalProcess } from './process-identity.ts'
import { stalled } from './progress.ts'

/** A process that Callgate runs: how to start it, tell that it serves, and stop it. */
export interface Service {
  name: string
  logFile: string
  /** Runs before each start: cleans up after a killed predecessor. */
  prepare(): Promise<void>
  spawn(): ChildProcess
  /** Resolves once it serves. Retries until the signal aborts. */
  ready(child: ChildProcess, signal: AbortSignal): Promise<void>
  /** A starting process fails once it has been idle for this long (ms); a slow one may continue. */
  stalledAfterMs: number
  stopSignal: NodeJS.Signals
  /** The same for a stopping process; it is killed after four times as long in any case. */
  stopWithinMs: number
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface Running {
  pid: number
  exited: Promise<Exit>
  /** Resolves when it serves; rejects when it ends before, or stalls. */
  ready: Promise<void>
  stop: () => Promise<void>
  kill: () => Promise<void>
}

/** Starts the process and returns at once; await `ready` for it to serve. */
export async function begin(service: Service): Promise<Running> {
  await service.prepare()
  const child = service.spawn()
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      // Its own children (a browser, a helper) end with it.
      if (child.pid !== undefined) signalProcess(-child.pid, 'SIGKILL')
      resolve({ code, signal })
    })
  })
  await Promise.race([new Promise((resolve) => child.once('spawn', resolve)), failed])
  const { pid } = child
  if (pid === undefined) throw new Error(`${service.name} has no pid`)
  const ready = becomesReady(service, { child, pid, exited })
  // An unawaited rejection must not end this process.
  ready.catch(() => undefined)

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    const watch = new AbortController()
    const kill = () => signalProcess(-pid, 'SIGKILL')
    const timer = setTimeout(kill, 4 * service.stopWithinMs)
    void stalled(pid, service.stopWithinMs, watch.signal).then(kill)
    await exited
    watch.abort()
    clearTimeout(timer)
  }
  return { pid, exited, ready, stop: () => end(service.stopSignal), kill: () => end('SIGKILL') }
}

/** Starts the process and waits until it serves. */
export async function launch(service: Service): Promise<Running> {
  const running = await begin(service)
  try {
    await running.ready
  } catch (error) {
    await running.kill()
    throw error
  }
  return running
}

async function becomesReady(
  service: Service,
  { child, pid, exited }: { child: ChildProcess; pid: number; exited: Promise<Exit> },
): Promise<void> {
  const giveUp = new AbortController()
  const ended = exited.then((exit) => {
    throw new Error(`${service.name} ended before it served (${exitText(exit)})`)
  })
  const stuck = stalled(pid, service.stalledAfterMs, giveUp.signal).then(() => {
    throw new Error(`${service.name} does not serve, and has done nothing for ${service.stalledAfterMs / 1000} s`)
  })
  try {
    await Promise.race([service.ready(child, giveUp.signal), ended, stuck])
  } finally {
    giveUp.abort()
  }
}

export function exitText({ code, signal }: Exit): string {
  return signal ?? `exit code ${code}`
}

const keptLogBytes = 10 * 1024 * 1024
const lookAtLogMs = 5_000

/**
 * Spawns a long-running child in its own process group, with its output in a log file. A large log
 * is moved to one backup file, replacing the last, so that logs never fill the disk.
 */
export function loggedTo(logFile: string, spawn: (options: SpawnOptions) => ChildProcess): ChildProcess {
  setAside(logFile)
  const log = openSync(logFile, 'a', 0o600)
  try {
    const child = spawn({ detached: true, stdio: ['ignore', log, log] })
    const look = setInterval(() => setAside(logFile), lookAtLogMs).unref()
    child.once('exit', () => clearInterval(look))
    child.once('error', () => clearInterval(look))
    return child
  } finally {
    closeSync(log)
  }
}

/** Copies and truncates, because the writer keeps its open file. */
function setAside(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size <= keptLogBytes) return
  try {
    copyFileSync(logFile, `${logFile}.1`)
  } catch {
    // Disk full: drop the backup.
    rmSync(`${logFile}.1`, { force: true })
  }
  truncateSync(logFile)
}

export function lastLines(logFile: string, count: number): string[] {
  if (!existsSync(logFile)) return []
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count)
}
