/**
 * The worker process: sends calls to apps and checks their sessions, from the paced queues
 * `app.<slug>`. Workflows run in the API process, server/main.ts.
 */
import { endExchangeThreads } from '../connectors/runtime/threads/exchange-threads.ts'
import { loadConfig, loadSecrets } from '../config.ts'
import { openAdminDoor } from '../core/admin-port/door.ts'
import { followConnectors } from '../core/connectors/follow.ts'
import { connectTemporal } from '../core/temporal/client.ts'
import { createContext } from '../core/context.ts'
import { armFailPoint } from '../core/fail-point.ts'
import { collectGarbage } from '../core/garbage.ts'
import { createLogger, setUpEngineSdk } from '../core/log.ts'
import { retry, waitingFor } from '../core/retry.ts'
import { startTracing } from '../core/tracing.ts'
import { watchEngine } from '../core/temporal/health.ts'
import { workerStatus } from './admin-port.ts'
import { createWorkerMetrics } from './metrics.ts'
import { startSendWorkers } from './send-worker.ts'

const config = loadConfig()
const log = createLogger(config.logLevel, 'worker')
setUpEngineSdk(log, config)
armFailPoint(config.failPoint)
const tracing = await startTracing(config, 'worker', log)
const { host, workerAdminPort } = config
const door = workerAdminPort === null ? undefined : await openAdminDoor({ host, adminPort: workerAdminPort })
const patience = setInterval(() => log.warn('not ready: waiting for the engine, or the database'), 5_000)
const { connection, temporal } = await retry(() => connectTemporal(config), waitingFor('engine', log))
if (door) door.found.engine = true
const ctx = createContext({ config, secrets: loadSecrets(config.secretsFile), log, temporal })
const metrics = createWorkerMetrics(ctx)
const connectors = await followConnectors(ctx)
const workers = await retry(() => startSendWorkers(ctx, connection, metrics), waitingFor('engine', log))
const unwatch = watchEngine(ctx)
const leaving = new AbortController()
door?.open(workerStatus(ctx, metrics.registry, leaving.signal))
clearInterval(patience)
collectGarbage()
process.send?.({ ready: true })
log.info({ queues: ctx.apps.all.length, off: [...ctx.apps.broken.keys()], admin: door?.url }, 'worker is running')

const stop = async (): Promise<void> => {
  if (leaving.signal.aborted) return
  leaving.abort()
  await workers.stop()
  await connectors.stop()
  endExchangeThreads()
  unwatch()
  door?.server.close()
  door?.server.closeAllConnections()
  await ctx.security.flush()
  await ctx.db.end()
  await connection.close()
  await tracing.stop()
  process.disconnect?.()
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
