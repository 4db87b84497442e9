import type { Method } from '../../kit/request-line.ts'
import type { Trace, TracedExchange } from '../trace.ts'

/** One doing of what is to become an endpoint. */
export interface Run {
  readonly trace: Trace
  /** The exchange that it is about, in the trace. */
  readonly at: number
  readonly exchange: TracedExchange
}

/** An input as it is proposed. Of `schema` and the like: TypeScript. */
export interface InputDraft {
  readonly name: string
  readonly label: string
  readonly schema: string
  readonly required: boolean
  /** What kind of thing it names, of an id. */
  readonly kind?: string
  /** What each run gave for it, as a caller would; undefined: nothing. */
  readonly given: readonly unknown[]
}

export interface OutputDraft {
  readonly name: string
  readonly schema: string
  /** The expression that reads it. */
  readonly value: string
}

/** How an answer is read. */
export interface Reading {
  readonly answer: 'json' | 'page' | 'redirect'
  /** Statements before what is returned. */
  readonly lines: readonly string[]
  readonly outputs: readonly OutputDraft[]
  /** It has a next page: the query's parameter for the place to go on from. */
  readonly cursor?: string
  readonly decisions: readonly Decision[]
}

/** The request as it is proposed. */
export interface Asking {
  readonly method: Method
  readonly path: string
  readonly inputs: readonly InputDraft[]
  readonly segments: readonly string[]
  /** Fields of the endpoint with their code, such as `form` or `encode`. */
  readonly fields: ReadonlyMap<string, string>
  readonly decisions: readonly Decision[]
}

/** What the author has to say, or to look at. */
export interface Decision {
  /** What stands in the line of the block that it is about. */
  readonly at: string
  readonly question: string
}

/** Everything of one block. */
export interface Draft {
  readonly name: string
  readonly asking: Asking
  readonly reading: Reading
}
