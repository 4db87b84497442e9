import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { closeSync, copyFileSync, existsSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { signalProcess } from './process-identity.ts'

/** One process that Callgate runs: how it is started, when it serves, how it is asked to stop. */
export interface Service {
  name: string
  logFile: string
  /** Before each start: mends what a killed predecessor left. */
  prepare(): Promise<void>
  spawn(): ChildProcess
  /** Resolves once it serves. Tries until the signal says to give up. */
  ready(child: ChildProcess, signal: AbortSignal): Promise<void>
  readyWithinMs: number
  stopSignal: NodeJS.Signals
  stopWithinMs: number
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface Running {
  pid: number
  exited: Promise<Exit>
  /** Resolves when it serves; rejects when it ends before, or takes too long. */
  ready: Promise<void>
  stop: () => Promise<void>
  kill: () => Promise<void>
}

/** Starts the process and hands it back at once; `ready` tells when it serves. */
export async function begin(service: Service): Promise<Running> {
  await service.prepare()
  const child = service.spawn()
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      // Whatever it started itself (a browser, a helper) ends with it.
      if (child.pid !== undefined) signalProcess(-child.pid, 'SIGKILL')
      resolve({ code, signal })
    })
  })
  await Promise.race([new Promise((resolve) => child.once('spawn', resolve)), failed])
  const { pid } = child
  if (pid === undefined) throw new Error(`${service.name} has no pid`)
  const ready = becomesReady(service, child, exited)
  // Whoever awaits it gets the reason; nobody awaiting it must not end this process.
  ready.catch(() => undefined)

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    const timer = setTimeout(() => signalProcess(-pid, 'SIGKILL'), service.stopWithinMs)
    await exited
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

async function becomesReady(service: Service, child: ChildProcess, exited: Promise<Exit>): Promise<void> {
  const giveUp = new AbortController()
  const ended = exited.then((exit) => {
    throw new Error(`${service.name} ended before it served (${exitText(exit)})`)
  })
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`${service.name} does not serve after ${service.readyWithinMs / 1000} s`))
    setTimeout(fail, service.readyWithinMs).unref()
  })
  try {
    await Promise.race([service.ready(child, giveUp.signal), ended, late])
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
 * Spawn options of a long-running child: its own process group, its output in its own log file. What is there when that has become big is
 * kept in a second one, and no more: a full disk would stop everything.
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

/** By a copy: whoever writes to the file goes on with the same one, at its new end. */
function setAside(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size <= keptLogBytes) return
  try {
    copyFileSync(logFile, `${logFile}.1`)
  } catch {
    // The disk has no room for it: then what was said before is given up.
    rmSync(`${logFile}.1`, { force: true })
  }
  truncateSync(logFile)
}

export function lastLines(logFile: string, count: number): string[] {
  if (!existsSync(logFile)) return []
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count)
}
