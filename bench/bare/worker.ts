import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { bareActivities } from './activities.ts'

/** The baseline's worker process: activities only, polling as Callgate's do. */
const [address] = process.argv.slice(2)
Runtime.install({ logger: new DefaultLogger('ERROR') })
const connection = await NativeConnection.connect({ ...(address !== undefined && { address }) })
const worker = await Worker.create({
  connection,
  taskQueue: 'bare.app',
  activities: bareActivities(),
  maxConcurrentActivityTaskExecutions: 100,
  activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 2, maximum: 10 },
})
// A signal to the process group has already begun the shutdown.
process.on('disconnect', () => {
  if (worker.getState() === 'RUNNING') worker.shutdown()
})
process.send?.({ ready: true })
await worker.run()
await connection.close()
