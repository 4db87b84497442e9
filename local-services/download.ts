import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import versions from './versions.json' with { type: 'json' }

export const downloadVersion = versions.temporal.version

/** SHA-256 of the release's archives, as in its checksums.txt. */
const archives: Readonly<Record<string, string>> = versions.temporal.archives

const connectMs = 4_000
const stallMs = 20_000

/** Downloads the official release; false when it is unreachable or fails its checksum. */
export async function downloadTemporal(options: {
  target: string
  log: (line: string) => void
  signal: AbortSignal | undefined
  /** Instead of the official release; for tests. */
  origin?: string
  sha256?: string
}): Promise<boolean> {
  const { target, log, signal, origin = 'https://github.com/temporalio/cli/releases/download' } = options
  const name = `${platform()}_${arch() === 'x64' ? 'amd64' : arch()}`
  const expected = options.sha256 ?? archives[name]
  if (!expected) return false
  const url = `${origin}/v${downloadVersion}/temporal_cli_${downloadVersion}_${name}.tar.gz`
  const folder = await mkdtemp(join(dirname(target), 'download-'))
  try {
    const archive = await fetchBytes(url, log, signal)
    const actual = createHash('sha256').update(archive).digest('hex')
    if (actual !== expected) throw new Error(`the archive's SHA-256 is ${actual}, not the pinned ${expected}`)
    await writeFile(join(folder, 'temporal.tar.gz'), archive)
    await promisify(execFile)('tar', ['-xzf', 'temporal.tar.gz', 'temporal'], { cwd: folder })
    await chmod(join(folder, 'temporal'), 0o755)
    await rename(join(folder, 'temporal'), target)
    return true
  } catch (error) {
    signal?.throwIfAborted()
    log(`the official Temporal download did not work (${reason(error)})`)
    return false
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function fetchBytes(url: string, log: (line: string) => void, signal?: AbortSignal): Promise<Buffer> {
  const giveUp = new AbortController()
  let timer = setTimeout(() => giveUp.abort(new Error('no answer')), connectMs)
  try {
    const response = await fetch(url, { signal: signal ? AbortSignal.any([signal, giveUp.signal]) : giveUp.signal })
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`)
    log(`downloading the Temporal server ${downloadVersion} (45 MB)`)
    const chunks: Uint8Array[] = []
    for await (const chunk of response.body) {
      clearTimeout(timer)
      timer = setTimeout(() => giveUp.abort(new Error('it stalled')), stallMs)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    clearTimeout(timer)
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
