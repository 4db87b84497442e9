import type { Method } from '../../kit/request-line.ts'
import type { Trace, TracedExchange } from '../trace.ts'

/** One recorded run of the action that is to become an endpoint. */
export interface Run {
  readonly trace: Trace
  /** Index of the action's exchange in the trace. */
  readonly at: number
  readonly exchange: TracedExchange
}

/** A proposed input. `schema` is TypeScript. */
export interface InputDraft {
  readonly name: string
  readonly label: string
  readonly schema: string
  readonly required: boolean
  /** Kind of entity that an id refers to. */
  readonly kind?: string
  /** The caller's value in each run; undefined: omitted. */
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
  /** Statements before the return. */
  readonly lines: readonly string[]
  readonly outputs: readonly OutputDraft[]
  /** If there is a next page: the query's paging parameter. */
  readonly cursor?: string
  readonly decisions: readonly Decision[]
}

/** The proposed request. */
export interface Asking {
  readonly method: Method
  readonly path: string
  readonly inputs: readonly InputDraft[]
  readonly segments: readonly string[]
  /** Fields of the endpoint with their code, such as `form` or `encode`. */
  readonly fields: ReadonlyMap<string, string>
  readonly decisions: readonly Decision[]
}

/** A question for the author, or something to check. */
export interface Decision {
  /** A text in the line of the block that it refers to. */
  readonly at: string
  readonly question: string
}

export interface Draft {
  readonly name: string
  readonly asking: Asking
  readonly reading: Reading
}
