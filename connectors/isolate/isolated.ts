import type { ConnectorSpec } from '../kit/define.ts'
import { Bench } from './bench.ts'
import type { Image } from './engine.ts'
import { ConnectorFailed } from './failed.ts'
import { hosted } from './hosted.ts'
import { Isolate } from './isolate.ts'
import type { Called, Runner, Watch } from './isolate.ts'
import { loadBundle } from './load-bundle.ts'
import type { LoadOptions } from './load-bundle.ts'

export interface IsolateOptions extends LoadOptions {
  /** Timeout for one call of one of its functions, in ms. Default 2,000. */
  readonly callMs?: number
  /** Passed to its functions after their arguments; takes and returns JSON scalars only. */
  readonly watch?: Watch
}

export interface Isolated {
  /** Data, and functions that run in the isolate. */
  readonly spec: ConnectorSpec
  dispose(): void
}

/** A connector that timed out rests for this many timeouts: its calls block all other work. */
const restTimes = 10

const bench = new Bench()

/**
 * Loads an untrusted connector. `bundle`: one ES module without imports that exports it as default.
 * It has no files, network, process, timers or clock (its time is the call's), and each call starts
 * from the state right after loading. Throws `BadBundle`. Its functions block the calling thread:
 * for the authors' command line; the API and workers use `threads/`.
 */
export async function isolated(bundle: string, options: IsolateOptions = {}): Promise<Isolated> {
  const { callMs = 2000, watch } = options
  const { told, image } = await loadBundle(bundle, options)
  const isolate = new Isolate(image, new Rested(callMs))
  const spec = hosted(told, (index, place) => isolate.standIn(index, place, watch))
  bench.know(image)
  return { spec, dispose: () => end(isolate, image) }
}

function end(isolate: Isolate, image: Image): void {
  isolate.dispose()
  bench.forget(image)
}

class Rested implements Runner {
  readonly #callMs: number
  #restsUntil = 0

  constructor(callMs: number) {
    this.#callMs = callMs
  }

  call(called: Called): string {
    if (performance.now() < this.#restsUntil) throw new ConnectorFailed('rests after it took too long')
    const begun = performance.now()
    try {
      return bench.call(called, this.#callMs)
    } catch (error) {
      if (performance.now() - begun >= this.#callMs) this.#restsUntil = performance.now() + restTimes * this.#callMs
      throw error
    }
  }
}
