import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectTemporal } from '../../../core/temporal/client.ts'
import { loadConfig } from '../../../config.ts'
import { freePort, startTemporal } from '../../../local-services/dev-server.ts'
import { startPostgres } from '../../../local-services/postgres.ts'
import { launch } from '../../../local-services/service.ts'
import type { Running } from '../../../local-services/service.ts'
import { ensureTemporal } from '../../../local-services/temporal.ts'
import { makeFolders } from '../../supervisor/folders.ts'
import { nodeService } from '../../supervisor/node-service.ts'
import { makeSecrets } from '../../supervisor/secrets.ts'

export type Place = 'api-1' | 'api-2' | 'worker-1' | 'worker-2'

/** Database, Temporal, sandbox, and slots for two API processes and two workers of any release. */
export async function openSite() {
  const dir = mkdtempSync(join(tmpdir(), 'callgate-upgrade-'))
  // Postgres may run as another user, who needs access.
  chmodSync(dir, 0o711)
  const { logs } = makeFolders(dir)
  const { env } = process
  const log = (): void => undefined
  const { path: binary } = await ensureTemporal({ env, log })
  const [postgres, temporal] = await Promise.all([
    startPostgres({ dir, env, log, logFile: join(logs, 'postgres.log') }),
    startTemporal({ binary, dbFile: join(dir, 'temporal.db'), logFile: join(logs, 'temporal.log'), env }),
  ])
  const secretsFile = join(dir, 'secrets.json')
  makeSecrets(secretsFile)
  const sandboxPort = await freePort()
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`
  const settings = {
    PATH: env['PATH'],
    HOME: env['HOME'],
    TMPDIR: env['TMPDIR'],
    DATABASE_URL: postgres.databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    // The same host as in the accounts' cookies.
    SANDBOX_URL: `http://localhost:${sandboxPort}`,
    SANDBOX_PORT: String(sandboxPort),
    CALLGATE_DIR: dir,
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '2',
  }
  const pair = async (): Promise<readonly [number, number]> => [await freePort(), await freePort()]
  const ports = { 'api-1': await pair(), 'api-2': await pair() }
  const running = new Map<Place | 'sandbox', Running>()
  running.set(
    'sandbox',
    await launch(
      nodeService({ name: 'sandbox', script: 'sandbox/main.ts', env: settings, logs, stopWithinMs: 10_000 }),
    ),
  )
  const engine = await connectTemporal(loadConfig(settings))

  /** URLs of the API processes that are ready, kept up to date as a load balancer does. */
  const ready: string[] = []
  const over = new AbortController()
  // Slow processes on a busy machine still serve: only a refusal or a long silence removes one.
  const look = async ([port, adminPort]: readonly [number, number]): Promise<void> => {
    const url = `http://127.0.0.1:${port}`
    while (!over.signal.aborted) {
      const answer = await fetch(`http://127.0.0.1:${adminPort}/readyz`, {
        signal: AbortSignal.timeout(10_000),
      }).catch(() => undefined)
      const at = ready.indexOf(url)
      if (answer?.ok === true && at < 0) ready.push(url)
      if (answer?.ok !== true && at >= 0) ready.splice(at, 1)
      await pause(100)
    }
  }
  const looking = Promise.all(Object.values(ports).map(look))

  return {
    dir,
    databaseUrl: postgres.databaseUrl,
    secretsFile,
    sandboxUrl,
    ready,
    temporal: engine.temporal,
    /** Stops the slot's process gracefully, then starts the release there. */
    async replace(place: Place, release: { readonly name: string; readonly root: string }): Promise<void> {
      await running.get(place)?.stop()
      const isApi = place === 'api-1' || place === 'api-2'
      const [port, adminPort] = isApi ? ports[place] : [0, 0]
      const own = { PORT: String(port), ADMIN_PORT: String(adminPort), CALLGATE_RELEASE: release.name }
      const script = isApi ? 'server/main.ts' : 'activities/worker.ts'
      const service = {
        name: place,
        script,
        env: { ...settings, ...own },
        logs,
        stopWithinMs: 100_000,
        root: release.root,
      }
      running.set(place, await launch(nodeService(service)))
      const url = `http://127.0.0.1:${port}`
      if (!isApi) return
      while (!ready.includes(url)) await pause(50)
    },
    async close(keep: boolean): Promise<void> {
      over.abort()
      await looking
      for (const process of [...running.values()].toReversed()) await process.stop()
      await engine.connection.close()
      await Promise.all([postgres.kill(), temporal.kill()])
      const { dataDir, socketDir } = postgres.cluster
      if (!keep) for (const path of [dataDir, socketDir, dir]) await rm(path, { recursive: true, force: true })
    },
  }
}

export type Site = Awaited<ReturnType<typeof openSite>>
