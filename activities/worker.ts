/**
 * The worker process. In it runs one thing: the sending of calls to apps, and the looking after their sessions, from the paced queues
 * `app.<slug>`. No workflow runs here: those run in the API process, api/main.ts.
 */
import { loadConfig, loadSecrets } from '../config.ts'
import { followConnectors } from '../core/connectors/follow.ts'
import { connectTemporal } from '../core/temporal/client.ts'
import { createContext } from '../core/context.ts'
import { armFailPoint } from '../core/fail-point.ts'
import { createLogger, quietEngineLogs } from '../core/log.ts'
import { retry, waitingFor } from '../core/retry.ts'
import { startSendWorkers } from './send-worker.ts'

const config = loadConfig()
const log = createLogger(config.logLevel, 'worker')
quietEngineLogs(log)
armFailPoint(config.failPoint)
const { connection, temporal } = await retry(() => connectTemporal(config), waitingFor('engine', log))
const ctx = createContext({ config, secrets: loadSecrets(config.secretsFile), log, temporal })
const connectors = await followConnectors(ctx)
const workers = await retry(() => startSendWorkers(ctx, connection), waitingFor('engine', log))
process.send?.({ ready: true })
log.info({ queues: ctx.apps.all.length, off: [...ctx.apps.broken.keys()] }, 'worker is running')

let stopping = false
const stop = async (): Promise<void> => {
  if (stopping) return
  stopping = true
  await workers.stop()
  await connectors.stop()
  await ctx.db.end()
  await connection.close()
  process.disconnect?.()
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
