import { spawn } from 'node:child_process'
import { rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { SetupError } from './setup-error.ts'

/** The toolchain of the go.mod files, set because a machine may pin its own as `local`. */
const toolchain = 'go1.26.10'

const progressMs = 10_000

/**
 * Builds from pinned modules. `target`: a file for one package, else a folder. Throws SetupError.
 */
export async function goBuild(options: {
  /** For the messages. */
  what: string
  go: string
  folder: string
  packages: readonly string[]
  target: string
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  signal: AbortSignal | undefined
}): Promise<void> {
  const { what, go, folder, packages, target, env, log, signal } = options
  const draft = `${target}.${process.pid}`
  const output = packages.length > 1 ? `${draft}/` : draft
  const started = Date.now()
  const child = spawn(go, ['build', '-v', '-ldflags=-s -w', '-o', output, ...packages], {
    cwd: folder,
    env: { ...env, GOTOOLCHAIN: toolchain, GOFLAGS: '-mod=readonly -buildvcs=false', GOWORK: 'off' },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal ? { signal } : {}),
  })
  const seen = { modules: 0, packages: 0, tail: [] as string[] }
  createInterface(child.stderr).on('line', (line) => {
    if (line.startsWith('go: downloading')) seen.modules += 1
    else seen.packages += 1
    seen.tail = [...seen.tail.slice(-4), line]
  })
  const progress = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000)
    log(`building: ${seen.modules} modules fetched, ${seen.packages} packages compiled, ${seconds} s`)
  }, progressMs)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    if (code !== 0) throw new SetupError(`Building ${what} failed: ${seen.tail.join(' | ')}`)
    await rename(draft, target)
  } finally {
    clearInterval(progress)
    await rm(draft, { force: true, recursive: true })
  }
}
