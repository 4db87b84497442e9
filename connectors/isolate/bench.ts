import { receiveMessageOnPort } from 'node:worker_threads'
import type { Image } from './engine.ts'
import { ConnectorFailed } from './failed.ts'
import type { Called } from './isolate.ts'
import type { Said } from './thread.ts'
import { IsolateThread } from './thread-host.ts'

/** In ms: longer than a thread ever takes to start. */
const bootMs = 30_000

/**
 * The one thread of a process that runs isolates, one call at a time, while callers block. Only
 * terminating the thread stops every runaway call: QuickJS cannot interrupt a regular expression or
 * a huge BigInt. For the authors' command line only, never for the API or a worker.
 */
export class Bench {
  #thread: IsolateThread | undefined
  #isReady = false
  #last = 0
  /** The images on the thread, and their numbers. */
  readonly #known = new Map<Image, number>()

  /** The answer of a connector's function, as JSON. Throws `ConnectorFailed`. */
  call({ image, index, packed, now, asked }: Called, timeoutMs: number): string {
    const id = this.know(image)
    const thread = this.#ready()
    thread.give({ kind: 'call', id, index, packed, now })
    const deadline = performance.now() + timeoutMs
    for (let said = heard(thread, deadline); said !== undefined; said = heard(thread, deadline)) {
      if (said.kind === 'answer') return said.text
      if (said.kind === 'failed') throw new ConnectorFailed(`broke down: ${said.fault}`)
      if (said.kind === 'asks') tell(thread, asked(said.text))
    }
    this.#end()
    // Start a new thread now, so that it is ready for the next call.
    this.#thread = new IsolateThread()
    throw new ConnectorFailed(`took longer than ${timeoutMs} ms`)
  }

  /** Preloads an image, so that the first call need not wait. */
  know(image: Image): number {
    this.#thread ??= new IsolateThread()
    const id = this.#known.get(image) ?? ++this.#last
    if (!this.#known.has(image)) this.#thread.give({ kind: 'know', id, image })
    this.#known.set(image, id)
    return id
  }

  forget(image: Image): void {
    const id = this.#known.get(image)
    this.#known.delete(image)
    if (id !== undefined) this.#thread?.give({ kind: 'forget', id })
  }

  #ready(): IsolateThread {
    this.#thread ??= new IsolateThread()
    if (!this.#isReady && heard(this.#thread, performance.now() + bootMs)?.kind !== 'ready') {
      this.#end()
      throw new Error('the thread of isolates does not begin')
    }
    this.#isReady = true
    return this.#thread
  }

  #end(): void {
    this.#thread?.end()
    this.#thread = undefined
    this.#isReady = false
    this.#known.clear()
  }
}

/** Answers the thread's question; it blocks until then. */
function tell({ port, turns }: IsolateThread, text: string): void {
  port.postMessage({ text })
  Atomics.add(turns, 1, 1)
  Atomics.notify(turns, 1)
}

/** Blocks until the next message; undefined: none by the deadline (`performance.now`). */
function heard({ port, turns }: IsolateThread, deadline: number): Said | undefined {
  for (;;) {
    const turn = Atomics.load(turns, 0)
    const received: { readonly message: Said } | undefined = receiveMessageOnPort(port)
    if (received !== undefined) return received.message
    const left = deadline - performance.now()
    if (left <= 0 || Atomics.wait(turns, 0, turn, left) === 'timed-out') return undefined
  }
}
