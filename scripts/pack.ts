import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.join(import.meta.dirname, '..')

/** Packs a folder of ours that is a package, with what it is made from besides, into this folder, which is made then. Returns the file's name. */
export async function pack(folder: string, sources: readonly string[], into: string): Promise<string> {
  // In a copy: what packing leaves beside the sources meanwhile is nobody else's business.
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-pack-'))
  try {
    for (const each of ['package.json', 'tsconfig.json', folder, ...sources])
      await cp(path.join(root, each), path.join(dir, each), { recursive: true })
    await symlink(path.join(root, 'node_modules'), path.join(dir, 'node_modules'))
    const npm = ['pack', '--silent', '--pack-destination', dir, path.join(dir, folder)]
    const { stdout } = await promisify(execFile)('npm', npm, { cwd: dir })
    const file = path.basename(stdout.trim())
    await mkdir(into, { recursive: true })
    await copyFile(path.join(dir, file), path.join(into, file))
    return file
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout).trim() : ''
    throw new Error(`${folder} could not be packed. ${said === '' ? String(error) : said}`, { cause: error })
  } finally {
    await rm(dir, { recursive: true })
  }
}
