import { askGateway } from '../operator-client.ts'
import type { OperatorOptions } from '../operator-client.ts'

/** A subcommand of `callgate connector`, for a shell or a coding agent. */
export interface Verb {
  /** Its name, after `callgate connector`. */
  readonly name: string
  /** Positional arguments, in order. */
  readonly words: readonly Word[]
  /** For the help: lines of up to 100 characters. */
  readonly about: readonly string[]
  /** Options of its own. */
  readonly options?: Readonly<Record<string, VerbOption>>
  /** How coding agents get it as a tool; undefined if only users may run it. */
  readonly tool?: VerbTool
  /** Returns the exit code: 0 done, 1 not done. Throws what is wrong. */
  run(given: Given): Promise<number>
}

export interface Word {
  readonly name: string
  /** Label in the help if it may be one of several things: `folder | app`. */
  readonly shown?: string
  readonly isOptional?: boolean
  /** Whether it is JSON: coding agents pass an object. */
  readonly isJson?: boolean
}

export interface VerbOption {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  /** Label of its value in the help: `KIND`. */
  readonly takes?: string
  readonly about: string
}

export interface VerbTool {
  /** It changes nothing: not here, in the gateway or in the app. */
  readonly readOnly?: boolean
  /** Options that are always set, because a tool call must not wait for hours. */
  readonly always?: Readonly<Record<string, boolean>>
}

/** `try <folder> <endpoint> [input]` */
export function usageOf({ name, words }: Verb): string {
  const shown = words.map((word) => (word.isOptional ? `[${word.shown ?? word.name}]` : `<${word.shown ?? word.name}>`))
  return [name, ...shown].join(' ')
}

/** A verb's input, from the shell or a tool call. */
export interface Given {
  readonly words: readonly string[]
  /** Common options and the verb's own, by name. */
  readonly options: OperatorOptions &
    Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
  readonly env: NodeJS.ProcessEnv
  /** Prints one line or several. */
  readonly say: (line: string) => void
  /** Asks the user for agreement. */
  readonly agree: (question: string) => Promise<boolean>
  /** Aborted when the caller stops waiting. */
  readonly signal: AbortSignal
}

/** Sends a request to the gateway and prints its answer. Returns 0; throws `Refused`. */
export async function ask({ options, env, say }: Given, method: string, route: string, body?: object): Promise<number> {
  const { ok, text } = await askGateway(options, env, { method, route, body })
  if (!ok) throw new Refused(text)
  say(text)
  return 0
}

/** Reads JSON of this shape from the gateway. Throws its refusal. */
export async function askFor<T>({ options, env }: Given, method: string, route: string, body?: object): Promise<T> {
  const { ok, text } = await askGateway(options, env, { method, route, body })
  if (!ok) throw new Refused(text)
  return JSON.parse(text) as T
}

/** The gateway refused; the message is its answer. */
export class Refused extends Error {}

export class WrongUsage extends Error {}
