import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client, Connection } from '@temporalio/client'
import pino from 'pino'
import { inject } from 'vitest'
import { openPool } from '../../core/database/pool.ts'
import type { Pool } from '../../core/database/pool.ts'
import type { FailPoint } from '../../core/fail-point.ts'
import { loadSecrets } from '../../config.ts'
import type { Secrets } from '../../config.ts'
import type { Running } from '../../local-services/service.ts'
import { makeSecrets } from '../../scripts/supervisor/secrets.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { freePort } from '../../local-services/dev-server.ts'
import { createDatabase } from '../harness.ts'
import { apiService, secretsFile, startProcess, workerService } from '../support/processes.ts'
import type { Site } from '../support/processes.ts'
import { SandboxControl } from '../support/sandbox.ts'
import { makeUser } from '../support/user.ts'
import type { TestUser, UserOptions } from '../support/user.ts'

/** One Callgate whose processes are real ones, started and killed by the test. The apps stay up: they are the witness. */
export interface Gateway {
  readonly site: Site
  readonly db: Pool
  readonly secrets: Secrets
  readonly temporal: Client
  readonly sandbox: SandboxControl
  /** Where the first API process serves; it comes back there. */
  readonly publicUrl: string
  /** The same for operators. */
  readonly adminUrl: string
  startApi(failPoint?: FailPoint): Promise<Running>
  startWorker(failPoint?: FailPoint): Promise<Running>
  /** A further API process at the same time; its `http://…`. */
  anotherApi(): Promise<string>
  user(options?: UserOptions): Promise<TestUser>
  /** Ends every process that was started. */
  killAll(): Promise<void>
  stop(): Promise<void>
}

export interface Foundations {
  readonly databaseUrl: string
  readonly temporalAddress: string
  readonly temporalNamespace: string
  readonly drop: () => Promise<void>
}

async function shared(): Promise<Foundations> {
  const { url, namespace, drop } = await createDatabase()
  return { databaseUrl: url, temporalAddress: inject('temporalAddress'), temporalNamespace: namespace, drop }
}

export async function startGateway(
  options: { readonly foundations?: Foundations; readonly sandboxUrl?: string; readonly logLevel?: string } = {},
): Promise<Gateway> {
  const { drop, ...servers } = options.foundations ?? (await shared())
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-fire-'))
  const apps =
    options.sandboxUrl === undefined
      ? await startSandbox({ port: 0, host: '127.0.0.1', dataDir: path.join(dir, 'sandbox') })
      : undefined
  const sandboxUrl = options.sandboxUrl ?? `http://localhost:${apps?.port}`
  const [port, adminPort] = [await freePort(), await freePort()]
  const publicUrl = `http://127.0.0.1:${port}`
  const logLevel = options.logLevel ?? process.env['TEST_LOG_LEVEL'] ?? 'warn'
  const site: Site = { dir, ...servers, sandboxUrl, publicUrl, logLevel }
  makeSecrets(secretsFile(site))
  const secrets = loadSecrets(secretsFile(site))
  const db = openPool(site.databaseUrl, pino({ level: 'silent' }), 5)
  const connection = await Connection.connect({ address: site.temporalAddress })
  const temporal = new Client({ connection, namespace: site.temporalNamespace })
  const sandbox = new SandboxControl(sandboxUrl, 'property-advertising')
  const children = new Set<Running>()

  const start = async (service: Parameters<typeof startProcess>[0]): Promise<Running> => {
    const child = await startProcess(service)
    children.add(child)
    void child.exited.then(() => children.delete(child))
    return child
  }
  const killAll = async (): Promise<void> => {
    await Promise.all([...children].map((child) => child.kill()))
  }
  const armed = (failPoint: FailPoint | undefined): Record<string, string> =>
    failPoint === undefined ? {} : { NODE_ENV: 'test', CALLGATE_FAIL_POINT: failPoint }
  return {
    site,
    db,
    secrets,
    temporal,
    sandbox,
    publicUrl,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    startApi: (failPoint) => start(apiService(site, { port, adminPort, env: armed(failPoint) })),
    startWorker: (failPoint) => start(workerService(site, { env: armed(failPoint) })),
    async anotherApi() {
      const other = await freePort()
      await start(apiService(site, { port: other, adminPort: 0, name: `api-${other}` }))
      return `http://127.0.0.1:${other}`
    },
    user: (wanted) => makeUser({ ctx: { db, secrets }, publicUrl, sandbox }, wanted),
    killAll,
    async stop() {
      await killAll()
      await db.end()
      await connection.close()
      await apps?.close()
      await drop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
