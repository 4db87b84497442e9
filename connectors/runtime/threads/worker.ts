import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Said, Step } from './messages.ts'

/** Heap limit of a thread, not counting its isolates' memory. */
const heapMegabytes = 256

interface Hears {
  readonly said: (said: Said) => void
  /** Called when the thread ends other than by `end`. */
  readonly gone: () => void
}

/** The main thread's side of an exchange thread. It does not keep the process alive. */
export class ExchangeWorker {
  readonly #worker: Worker
  #isGone = false

  constructor({ said, gone }: Hears) {
    this.#worker = new Worker(new URL('thread.ts', import.meta.url), {
      name: 'exchanges',
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    })
    const end = (): void => {
      if (this.#isGone) return
      this.#isGone = true
      gone()
    }
    this.#worker.on('message', (message: Said) => !this.#isGone && said(message))
    // Mostly out of memory.
    this.#worker.on('error', end)
    this.#worker.on('exit', end)
    this.#worker.unref()
  }

  give(step: Step): void {
    this.#worker.postMessage(step, [])
  }

  /** CPU time in ms; undefined: no answer within 200 ms. */
  async cpuMs(): Promise<number | undefined> {
    const usage = this.#worker.cpuUsage().then(({ user, system }) => (user + system) / 1000, unlessEnded)
    return Promise.race([usage, setTimeout(200, undefined, { ref: false })])
  }

  end(): void {
    this.#isGone = true
    void this.#worker.terminate()
  }
}

/** Ignores the error of a thread that has ended. */
function unlessEnded(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING') return undefined
  throw error
}
