import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { identify, isAlive, isProcessIdentity, type ProcessIdentity } from './process-identity.ts'
import { isErrno } from './setup-error.ts'

/** Takes the lock file for this process, or returns who holds it. A holder that no longer lives holds nothing. */
export async function tryLock(file: string): Promise<ProcessIdentity | undefined> {
  const self = identify(process.pid)
  if (!self) throw new Error('This needs /proc: Callgate runs on Linux')
  const draft = `${file}.${process.pid}`
  await writeFile(draft, JSON.stringify(self))
  try {
    for (;;) {
      try {
        await link(draft, file)
        return undefined
      } catch (error) {
        if (!isErrno(error, 'EEXIST')) throw error
      }
      const holder = await readIdentity(file)
      if (holder && isAlive(holder)) return holder
      await rm(file, { force: true })
    }
  } finally {
    await rm(draft, { force: true })
  }
}

/** Runs the work under the lock, waiting for whoever holds it. */
export async function withLock<T>(file: string, waiting: () => void, work: () => Promise<T>): Promise<T> {
  for (let first = true; await tryLock(file); first = false) {
    if (first) waiting()
    await pause(500)
  }
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

async function readIdentity(file: string): Promise<ProcessIdentity | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    return isProcessIdentity(value) ? value : undefined
  } catch {
    return undefined
  }
}
