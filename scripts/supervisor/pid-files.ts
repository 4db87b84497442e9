import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  hasEnded,
  identify,
  isAlive,
  isProcessIdentity,
  signalProcess,
  type ProcessIdentity,
} from '../../local-services/process-identity.ts'

/**
 * `<name>.pid`: the pid, for people and tools; `<name>.json`: its start time, too, against reuse.
 */
export function writePidFile(run: string, name: string, pid: number): void {
  const identity = identify(pid)
  if (identity) writeWhole(join(run, `${name}.json`), JSON.stringify(identity))
  writeWhole(join(run, `${name}.pid`), `${pid}\n`)
}

export function removePidFile(run: string, name: string): void {
  rmSync(join(run, `${name}.pid`), { force: true })
  rmSync(join(run, `${name}.json`), { force: true })
}

/** Stops processes that a killed `npm start` left running. Returns their names. */
export async function endLeftovers(run: string, graceMs = 3_000): Promise<string[]> {
  const names = readdirSync(run)
    .filter((file) => file.endsWith('.pid'))
    .map((file) => basename(file, '.pid'))
  const ended = await Promise.all(
    names.map(async (name) => {
      const identity = readIdentity(join(run, `${name}.json`))
      const wasAlive = identity !== undefined && isAlive(identity)
      if (wasAlive) await end(identity, name === 'postgres' ? 'SIGINT' : 'SIGTERM', graceMs)
      removePidFile(run, name)
      return wasAlive ? [name] : []
    }),
  )
  return ended.flat()
}

async function end(identity: ProcessIdentity, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  signalProcess(identity.pid, signal)
  if (!(await hasEnded(identity, graceMs))) signalProcess(identity.pid, 'SIGKILL')
  await hasEnded(identity, 10_000)
  // Each leads its own process group: kill its remaining helpers.
  if (!isAlive(identity)) signalProcess(-identity.pid, 'SIGKILL')
}

function readIdentity(file: string): ProcessIdentity | undefined {
  if (!existsSync(file)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isProcessIdentity(value) ? value : undefined
  } catch {
    return undefined
  }
}

function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
