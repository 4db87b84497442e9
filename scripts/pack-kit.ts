import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.join(import.meta.dirname, '..')
const kit = 'connectors/kit'
const run = promisify(execFile)

/** Packs the kit into this folder, creating it. Returns the file name. Throws on build errors. */
export async function packKit(into: string): Promise<string> {
  // In a copy, so that build output never appears beside the sources.
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-pack-'))
  try {
    for (const each of ['package.json', 'tsconfig.json', kit, 'schemas'])
      await cp(path.join(root, each), path.join(dir, each), { recursive: true })
    await symlink(path.join(root, 'node_modules'), path.join(dir, 'node_modules'))
    await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', kit], { cwd: dir })
    const npm = ['pack', '--silent', '--ignore-scripts', '--pack-destination', dir, path.join(dir, kit)]
    const { stdout } = await run('npm', npm, { cwd: dir })
    const file = path.basename(stdout.trim())
    await mkdir(into, { recursive: true })
    await copyFile(path.join(dir, file), path.join(into, file))
    return file
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout).trim() : ''
    throw new Error(`${kit} could not be packed. ${said === '' ? String(error) : said}`, { cause: error })
  } finally {
    await rm(dir, { recursive: true })
  }
}
