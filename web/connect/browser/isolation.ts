import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ownUser } from './own-user.ts'

/** What one browser has here: its start script, its whole environment, and a folder of its own. */
export interface Home {
  readonly start: string
  readonly env: Readonly<Record<string, string>>
  /** Removes all of it; the browser must have ended. */
  remove(): Promise<void>
}

/**
 * Where the system finds fonts and libraries in unusual places. The browser gets no other variable
 * of this process.
 */
const passedOn = ['FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'LD_LIBRARY_PATH']

/**
 * Folder for browsers: `dir`, or one in /var/tmp if this process is root and other users, such as
 * the browser's, cannot enter `dir`. Throws if another user owns that one.
 */
export async function placeFor(dir: string): Promise<string> {
  if (process.getuid?.() !== 0) return dir
  await mkdir(dir, { recursive: true, mode: 0o711 })
  if (isOpen(dir)) return dir
  const other = `/var/tmp/callgate-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`
  await mkdir(other, { recursive: true, mode: 0o711 })
  // /var/tmp is world-writable: use the folder only if root owns it.
  const found = lstatSync(other)
  if (!found.isDirectory() || found.uid !== 0)
    throw new Error(`${other} belongs to another user: remove it, or set CALLGATE_DIR to another folder`)
  await chmod(other, 0o711)
  return other
}

/** `program`: Chromium's executable, which the browser's user must be able to read. */
export async function makeHome(place: string, program: string): Promise<Home> {
  const all = path.join(place, 'browsers')
  await mkdir(all, { recursive: true })
  await chmod(all, 0o711)
  await sweep(all)
  const folder = await mkdtemp(path.join(all, `${process.pid}-${startOf(process.pid)}-`))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 10 })
  try {
    await chmod(folder, 0o711)
    const user = ownUser()
    const home = path.join(folder, 'home')
    await mkdir(home, { mode: 0o700 })
    if (user !== undefined) await chown(home, user, user)
    const start = path.join(folder, 'start')
    await writeFile(start, script(program, home, user), { mode: 0o755 })
    const { env } = process
    const kept = passedOn.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []))
    return { start, env: { ...Object.fromEntries(kept), HOME: home, TMPDIR: home }, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The last profile folder counts: Playwright's own belongs to this process's user. */
function script(program: string, home: string, user: number | undefined): string {
  const run = [quoted(program), '"$@"', quoted(`--user-data-dir=${path.join(home, 'profile')}`)].join(' ')
  const as = user === undefined ? '' : `${setpriv()} --reuid=${user} --regid=${user} --clear-groups --no-new-privs -- `
  return `#!/bin/sh\ncd /\nunset PWD OLDPWD\nexec ${as}${run}\n`
}

function setpriv(): string {
  const found = ['/usr/bin/setpriv', '/bin/setpriv'].find((one) => existsSync(one))
  if (found === undefined) throw new Error('setpriv is missing, which starts the browser as another user than root')
  return found
}

/** Removes folders of processes that were killed. */
async function sweep(all: string): Promise<void> {
  for (const name of await readdir(all)) {
    const [, pid, started] = /^(\d+)-(\d+)-/.exec(name) ?? []
    if (startOf(Number(pid)) !== started) await rm(path.join(all, name), { recursive: true, force: true })
  }
}

/**
 * Start time of a process in ticks since boot, which makes its pid unique. Undefined when there is
 * no such process.
 */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name is in brackets and may contain anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

function isOpen(dir: string): boolean {
  for (let folder = path.resolve(dir); ; folder = path.dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === path.dirname(folder)) return true
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
