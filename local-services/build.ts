import { fileURLToPath } from 'node:url'
import { goBuild } from './go-build.ts'
import { minimumServer } from './settings.ts'
import { downloadVersion } from './download.ts'
import { SetupError } from './setup-error.ts'

/** Builds the `temporal` binary pinned by engine/go.mod; takes minutes. SetupError without Go. */
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
        `or put the temporal program ${downloadVersion} or later on PATH, or set TEMPORAL_ADDRESS to a server of yours`,
    )
  }
  log('building the Temporal server from its Go modules: about three minutes, once on this machine')
  await goBuild({
    what: 'the Temporal server',
    go,
    folder: fileURLToPath(new URL('../engine', import.meta.url)),
    packages: ['github.com/temporalio/cli/cmd/temporal'],
    target,
    env,
    log,
    signal,
  })
}
