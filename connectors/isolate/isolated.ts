import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { ConnectorSpec } from '../kit/define.ts'
import { Bench } from './bench.ts'
import type { Image } from './engine.ts'
import { BadBundle, ConnectorFailed } from './failed.ts'
import { hosted } from './hosted.ts'
import type { Place } from './hosted.ts'
import { withMemoryLimit } from './memory-limit.ts'
import { answeredBy, packed } from './packed.ts'
import { resultOf } from './results.ts'
import { roleProblem } from './roles.ts'
import { IsolateThread } from './thread-host.ts'

export interface IsolateOptions {
  /** Of memory, for all that the connector holds during one call. Default 64 MiB. */
  readonly memoryBytes?: number
  /** For one call of one of its functions. Default 2,000. */
  readonly callMs?: number
  /** For its start. Default 30,000. */
  readonly loadMs?: number
  /** Given to each of its functions after their own arguments; it takes words and numbers, and answers with such. */
  readonly watch?: (...words: never[]) => unknown
}

export interface Isolated {
  /** Data, and functions that run in the isolate. */
  readonly spec: ConnectorSpec
  dispose(): void
}

const longestBundle = 4 * 1024 * 1024
/** After it took all its time, a connector is not asked again for so many times that. Who waits for it waits in vain, and everybody else with it. */
const restTimes = 10

const bench = new Bench()

/**
 * A connector that nobody vouches for. `bundle`: one ES module with nothing to import, whose default export is the connector. It runs where there is
 * no file, network, process, timer or clock (its time is the call's), each call as if it were the first. Throws `BadBundle`.
 */
export async function isolated(bundle: string, options: IsolateOptions = {}): Promise<Isolated> {
  const { memoryBytes = 64 * 1024 * 1024, callMs = 2000, loadMs = 30_000, watch } = options
  if (bundle.length > longestBundle) throw new BadBundle('is larger than is taken')
  const { told, image } = await loaded(bundle, await machine(memoryBytes), loadMs)
  const isolate = new Isolate(image, callMs)
  const spec = hosted(told, (index, place) => isolate.standIn(index, place, watch))
  bench.know(image)
  return { spec, dispose: () => isolate.dispose() }
}

class Isolate {
  readonly #image: Image
  readonly #callMs: number
  #restsUntil = 0
  #isDisposed = false

  constructor(image: Image, callMs: number) {
    this.#image = image
    this.#callMs = callMs
  }

  standIn(index: number, place: Place, watch?: IsolateOptions['watch']): (...args: unknown[]) => unknown {
    return (...args) => {
      const value = this.#call(index, watch ? [...args, watch] : args)
      const problem = roleProblem(place, value)
      if (problem !== undefined) throw new ConnectorFailed(problem)
      return value
    }
  }

  dispose(): void {
    this.#isDisposed = true
    bench.forget(this.#image)
  }

  #call(index: number, args: readonly unknown[]): unknown {
    if (this.#isDisposed) throw new ConnectorFailed('was taken away')
    if (performance.now() < this.#restsUntil) throw new ConnectorFailed('rests after it took too long')
    const given = packed(args)
    const called = {
      image: this.#image,
      index,
      packed: given.text,
      now: momentOf(args) ?? Date.now(),
      asked: (question: string) => answeredBy(given, question),
    }
    const begun = performance.now()
    try {
      return resultOf(bench.call(called, this.#callMs))
    } catch (error) {
      if (performance.now() - begun >= this.#callMs) this.#restsUntil = performance.now() + restTimes * this.#callMs
      throw error
    }
  }
}

/** The moment of the call, where it has one. */
function momentOf(args: readonly unknown[]): number | undefined {
  const moments = args.map((arg) => (Object(arg) as { readonly now?: unknown }).now)
  return moments.find((moment) => moment instanceof Date)?.getTime()
}

const machines = new Map<number, Promise<WebAssembly.Module>>()

/** The engine, with an end to its memory. Compiled once. */
async function machine(memoryBytes: number): Promise<WebAssembly.Module> {
  const known = machines.get(memoryBytes) ?? compiled(memoryBytes)
  machines.set(memoryBytes, known)
  return known
}

async function compiled(memoryBytes: number): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')
  return WebAssembly.compile(withMemoryLimit(await readFile(file), memoryBytes))
}

/** On a thread of its own: nobody waits for it on the spot. */
async function loaded(bundle: string, module: WebAssembly.Module, loadMs: number) {
  const thread = new IsolateThread()
  try {
    thread.give({ kind: 'load', bundle, module, now: Date.now() })
    const said = await thread.said(['loaded', 'failed'], loadMs)
    if (said === undefined) throw new BadBundle(`takes longer than ${loadMs} ms to begin, or more memory than there is`)
    if (said.kind === 'failed') throw new BadBundle(said.fault)
    if (said.kind !== 'loaded') throw new Error('a thread that says something else')
    return said
  } finally {
    thread.end()
  }
}
