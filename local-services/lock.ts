import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { identify, isAlive, isProcessIdentity, type ProcessIdentity } from './process-identity.ts'
import { isErrno } from './setup-error.ts'

const longestTurnMs = 10_000

/** Takes the lock file for this process, or returns who holds it. A holder that no longer lives holds nothing. */
export async function tryLock(file: string): Promise<ProcessIdentity | undefined> {
  const self = identify(process.pid)
  if (!self) throw new Error('This needs /proc: Callgate runs on Linux')
  const draft = `${file}.${process.pid}`
  await writeFile(draft, JSON.stringify(self))
  try {
    // Of several that find a dead holder's file, the second would else remove that of the first.
    return await inTurn(file, () => takeFile(draft, file))
  } finally {
    await rm(draft, { force: true })
  }
}

async function takeFile(draft: string, file: string): Promise<ProcessIdentity | undefined> {
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
}

/** One process of this machine at a time, for each file: who listens on its name. The kernel takes the name back however a process ends. */
async function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  const name = `\0callgate-${createHash('sha256').update(resolve(file)).digest('hex').slice(0, 32)}`
  const deadline = Date.now() + longestTurnMs
  const server = createServer()
  for (;;) {
    try {
      server.listen(name)
      await once(server, 'listening')
      break
    } catch (error) {
      if (!isErrno(error, 'EADDRINUSE') || Date.now() > deadline) throw error
      await pause(5 + Math.random() * 20)
    }
  }
  try {
    return await work()
  } finally {
    await new Promise((closed) => server.close(closed))
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
