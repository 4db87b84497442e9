import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { Client } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { lanes } from '../measure.ts'
import type { Timed } from '../measure.ts'
import type { BareRequest } from './activities.ts'

/** A command from the benchmark; the answer carries the same id. */
export type BareCommand = { readonly id: number } & (
  | { readonly kind: 'run'; readonly clients: number; readonly requests: readonly BareRequest[] }
  | { readonly kind: 'wait'; readonly clients: number; readonly requests: readonly BareRequest[] }
  | { readonly kind: 'signal'; readonly workflowIds: readonly string[] }
)

export interface BareAnswer {
  readonly id: number
  readonly timed: Timed
  /** Workflows that wait now. */
  readonly workflowIds: readonly string[]
}

/** The baseline's API process: client and workflow worker on one connection, for eager starts. */
const [address] = process.argv.slice(2)
Runtime.install({ logger: new DefaultLogger('ERROR') })
const connection = await NativeConnection.connect({ ...(address !== undefined && { address }) })
const worker = await Worker.create({
  connection,
  taskQueue: 'bare',
  workflowsPath: path.join(import.meta.dirname, 'workflows.ts'),
  maxCachedWorkflows: 500,
  stickyQueueScheduleToStartTimeout: '1s',
})
const client = new Client({ connection })
const running = worker.run()

process.on('message', (command: BareCommand) => {
  void answer(command).then((result) => process.send?.({ id: command.id, ...result }))
})
// A signal to the process group has already begun the shutdown.
process.on('disconnect', () => {
  if (worker.getState() === 'RUNNING') worker.shutdown()
})
process.send?.({ ready: true })
await running
await connection.close()

async function answer(command: BareCommand): Promise<Omit<BareAnswer, 'id'>> {
  const workflowIds: string[] = []
  const start = (workflow: string, request: BareRequest) => {
    const workflowId = `${workflow}-${randomUUID()}`
    workflowIds.push(workflowId)
    return client.workflow.start(workflow, {
      workflowId,
      taskQueue: 'bare',
      args: [request],
      requestEagerStart: true,
      workflowTaskTimeout: '5s',
    })
  }
  if (command.kind === 'run') {
    const run = async (request: BareRequest) => void (await (await start('bare', request)).result())
    return { timed: await lanes(command.clients, command.requests, run), workflowIds: [] }
  }
  if (command.kind === 'wait') {
    const timed = await lanes(command.clients, command.requests, (request) => start('bareWaiting', request))
    return { timed, workflowIds }
  }
  const tell = async (workflowId: string) => {
    const handle = client.workflow.getHandle(workflowId)
    await handle.signal('go')
    await handle.result()
  }
  return { timed: await lanes(1, command.workflowIds, tell), workflowIds: [] }
}
