import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const exact = /^((?:@[\w.-]+\/)?[\w.-]+)@(\d+\.\d+\.\d+[\w.+-]*)$/

export interface Fetched extends AsyncDisposable {
  readonly folder: string
}

/**
 * The folder of a connector: one of this machine, or a package of this exact version from the registry that npm is set to, which npm checks against
 * the registry's hash. No script of any package runs.
 */
export async function fetched(wanted: string): Promise<Fetched> {
  if (existsSync(wanted)) return { folder: path.resolve(wanted), [Symbol.asyncDispose]: () => Promise.resolve() }
  const [, name = ''] = exact.exec(wanted) ?? []
  if (name === '') throw new Error(`"${wanted}" is neither a folder nor a package with its exact version, name@1.2.3`)
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-connector-'))
  const remove = () => rm(dir, { recursive: true, force: true })
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error']
  try {
    await promisify(execFile)('npm', ['install', ...quiet, '--prefix', dir, wanted])
  } catch (error) {
    await remove()
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    throw new Error(`npm could not fetch ${wanted}:\n${said}`, { cause: error })
  }
  return { folder: path.join(dir, 'node_modules', name), [Symbol.asyncDispose]: remove }
}
