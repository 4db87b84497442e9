import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.join(import.meta.dirname, '../../..')
const sources = ['package.json', 'tsconfig.json', 'schemas', 'connectors/kit']

/** Packs the kit, as connectors elsewhere are compiled against it, into this folder, which is made then. Returns the file's name. */
export async function packKit(into: string): Promise<string> {
  // In a copy: what packing leaves beside the sources meanwhile is nobody else's business.
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-kit-'))
  try {
    for (const each of sources) await cp(path.join(root, each), path.join(dir, each), { recursive: true })
    await symlink(path.join(root, 'node_modules'), path.join(dir, 'node_modules'))
    const npm = ['pack', '--silent', '--pack-destination', dir, path.join(dir, 'connectors/kit')]
    const { stdout } = await promisify(execFile)('npm', npm, { cwd: dir })
    const file = path.basename(stdout.trim())
    await mkdir(into, { recursive: true })
    await copyFile(path.join(dir, file), path.join(into, file))
    return file
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout).trim() : ''
    throw new Error(`The kit could not be packed. ${said === '' ? String(error) : said}`, { cause: error })
  } finally {
    await rm(dir, { recursive: true })
  }
}
