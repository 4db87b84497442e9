import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const made = new Map<string, Promise<unknown>>()

/** Compiles the program at `home` ahead, once a process, by one of its own: its compilers stay in whoever loads them. A release that cannot is left. */
export async function compiledAhead(home: string, dir: string | undefined): Promise<void> {
  const script = join(home, 'core/compiled/make.mjs')
  if (dir === undefined || !existsSync(script)) return
  const key = `${home}\0${dir}`
  const make = () => promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', script, dir])
  const making = made.get(key) ?? make()
  made.set(key, making)
  // Tried again at the next start.
  making.catch(() => made.delete(key))
  await making
}
