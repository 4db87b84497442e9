import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Timed } from '../measure.ts'
import type { BareRequest } from './activities.ts'
import type { BareAnswer, BareCommand } from './engine.ts'

type Command = BareCommand extends infer C ? (C extends BareCommand ? Omit<C, 'id'> : never) : never

/** The baseline: bare Temporal in two processes, laid out like Callgate's. */
export interface Bare {
  readonly enginePid: number
  readonly workerPid: number
  run(clients: number, requests: readonly BareRequest[]): Promise<Timed>
  /** Starts workflows that wait for a signal; returns their ids. */
  wait(clients: number, requests: readonly BareRequest[]): Promise<readonly string[]>
  /** One after another: signal, then the result. */
  signal(workflowIds: readonly string[]): Promise<Timed>
  stop(): Promise<void>
}

export async function startBare(address: string): Promise<Bare> {
  const [engine, worker] = await Promise.all([startChild('engine.ts', address), startChild('worker.ts', address)])
  let last = 0
  const ask = async (command: Command): Promise<BareAnswer> => {
    const id = ++last
    const { promise, resolve, reject } = Promise.withResolvers<BareAnswer>()
    const heard = (answer: BareAnswer): void => {
      if (answer.id === id) resolve(answer)
    }
    const died = (): void => reject(new Error('a process of the baseline ended'))
    engine.on('message', heard).once('exit', died)
    engine.send({ id, ...command })
    return promise.finally(() => engine.off('message', heard).off('exit', died))
  }
  return {
    enginePid: pidOf(engine),
    workerPid: pidOf(worker),
    run: async (clients, requests) => (await ask({ kind: 'run', clients, requests })).timed,
    wait: async (clients, requests) => (await ask({ kind: 'wait', clients, requests })).workflowIds,
    signal: async (workflowIds) => (await ask({ kind: 'signal', workflowIds })).timed,
    stop: async () => void (await Promise.all([endChild(engine), endChild(worker)])),
  }
}

async function startChild(script: string, address: string): Promise<ChildProcess> {
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const
  const child = fork(path.join(import.meta.dirname, script), [address], { stdio: [...stdio] })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the baseline's ${script} ended before it was ready`)
  })
  await Promise.race([once(child, 'message'), ended])
  // Once it is ready, only the benchmark ends it.
  ended.catch(() => undefined)
  return child
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('a child has no pid')
  return pid
}
