import { MessageChannel, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { Job, Said, ThreadData } from './thread.ts'

/** Heap limit of a thread, not counting the isolates' own memory. */
const heapMegabytes = 256

/** The host's side of a thread for isolates. It does not keep the process alive. */
export class IsolateThread {
  readonly port: MessagePort
  readonly #worker: Worker
  /** Message counters of both sides. */
  readonly turns: ThreadData['turns']

  constructor() {
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    this.turns = new Int32Array(new SharedArrayBuffer(8))
    this.#worker = new Worker(new URL('thread.ts', import.meta.url), {
      name: 'isolates',
      workerData: { port: port2, turns: this.turns } satisfies ThreadData,
      transferList: [port2],
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    })
    // No error handling here: the caller notices that no answer comes.
    this.#worker.on('error', () => this.end())
    this.#worker.unref()
    port1.unref()
  }

  give(job: Job): void {
    const { port } = this
    port.postMessage(job)
  }

  /** The first message of one of these kinds; undefined: the thread ended, or timeout. */
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
