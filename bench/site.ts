import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { migrate } from '../core/database/migrate.ts'
import { freePort, startTemporal } from '../local-services/dev-server.ts'
import { startPostgres } from '../local-services/postgres.ts'
import { launch } from '../local-services/service.ts'
import type { Running } from '../local-services/service.ts'
import { ensureTemporal } from '../local-services/temporal.ts'
import { nodeService } from '../scripts/supervisor/node-service.ts'
import { makeSecrets } from '../scripts/supervisor/secrets.ts'
import { collectGarbage } from './collect.ts'
import { cpuOf, mainCpuOf, memoryOf, withChildren } from './measure.ts'

export interface LoopDelay {
  readonly p99: number
  readonly longest: number
}

/** A Callgate as `npm start` runs it, in a temporary folder. */
export interface Site {
  readonly databaseUrl: string
  readonly temporalAddress: string
  readonly sandboxUrl: string
  readonly publicUrl: string
  readonly secretsFile: string
  /** By process: CPU time so far, in ms. */
  cpu(): Record<string, number>
  /** CPU time of the main threads of API and worker. */
  mainCpu(): Record<string, number>
  /** Event loop delay of API and worker since the last call, in ms. Idle: 10, the resolution. */
  loopDelay(): Promise<Record<string, LoopDelay>>
  /** By process: MB. */
  memory(): Record<string, number>
  /** MB of the API process after garbage collection: the memory in use. */
  memoryOfApi(): Promise<number>
  /** SIGKILL. */
  killApi(): Promise<void>
  /** Resolves when it is ready. */
  startApi(): Promise<void>
  /** Another migrated database on the same server, which no Callgate process uses. */
  anotherDatabase(name: string): Promise<string>
  stop(): Promise<void>
}

/** Too high to limit the measurements; the rate limits stay on. */
export const rates = { app: 2_000, account: 100 }

export async function startSite(env: NodeJS.ProcessEnv): Promise<Site> {
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-bench-'))
  // Postgres may run as another user, who needs access.
  await chmod(dir, 0o711)
  const logs = path.join(dir, 'logs')
  await mkdir(logs)
  const cleanups: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })]
  const stop = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
  }
  try {
    const log = (line: string): void => console.error(line)
    const { path: binary } = await ensureTemporal({ env, log })
    const [postgres, temporal] = await Promise.all([
      startPostgres({ dir, env, log, logFile: path.join(logs, 'postgres.log') }),
      startTemporal({ binary, dbFile: path.join(dir, 'temporal.db'), logFile: path.join(logs, 'temporal.log'), env }),
    ])
    cleanups.push(
      () => Promise.all([postgres.kill(), temporal.kill()]),
      () => rm(postgres.cluster.dataDir, { recursive: true, force: true }),
    )
    await migrate(postgres.databaseUrl)
    await runSql(
      postgres.databaseUrl,
      `INSERT INTO app_controls (app, app_rate, account_rate) VALUES ('property-advertising', ${rates.app}, ${rates.account})`,
    )

    const secretsFile = path.join(dir, 'secrets.json')
    makeSecrets(secretsFile)
    const [sandboxPort, port, adminPort, workerAdminPort, inspectPort] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ]
    const sandboxUrl = `http://localhost:${sandboxPort}`
    const service = (name: string, script: string) =>
      nodeService({
        name,
        script,
        logs,
        stopWithinMs: 10_000,
        env: {
          PATH: env['PATH'],
          HOME: env['HOME'],
          // For profiles: NODE_OPTIONS=--cpu-prof. The inspector stays closed until SIGUSR1.
          NODE_OPTIONS: `${env['NODE_OPTIONS'] ?? ''} --inspect-port=127.0.0.1:${inspectPort}`,
          DATABASE_URL: postgres.databaseUrl,
          TEMPORAL_ADDRESS: temporal.address,
          SANDBOX_URL: sandboxUrl,
          SANDBOX_PORT: String(sandboxPort),
          PORT: String(port),
          ADMIN_PORT: String(adminPort),
          WORKER_ADMIN_PORT: String(workerAdminPort),
          CALLGATE_DIR: dir,
        },
      })
    const start = async (name: string, script: string): Promise<Running> => {
      const running = await launch(service(name, script))
      cleanups.push(() => running.stop())
      return running
    }
    const sandbox = await start('sandbox', 'sandbox/main.ts')
    let api = await start('api', 'server/main.ts')
    const worker = await start('worker', 'activities/worker.ts')
    const groups = {
      api: () => [api.pid],
      worker: () => [worker.pid],
      postgres: () => withChildren(postgres.pid),
      temporal: () => [temporal.pid],
      sandbox: () => [sandbox.pid],
    }
    return {
      databaseUrl: postgres.databaseUrl,
      temporalAddress: temporal.address,
      sandboxUrl,
      publicUrl: `http://127.0.0.1:${port}`,
      secretsFile,
      cpu: () => cpuOf(groups),
      mainCpu: () => mainCpuOf({ api: groups.api, worker: groups.worker }),
      loopDelay: async () => ({ api: await loopDelayAt(adminPort), worker: await loopDelayAt(workerAdminPort) }),
      memory: () => memoryOf(groups),
      async memoryOfApi() {
        await collectGarbage(api.pid, inspectPort)
        return memoryOf({ api: groups.api })['api'] ?? Number.NaN
      },
      killApi: () => api.kill(),
      async startApi() {
        api = await start('api', 'server/main.ts')
      },
      async anotherDatabase(name) {
        await runSql(postgres.databaseUrl, `CREATE DATABASE ${name}`)
        const url = new URL(postgres.databaseUrl)
        url.pathname = `/${name}`
        await migrate(url.href)
        return url.href
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Reading the metrics resets the histogram. */
async function loopDelayAt(port: number): Promise<LoopDelay> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const ms = (name: string): number =>
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(metrics)?.[1]) * 1_000
  return { p99: ms('p99'), longest: ms('max') }
}

async function runSql(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
