import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SetupError } from './setup-error.ts'

/** A non-root user, for programs that refuse to run as root. */
export interface RunAs {
  uid: number
  gid: number
}

export function unprivileged(): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name === 'nobody') return { uid: Number(uid), gid: Number(gid) }
  }
  throw new SetupError(
    'Postgres does not run as root, and this machine has no user "nobody": start Callgate as another user',
  )
}

/** The folder itself if that user can enter it (not below a private home), else one in /var/tmp. */
export async function reachableFolder(folder: string, runAs: RunAs | undefined): Promise<string> {
  if (!runAs || canEnter(folder, runAs)) return folder
  return await ownFolder('/var/tmp', folder)
}

/** Socket paths have at most 107 bytes. */
export async function shortFolder(folder: string): Promise<string> {
  const longest = 107 - '/.s.PGSQL.5432'.length
  if (Buffer.byteLength(folder) <= longest) return folder
  const temporary = tmpdir()
  return await ownFolder(Buffer.byteLength(temporary) <= longest - 30 ? temporary : '/tmp', folder)
}

/** A folder in a world-writable place: used only if this user owns it. Throws SetupError. */
async function ownFolder(parent: string, instead: string): Promise<string> {
  const path = join(parent, `callgate-${createHash('sha256').update(instead).digest('hex').slice(0, 12)}`)
  await mkdir(path, { recursive: true, mode: 0o711 })
  const found = lstatSync(path)
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new SetupError(`${path} belongs to another user: remove it, or set CALLGATE_DIR to another folder`)
  }
  await chmod(path, 0o711)
  return path
}

function canEnter(folder: string, { uid, gid }: RunAs): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { uid, gid, cwd: '/', stdio: 'ignore' }).status === 0
}
