import { setTimeout as sleep } from 'node:timers/promises'
import { connectEngine } from '../activities/connection.ts'
import { createContext } from '../activities/context.ts'
import { isConnectionError } from '../activities/db/failures.ts'
import { migrate } from '../activities/db/pool.ts'
import { watchEngine } from '../activities/engine.ts'
import { createLogger, quietEngineLogs } from '../activities/log.ts'
import { startSweeper } from '../activities/sweep.ts'
import { loadConfig, loadSecrets } from '../config.ts'
import { startApi } from './server.ts'
import { startWorkflowWorker } from './workflow-worker.ts'

/** The API process: HTTP, the workflows, and the sweeper. Database and engine may come up later than it does. */
const config = loadConfig()
const secrets = loadSecrets(config.secretsFile)
const log = createLogger(config.logLevel, 'api')
quietEngineLogs(log)

const [{ connection, temporal }] = await Promise.all([
  patiently(
    'engine',
    () => connectEngine(config),
    () => true,
  ),
  patiently('database', () => migrate(config.databaseUrl), isConnectionError),
])
const ctx = createContext({ config, secrets, log, temporal })
const worker = await patiently(
  'engine',
  () => startWorkflowWorker(ctx, connection),
  () => true,
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

/** Repeats until it works; an error that waiting does not cure ends the process. */
async function patiently<T>(what: string, work: () => Promise<T>, curable: (error: unknown) => boolean): Promise<T> {
  for (let pause = 100; ; pause = Math.min(pause * 2, 1_000)) {
    try {
      return await work()
    } catch (error) {
      if (!curable(error)) throw error
      log.warn({ err: error }, `waiting for the ${what}`)
      await sleep(pause)
    }
  }
}
