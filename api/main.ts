/**
 * The API process. In it run: HTTP, MCP and the pages for people; the port for operators; the workflows, and the activities that are not sends
 * (queues `callgate` and `notices`); the sweeper. Sending is the worker process's, activities/worker.ts. Database and engine may come up later
 * than it does.
 */
import { connectTemporal } from '../core/temporal/client.ts'
import { createContext } from '../core/context.ts'
import { isConnectionError } from '../core/database/failures.ts'
import { migrate } from '../core/database/pool.ts'
import { watchEngine } from '../core/temporal/health.ts'
import { armFailPoint } from '../core/fail-point.ts'
import { createLogger, quietEngineLogs } from '../core/log.ts'
import { retry, waitingFor } from '../core/retry.ts'
import { startSweeper } from '../core/sweep/sweep.ts'
import { loadConfig, loadSecrets } from '../config.ts'
import { startApi } from './server.ts'
import { workflowBundle } from './workflow-bundle.ts'
import { startWorkflowWorker } from './workflow-worker.ts'

const config = loadConfig()
const secrets = loadSecrets(config.secretsFile)
const log = createLogger(config.logLevel, 'api')
quietEngineLogs(log)
armFailPoint(config.failPoint)

const [{ connection, temporal }] = await Promise.all([
  retry(() => connectTemporal(config), waitingFor('engine', log)),
  retry(() => migrate(config.databaseUrl), waitingFor('database', log, isConnectionError)),
])
const ctx = createContext({ config, secrets, log, temporal })
const worker = await retry(
  async () => startWorkflowWorker(ctx, connection, await workflowBundle(config.dir)),
  waitingFor('engine', log),
)
const unwatch = watchEngine(ctx)
const sweeper = startSweeper(ctx)
const api = await startApi(ctx, config)
log.info({ url: api.url, admin: api.adminUrl }, 'api is running')
process.send?.({ ready: true })

let stopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())

/** In the order of what needs what. */
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  await api.close()
  await worker.stop()
  await sweeper.stop()
  unwatch()
  await ctx.db.end()
  await connection.close()
  process.disconnect?.()
}
