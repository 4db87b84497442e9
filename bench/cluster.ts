import { execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { accepts, clusterPorts, clusterPrograms, clusterSettings } from '../local-services/cluster.ts'
import { startPostgres } from '../local-services/postgres.ts'
import { launch, loggedTo } from '../local-services/service.ts'
import type { Running } from '../local-services/service.ts'
import { ensureTemporal } from '../local-services/temporal.ts'
import { searchAttributes } from '../local-services/settings.ts'

const root = path.join(import.meta.dirname, '..')
const password = 'only-on-this-machine'

/** A Temporal server with its own Postgres, as in docker-compose.yml but without TLS. */
export interface Cluster {
  readonly address: string
  /** Process ids by name. */
  readonly pids: Readonly<Record<string, () => number>>
  /** SIGKILL for both, then a restart. */
  again(): Promise<void>
  stop(): Promise<void>
}

export async function startCluster(env: NodeJS.ProcessEnv): Promise<Cluster> {
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-cluster-'))
  // Postgres may run as another user, who needs access.
  await chmod(dir, 0o711)
  const log = (line: string): void => console.error(line)
  const { frontend, server: ports, others } = await clusterPorts(['database'])
  const programs = await clusterPrograms(env, log)
  await symlink(programs.sqlTool, path.join(dir, 'temporal-sql-tool'))
  await symlink((await ensureTemporal({ env, log })).path, path.join(dir, 'temporal'))
  const address = `127.0.0.1:${frontend}`
  const port = String(others.database)
  const passwordFile = path.join(dir, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  const own = { PATH: `${dir}:/usr/bin:/bin`, HOME: dir }

  const runDatabase = () =>
    startPostgres({
      dir,
      env,
      log,
      logFile: path.join(dir, 'postgres.log'),
      tcp: { port: others.database, password },
    })
  const logFile = path.join(dir, 'temporal.log')
  const serverEnv = {
    ...own,
    ...ports,
    ...clusterSettings,
    POSTGRES_SEEDS: '127.0.0.1',
    DB_PORT: port,
    POSTGRES_USER: 'callgate',
    POSTGRES_PWD: password,
    BIND_ON_IP: '127.0.0.1',
    DYNAMIC_CONFIG_FILE_PATH: path.join(root, 'engine/dynamic-config.yaml'),
  }
  const runServer = (): Promise<Running> =>
    launch({
      name: 'temporal',
      logFile,
      prepare: async () => undefined,
      spawn: () => loggedTo(logFile, (base) => spawn(programs.server, ['start'], { ...base, env: serverEnv })),
      ready: async (_child, signal) => {
        while (!signal.aborted && !(await accepts(frontend))) await pause(100)
      },
      stalledAfterMs: 120_000,
      stopSignal: 'SIGTERM',
      stopWithinMs: 30_000,
    })
  const runJob = async (script: string, settings: NodeJS.ProcessEnv): Promise<void> =>
    void (await promisify(execFile)('/bin/sh', [path.join(root, 'deploy/temporal', script)], {
      env: { ...own, ...settings },
    }))

  let postgres = await runDatabase()
  let server: Running | undefined
  const stop = async (): Promise<void> => {
    await server?.kill()
    await postgres.kill()
    for (const gone of [postgres.cluster.dataDir, postgres.cluster.socketDir, dir])
      await rm(gone, { recursive: true, force: true })
  }
  try {
    await runJob('schema.sh', {
      SQL_PLUGIN: 'postgres12_pgx',
      SQL_HOST: '127.0.0.1',
      SQL_PORT: port,
      SQL_USER: 'callgate',
      SQL_PASSWORD_FILE: passwordFile,
    })
    server = await runServer()
    await runJob('namespace.sh', {
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: 'default',
      RETENTION: '30d',
      SEARCH_ATTRIBUTES: searchAttributes.join(' '),
    })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    address,
    pids: { temporal: () => server?.pid ?? Number.NaN, 'its postgres': () => postgres.pid },
    async again() {
      await Promise.all([server?.kill(), postgres.kill()])
      postgres = await runDatabase()
      server = await runServer()
    },
    stop,
  }
}
