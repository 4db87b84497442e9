import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { identify, isAlive, isProcessIdentity, type ProcessIdentity } from './process-identity.ts'
import { isErrno } from './setup-error.ts'

const longestTurnMs = 10_000

/** Takes the lock file, or returns its holder. A dead holder's lock is replaced. */
export async function tryLock(file: string): Promise<ProcessIdentity | undefined> {
  const self = identify(process.pid)
  if (!self) throw new Error('This needs /proc: Callgate runs on Linux')
  const draft = `${file}.${process.pid}`
  await writeFile(draft, JSON.stringify(self))
  try {
    // Serialized: of two processes that find a stale lock, the second would remove the first one's.
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

/**
 * Mutex per file: an abstract socket, which the kernel frees with its process. Throws after 10 s.
 */
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

/** Runs the work under the lock, waiting for its holder. */
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
