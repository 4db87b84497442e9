import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { isFields } from '../../connectors/kit/wire.ts'

const exact = /^((?:@[\w.-]+\/)?[\w.-]+)@(\d+\.\d+\.\d+[\w.+-]*)$/
/** npm's defaults are for unattended builds: it retries for minutes, even a hash mismatch. */
const impatient = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000']
const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error', '--json', ...impatient]

/** Explanations of npm's error codes; npm's own summary names the package. */
const meanings: Readonly<Record<string, string>> = {
  E404: 'the registry that npm is set to does not have it, or something that it needs',
  ETARGET: 'there is no such version of it, or of something that it needs',
  EINTEGRITY: 'what came is not what the registry says that it is',
}

export interface Fetched extends AsyncDisposable {
  readonly folder: string
  /** The requested name and version; undefined for a local folder. */
  readonly package?: string
  /** Where npm installed the dependencies; undefined for a local folder. */
  readonly modules?: string | undefined
}

/**
 * The folder of a connector: a local one, or a package at an exact version from npm's registry.
 * npm checks the registry's hash; no script of any package runs. Throws why npm failed.
 */
export async function fetched(wanted: string): Promise<Fetched> {
  if (existsSync(wanted)) return { folder: path.resolve(wanted), [Symbol.asyncDispose]: () => Promise.resolve() }
  const [, name = ''] = exact.exec(wanted) ?? []
  if (name === '') throw new Error(`"${wanted}" is neither a folder nor a package with its exact version, name@1.2.3`)
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-connector-'))
  const remove = () => rm(dir, { recursive: true, force: true })
  try {
    await promisify(execFile)('npm', ['install', ...quiet, '--prefix', dir, wanted])
  } catch (error) {
    await remove()
    throw new Error(`npm could not fetch ${wanted}: ${whyOf(error)}`, { cause: error })
  }
  const modules = path.join(dir, 'node_modules')
  return { folder: path.join(modules, name), package: wanted, modules, [Symbol.asyncDispose]: remove }
}

function whyOf(error: unknown): string {
  const { stdout = '', stderr = '' } = isFields(error) ? error : {}
  const told = said(String(stdout))
  if (told === undefined) return String(stderr).trim() || String(error)
  const { code, summary } = told
  const meaning = meanings[String(code)]
  return meaning === undefined ? String(summary) : `${meaning} (${String(summary)})`
}

function said(stdout: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const answer: unknown = JSON.parse(stdout)
    return isFields(answer) && isFields(answer['error']) ? answer['error'] : undefined
  } catch {
    // npm wrote plain text only, or npm is not installed.
    return undefined
  }
}
