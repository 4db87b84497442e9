import { readFileSync } from 'node:fs'

/** Pids are reused; a pid with its start time is unique. */
export interface ProcessIdentity {
  pid: number
  started: string
}

/** Undefined when no such process lives (a zombie does not). */
export function identify(pid: number): ProcessIdentity | undefined {
  const stat = readProc(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The command name is in parentheses and may contain any character, parentheses too.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const started = rest[18]
  return state === 'Z' || state === 'X' || started === undefined ? undefined : { pid, started }
}

export function isAlive({ pid, started }: ProcessIdentity): boolean {
  return identify(pid)?.started === started
}

export function isProcessIdentity(value: unknown): value is ProcessIdentity {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    Number.isSafeInteger(value.pid) &&
    Number(value.pid) > 1 &&
    'started' in value &&
    typeof value.started === 'string'
  )
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself in the meantime.
  }
}

export async function hasEnded(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs
  while (isAlive(identity)) {
    if (Date.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return true
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
