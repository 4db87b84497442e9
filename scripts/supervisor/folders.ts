import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../../local-services/setup-error.ts'

export interface Folders {
  dir: string
  run: string
  logs: string
}

/** Creates the data folders; as root traversable, for Postgres's user. Throws SetupError. */
export function makeFolders(dir: string): Folders {
  const folders = { dir, run: join(dir, 'run'), logs: join(dir, 'logs') }
  try {
    const made = mkdirSync(dir, { recursive: true, mode: 0o700 })
    if (made !== undefined && process.getuid?.() === 0) chmodSync(dir, 0o711)
    for (const folder of [folders.run, folders.logs]) mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const folder of Object.values(folders)) accessSync(folder, constants.W_OK | constants.X_OK)
    return folders
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new SetupError(`Callgate cannot write to ${dir} (${why}): set CALLGATE_DIR to a folder of yours`)
  }
}
