import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { Job, Said, ThreadData } from './thread.ts'

/** So much of the ordinary memory of a thread, beside that of the isolates. */
const heapMegabytes = 256

/** A thread for isolates, seen from outside. It keeps no process from ending. */
export class IsolateThread {
  readonly port: MessagePort
  readonly #worker: Worker
  readonly #turns: ThreadData['turns']

  constructor() {
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    this.#turns = new Int32Array(new SharedArrayBuffer(8))
    this.#worker = new Worker(new URL('thread.ts', import.meta.url), {
      name: 'isolates',
      workerData: { port: port2, turns: this.#turns } satisfies ThreadData,
      transferList: [port2],
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    })
    // What ends it is seen by what it does not say.
    this.#worker.on('error', () => this.end())
    this.#worker.unref()
    port1.unref()
  }

  give(job: Job): void {
    const { port } = this
    port.postMessage(job)
  }

  /** What it waits for, while it stands still. */
  tell(text: string): void {
    const { port } = this
    port.postMessage({ text })
    Atomics.add(this.#turns, 1, 1)
    Atomics.notify(this.#turns, 1)
  }

  /** What it says next, waited for on the spot; undefined: nothing until then (by `performance.now`). */
  heard(deadline: number): Said | undefined {
    for (;;) {
      const turn = Atomics.load(this.#turns, 0)
      const received: { readonly message: Said } | undefined = receiveMessageOnPort(this.port)
      if (received !== undefined) return received.message
      const left = deadline - performance.now()
      if (left <= 0 || Atomics.wait(this.#turns, 0, turn, left) === 'timed-out') return undefined
    }
  }

  /** The first of these that it says; undefined: it ended, or took longer. */
  said(kinds: readonly Said['kind'][], timeoutMs: number): Promise<Said | undefined> {
    const { promise, resolve } = Promise.withResolvers<Said | undefined>()
    const timer = setTimeout(resolve, timeoutMs)
    this.port.on('message', (said: Said) => kinds.includes(said.kind) && resolve(said))
    this.#worker.once('exit', () => resolve(undefined))
    return promise.finally(() => clearTimeout(timer))
  }

  end(): void {
    void this.#worker.terminate()
    this.port.close()
  }
}
