import type { Image } from './engine.ts'
import { ConnectorFailed } from './failed.ts'
import { IsolateThread } from './thread-host.ts'

/** Longer than it ever takes to begin a thread. */
const bootMs = 30_000

export interface Called {
  readonly image: Image
  readonly index: number
  readonly packed: string
  readonly now: number
  /** Answers what the connector asks of the functions that it was given. */
  readonly asked: (text: string) => string
}

/**
 * The one thread of a process where the functions of isolates run, one at a time, while their callers wait. Whatever one does there, the end of the
 * thread ends it: no engine gives up each long work by itself, such as a pattern's or a huge number's.
 */
export class Bench {
  #thread: IsolateThread | undefined
  #isReady = false
  #last = 0
  /** What the thread has, and by which number. */
  readonly #known = new Map<Image, number>()

  /** What a function of a connector answers, as JSON. Throws `ConnectorFailed`. */
  call({ image, index, packed, now, asked }: Called, timeoutMs: number): string {
    const id = this.know(image)
    const thread = this.#ready()
    thread.give({ kind: 'call', id, index, packed, now })
    const deadline = performance.now() + timeoutMs
    for (let said = thread.heard(deadline); said !== undefined; said = thread.heard(deadline)) {
      if (said.kind === 'answer') return said.text
      if (said.kind === 'failed') throw new ConnectorFailed(`broke down: ${said.fault}`)
      if (said.kind === 'asks') thread.tell(asked(said.text))
    }
    this.#end()
    // It is there again by the next call.
    this.#thread = new IsolateThread()
    throw new ConnectorFailed(`took longer than ${timeoutMs} ms`)
  }

  /** Begins what the first call would wait for. */
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
    if (!this.#isReady && this.#thread.heard(performance.now() + bootMs)?.kind !== 'ready') {
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
