import type { Outcome } from '../outcome.ts'
import type { HttpResult } from '../http.ts'
import type { CrossingRequest } from './crossing.ts'
import type { CodeSource } from './source.ts'
import type { Jobs } from './jobs.ts'

export type JobName = keyof Jobs
export type GivenTo<N extends JobName> = Parameters<Jobs[N]>[1]
export type ResultOf<N extends JobName> = Awaited<ReturnType<Jobs[N]>>

/** Messages to a thread. Each but `forget` is one step, which ends with `idle`. */
export type Step =
  | { readonly kind: 'know'; readonly source: CodeSource }
  | StartStep
  | { readonly kind: 'answer'; readonly id: number; readonly ask: number; readonly result: HttpResult }
  | { readonly kind: 'forget'; readonly id?: number; readonly source?: string }

export interface StartStep {
  readonly kind: 'start'
  readonly id: number
  readonly job: JobName
  /** Name of the source of the app's code, for a job that needs it. */
  readonly source: string | null
  readonly given: unknown
}

/** A request for the main thread to send. */
export interface Ask {
  readonly kind: 'ask'
  readonly id: number
  readonly ask: number
  readonly request: CrossingRequest
  /** It carries the action of a write. */
  readonly isFenced: boolean
  /** It may use a keep-alive connection. */
  readonly isKept: boolean
  /** Requests of the same number share this timeout. */
  readonly budget: { readonly number: number; readonly ms: number }
  readonly maxBytes: number
}

export type Said =
  /** `cpuMs`: CPU time since the thread began. */
  | { readonly kind: 'ready' | 'idle'; readonly cpuMs: number }
  | Ask
  | { readonly kind: 'done'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: Fault }

/** An error, serialized for `postMessage`. */
export interface Fault {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  /** Of `Stopped`: an unexpected answer. */
  readonly outcome?: Exclude<Outcome, { kind: 'ok' }>
}
