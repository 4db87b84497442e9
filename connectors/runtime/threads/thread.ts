import { setImmediate as turn } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import type { App } from '../app.ts'
import type { HttpLimits, HttpRequest, HttpResult } from '../http.ts'
import { Stopped } from '../outcome.ts'
import { LoadedCode } from './code.ts'
import { jobs } from './jobs.ts'
import type { Around } from './jobs.ts'
import { crossing } from './crossing.ts'
import type { Fault, Said, StartStep, Step } from './messages.ts'
import { nameOf } from './source.ts'

/** An exchange thread. The main thread limits each step until `idle`, and may terminate it. */

/** A job that has begun on this thread. */
interface Running {
  readonly code: LoadedCode | undefined
  readonly waiting: Map<number, (result: HttpResult) => void>
  isDone: boolean
}

/** An Error: why it failed to load. */
const known = new Map<string, LoadedCode | Error>()
const running = new Map<number, Running>()
const port = parentPort
if (port === null) throw new Error('this is the code of a thread')

function say(message: Said): void {
  port?.postMessage(message)
}

async function take(step: Step): Promise<void> {
  switch (step.kind) {
    case 'know':
      known.set(nameOf(step.source), await LoadedCode.of(step.source).catch(asError))
      break
    case 'start':
      await begin(step)
      break
    case 'answer': {
      const job = running.get(step.id)
      await job?.code?.ready()
      const told = job?.waiting.get(step.ask)
      job?.waiting.delete(step.ask)
      told?.(step.result)
      await settled(job)
      break
    }
    case 'forget':
      if (step.id !== undefined) running.delete(step.id)
      if (step.source !== undefined) known.delete(step.source)
      return
  }
  say({ kind: 'idle', cpuMs: cpuMs() })
}

async function begin(step: StartStep): Promise<void> {
  const { id, job, source, given } = step
  const code = source === null ? undefined : known.get(source)
  if (code instanceof Error) return say({ kind: 'failed', id, fault: faultOf(code) })
  const one: Running = { code, waiting: new Map(), isDone: false }
  running.set(id, one)
  await code?.ready()
  const run = jobs[job] as (around: Around, given: unknown) => unknown
  const around: Around = { app: () => appOf(code), send: sender(id, one) }
  void begun(() => run(around, given)).then(
    (result) => end(id, one, { kind: 'done', id, result }),
    (error: unknown) => end(id, one, { kind: 'failed', id, fault: faultOf(error) }),
  )
  await settled(one)
}

async function begun(job: () => unknown): Promise<unknown> {
  return job()
}

function appOf(code: LoadedCode | undefined): App {
  if (code === undefined) throw new Error('the job has no app')
  return code.app
}

function end(id: number, job: Running, message: Said): void {
  job.isDone = true
  running.delete(id)
  try {
    say(message)
  } catch (error) {
    // Not serializable, for example nested too deeply.
    say({ kind: 'failed', id, fault: faultOf(error) })
  }
}

/** Resolves when the job waits for the network or has ended. */
async function settled(job: Running | undefined): Promise<void> {
  for (;;) {
    await turn()
    if (job === undefined || job.isDone || job.waiting.size > 0) return
  }
}

/** A job's `send`: the main thread does the sending. */
function sender(id: number, { waiting }: Running): Around['send'] {
  const budgets = new Map<AbortSignal, number>()
  let asks = 0
  return (request: HttpRequest, limits: HttpLimits) => {
    const ask = ++asks
    const number = budgets.get(limits.signal) ?? budgets.size
    budgets.set(limits.signal, number)
    const { promise, resolve } = Promise.withResolvers<HttpResult>()
    waiting.set(ask, resolve)
    say({
      ...{ kind: 'ask', id, ask, request: crossing(request), maxBytes: limits.maxBytes },
      isFenced: limits.fence !== undefined,
      isKept: limits.keptFor !== undefined,
      budget: { number, ms: limits.ms },
    })
    return promise
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function faultOf(error: unknown): Fault {
  const { name, message, stack } = asError(error)
  return { name, message, stack, ...(error instanceof Stopped && { outcome: error.outcome }) }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

port.on('message', (step: Step) => void take(step))
say({ kind: 'ready', cpuMs: cpuMs() })
