import { spawn } from 'node:child_process'
import { rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { minimumServer } from './settings.ts'
import { SetupError } from './setup-error.ts'

/** The toolchain that engine/go.mod asks for. Named here because a machine may have pinned its own as `local`. */
const toolchain = 'go1.26.10'

const progressMs = 10_000

/** Builds the `temporal` program from the modules that engine/go.mod and go.sum pin. Takes minutes the first time. */
export async function buildTemporal(options: {
  target: string
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  go: string | undefined
  signal: AbortSignal | undefined
}): Promise<void> {
  const { target, env, log, go, signal } = options
  if (!go) {
    throw new SetupError(
      `No Temporal server ${minimumServer} or later was found: install Go 1.21 or later (https://go.dev/dl) so that it can be built, ` +
        'or put the temporal program 1.9.1 or later on PATH, or set TEMPORAL_ADDRESS to a server of yours',
    )
  }
  log('building the Temporal server from its Go modules: about three minutes, once on this machine')
  const draft = `${target}.${process.pid}`
  const started = Date.now()
  const child = spawn(go, ['build', '-v', '-ldflags=-s -w', '-o', draft, 'github.com/temporalio/cli/cmd/temporal'], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
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
    if (code !== 0) throw new SetupError(`Building the Temporal server failed: ${seen.tail.join(' | ')}`)
    await rename(draft, target)
  } finally {
    clearInterval(progress)
    await rm(draft, { force: true })
  }
}
