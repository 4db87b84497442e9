import { receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { Replica, faultOf, load } from './engine.ts'
import type { Image } from './engine.ts'
import { hostAnswers } from './host-answers.ts'

/** The thread that isolates run on. Its host may terminate it at any moment. */

/** Messages to the thread. */
export type Job =
  | { readonly kind: 'load'; readonly bundle: string; readonly module: WebAssembly.Module; readonly now: number }
  | { readonly kind: 'know'; readonly id: number; readonly image: Image }
  | { readonly kind: 'forget'; readonly id: number }
  | {
      readonly kind: 'call'
      readonly id: number
      readonly index: number
      readonly packed: string
      readonly now: number
    }

/** Messages from the thread. */
export type Said =
  | { readonly kind: 'ready' }
  | { readonly kind: 'loaded'; readonly told: string; readonly image: Image }
  | { readonly kind: 'answer'; readonly text: string }
  /** The isolate failed as a whole. */
  | { readonly kind: 'failed'; readonly fault: string }
  /** The isolate calls a function of its caller and blocks until the answer: `{ text }`. */
  | { readonly kind: 'asks'; readonly text: string }

/** Message counters: [from the thread, from its host]. Each side waits for the other's. */
export interface ThreadData {
  readonly port: MessagePort
  readonly turns: Int32Array<SharedArrayBuffer>
}

const { port, turns } = workerData as ThreadData
const images = new Map<number, Image>()
/** Instances that are ready for the next call. */
const replicas = new Map<number, Replica>()

function say(message: Said): void {
  port.postMessage(message)
  Atomics.add(turns, 0, 1)
  Atomics.notify(turns, 0)
}

function askCaller(text: string): string {
  const before = Atomics.load(turns, 1)
  say({ kind: 'asks', text })
  Atomics.wait(turns, 1, before)
  const received: { readonly message: { readonly text: string } } | undefined = receiveMessageOnPort(port)
  return received?.message.text ?? '{"error":"TypeError"}'
}

async function done(job: Job): Promise<Said | undefined> {
  try {
    switch (job.kind) {
      case 'know':
        images.set(job.id, job.image)
        replicas.set(job.id, await Replica.of(job.image))
        return undefined
      case 'forget':
        images.delete(job.id)
        replicas.delete(job.id)
        return undefined
      case 'load':
        return { kind: 'loaded', ...(await load(job.bundle, { ...job, ask: hostAnswers({ isLoad: true }) })) }
      case 'call': {
        const image = images.get(job.id)
        if (image === undefined) throw new Error('not loaded')
        const replica = replicas.get(job.id) ?? (await Replica.of(image))
        replicas.delete(job.id)
        const answers = hostAnswers()
        const ask = (what: string, text: string): string =>
          what === 'function' ? askCaller(text) : answers(what, text)
        say({ kind: 'answer', text: replica.call(job.index, job.packed, { now: job.now, ask }) })
        if (replica.reset()) replicas.set(job.id, replica)
        return undefined
      }
    }
  } catch (error) {
    return { kind: 'failed', fault: faultOf(error) }
  }
}

port.on('message', (job: Job) => {
  void done(job).then((said) => said && say(said))
})
say({ kind: 'ready' })
