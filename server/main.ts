/**
 * The API process: HTTP, MCP, the users' pages; the operators' port; workflows and all activities
 * but sends (queues `callgate` and `notices`); the reconciler. Sends run in activities/worker.ts.
 * Postgres and Temporal may start later than this process.
 */
import { followConnectors } from '../core/connectors/follow.ts'
import { connectTemporal } from '../core/temporal/client.ts'
import { createContext } from '../core/context.ts'
import { isConnectionError } from '../core/database/failures.ts'
import { migrate } from '../core/database/migrate.ts'
import { joinReleases } from '../core/temporal/releases.ts'
import { addSearchAttributes } from '../core/temporal/search-attributes.ts'
import { watchEngine } from '../core/temporal/health.ts'
import { armFailPoint } from '../core/fail-point.ts'
import { collectGarbage } from '../core/garbage.ts'
import { createLogger, setUpEngineSdk } from '../core/log.ts'
import { retry, waitingFor } from '../core/retry.ts'
import { sleep } from '../core/sleep.ts'
import { startTracing } from '../core/tracing.ts'
import { startSweeper } from '../core/sweep/sweep.ts'
import { endExchangeThreads } from '../connectors/runtime/threads/exchange-threads.ts'
import { loadConfig, loadSecrets } from '../config.ts'
import { openAdminDoor } from '../core/admin-port/door.ts'
import { clientPackages } from '../core/http/client-packages.ts'
import { openFrontDoor } from '../api/http/front-door.ts'
import { startApi } from './server.ts'
import { workflowBundle } from './workflow-bundle.ts'
import { startWorkflowWorker } from './workflow-worker.ts'

const config = loadConfig()
const secrets = loadSecrets(config.secretsFile)
const log = createLogger(config.logLevel, 'api')
setUpEngineSdk(log, config)
armFailPoint(config.failPoint)
const tracing = await startTracing(config, 'api', log)

const [door, front] = await Promise.all([
  openAdminDoor(config),
  config.listenWhenReady ? undefined : openFrontDoor(config),
])
// Postgres or Temporal may hang for minutes without refusing.
const { found } = door
log.info({ url: front?.url, admin: door.url }, 'listening; waiting for the database and the engine')
const patience = setInterval(() => {
  if (found.database && found.engine) log.info({ ...found }, 'not ready: still starting')
  else log.warn({ ...found }, 'not ready: waiting for what is false here')
}, 5_000)
const [{ connection, temporal }] = await Promise.all([
  retry(() => connectTemporal(config), waitingFor('engine', log)).then((connected) => {
    found.engine = true
    return connected
  }),
  retry(() => migrate(config.databaseUrl), waitingFor('database', log, isConnectionError)).then(() => {
    found.database = true
  }),
])
// Before any run uses them: the previous release may have registered fewer.
await retry(() => addSearchAttributes(connection, config.temporalNamespace), waitingFor('search attributes', log))
const ctx = createContext({ config, secrets, log, temporal })
const connectors = await followConnectors(ctx)
const worker = await retry(
  async () => startWorkflowWorker(ctx, connection, await workflowBundle(config.dir)),
  waitingFor('engine', log),
)
const unwatch = watchEngine(ctx)
const over = new AbortController()
void joinReleases(ctx, over.signal)
const sweeper = startSweeper(ctx)
const api = await startApi(ctx, { ...config, door, ...(front && { front }) })
clearInterval(patience)
collectGarbage()
log.info({ url: api.url, admin: api.adminUrl }, 'api is running')
process.send?.({ ready: true })
clientPackages(config.dir).catch((error: unknown) => log.error({ err: error }, 'the client packages could not be made'))

let stopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())

/**
 * Fails /readyz first, so that load balancers stop sending here. Running tasks finish before the
 * port closes: without another process, clients would get no answer for those seconds.
 */
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  over.abort()
  api.leave()
  await sleep(config.drainSeconds * 1_000)
  await worker.stop()
  await api.close()
  await sweeper.stop()
  await connectors.stop()
  endExchangeThreads()
  unwatch()
  await ctx.db.end()
  await connection.close()
  await tracing.stop()
  process.disconnect?.()
}
