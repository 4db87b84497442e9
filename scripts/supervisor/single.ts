import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tryLock } from '../../local-services/lock.ts'
import { hasEnded, identify, isAlive, isProcessIdentity, signalProcess } from '../../local-services/process-identity.ts'
import { SetupError } from '../../local-services/setup-error.ts'

/**
 * Locks the data folder for this `npm start`; returns how to unlock it. First stops a holder whose
 * npm was killed, since Ctrl-C no longer reaches it. Throws SetupError if another one runs.
 */
export async function takeFolder(options: {
  run: string
  /** The parent npm process, if any. */
  launcher: number | undefined
  log: (line: string) => void
}): Promise<() => void> {
  const { run, launcher, log } = options
  const lock = join(run, 'npm-start.lock')
  const launcherFile = join(run, 'npm-start.json')
  for (;;) {
    const holder = await tryLock(lock)
    if (!holder) break
    if (!isOrphaned(launcherFile)) {
      throw new SetupError(
        `Callgate already runs here (process ${holder.pid}): press Ctrl-C there, or run kill ${holder.pid}`,
      )
    }
    log(`stopping process ${holder.pid}, left by an npm start that was killed`)
    signalProcess(holder.pid, 'SIGTERM')
    if (!(await hasEnded(holder, 45_000))) signalProcess(holder.pid, 'SIGKILL')
    await hasEnded(holder, 5_000)
  }
  writeFileSync(launcherFile, JSON.stringify(launcher === undefined ? null : (identify(launcher) ?? null)))
  return () => {
    rmSync(launcherFile, { force: true })
    rmSync(lock, { force: true })
  }
}

function isOrphaned(launcherFile: string): boolean {
  if (!existsSync(launcherFile)) return false
  const launcher: unknown = JSON.parse(readFileSync(launcherFile, 'utf8'))
  return isProcessIdentity(launcher) && !isAlive(launcher)
}
