import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../client/finding.ts'
import { isAlive, isProcessIdentity } from '../../local-services/process-identity.ts'
import { SetupError } from '../../local-services/setup-error.ts'
import { checkPorts, wantedPorts } from '../supervisor/ports.ts'
import type { WantedPort } from '../supervisor/ports.ts'
import type { Settings } from '../supervisor/settings.ts'
import { listenersOf } from './listeners.ts'

/** Checks that each port is free or Callgate's; one has just answered at those in `answering`. */
export async function findPorts(settings: Settings, answering: readonly number[]): Promise<readonly Finding[]> {
  const wanted = wantedPorts(settings)
  const ours = ownProcesses(join(settings.dir, 'run'))
  const found = await Promise.all(wanted.map((one, index) => look(one, wanted.slice(0, index), ours, answering)))
  const bad = found.filter((one) => one !== undefined)
  if (bad.length > 0) return bad
  const names = wanted.map(({ variable, port }) => `${variable} ${port}`).join(', ')
  return [{ what: 'ports', ok: true, found: `free, or Callgate's: ${names}` }]
}

async function look(
  wanted: WantedPort,
  before: readonly WantedPort[],
  ours: ReadonlySet<number>,
  answering: readonly number[],
): Promise<Finding | undefined> {
  const { variable, port } = wanted
  const what = `port ${port} (${variable})`
  const twin = before.find((other) => other.port === port)
  if (twin)
    return { what, ok: false, found: `${twin.variable} wants it, too`, mend: `Set ${variable} to another port.` }
  try {
    await checkPorts([wanted])
    return undefined
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    const listeners = listenersOf(port)
    if (answering.includes(port) || listeners.some(({ pid, group }) => ours.has(pid) || ours.has(group)))
      return undefined
    const who = listeners.map(({ name, pid }) => `${name} (process ${pid})`).join(', ')
    return { what, ok: false, found: who === '' ? 'cannot be opened' : `taken by ${who}`, mend: `${error.message}.` }
  }
}

/** The processes that `npm start` runs, by their files in the run folder. */
function ownProcesses(run: string): ReadonlySet<number> {
  const files = existsSync(run) ? readdirSync(run).filter((file) => file.endsWith('.json')) : []
  const known = files.map((file): unknown => JSON.parse(readFileSync(join(run, file), 'utf8')))
  return new Set(
    known
      .filter((one) => isProcessIdentity(one))
      .filter(isAlive)
      .map(({ pid }) => pid),
  )
}
