import type { Image } from './engine.ts'
import { ConnectorFailed } from './failed.ts'
import type { Place } from './hosted.ts'
import { answeredBy, packed } from './packed.ts'
import { resultOf } from './results.ts'
import { roleProblem } from './roles.ts'

/** A pending call of a function in an isolate. */
export interface Called {
  readonly image: Image
  readonly index: number
  readonly packed: string
  readonly now: number
  /** Answers the connector's calls of the functions among its arguments. */
  readonly asked: (text: string) => string
}

/** Runs functions of isolates. Throws `ConnectorFailed`. */
export interface Runner {
  call(called: Called): string
}

/** Passed to each function of a connector after its own arguments. */
export type Watch = (...words: never[]) => unknown

/** The functions of one connector, as their caller sees them. */
export class Isolate {
  readonly #image: Image
  readonly #runner: Runner
  #isDisposed = false

  constructor(image: Image, runner: Runner) {
    this.#image = image
    this.#runner = runner
  }

  standIn(index: number, place: Place, watch?: Watch): (...args: unknown[]) => unknown {
    return (...args) => {
      const value = this.#call(index, watch ? [...args, watch] : args)
      const problem = roleProblem(place, value)
      if (problem !== undefined) throw new ConnectorFailed(problem)
      return value
    }
  }

  dispose(): void {
    this.#isDisposed = true
  }

  #call(index: number, args: readonly unknown[]): unknown {
    if (this.#isDisposed) throw new ConnectorFailed('was taken away')
    const given = packed(args)
    const called: Called = {
      image: this.#image,
      index,
      packed: given.text,
      now: momentOf(args) ?? Date.now(),
      asked: (question: string) => answeredBy(given, question),
    }
    return resultOf(this.#runner.call(called))
  }
}

/** The call's timestamp, if an argument has one. */
function momentOf(args: readonly unknown[]): number | undefined {
  const moments = args.map((arg) => (Object(arg) as { readonly now?: unknown }).now)
  return moments.find((moment) => moment instanceof Date)?.getTime()
}
