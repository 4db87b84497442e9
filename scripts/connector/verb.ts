import { askGateway } from '../operator-client.ts'
import type { OperatorOptions } from '../operator-client.ts'

/** One thing that `callgate connector` can do, at a shell or for a coding agent. */
export interface Verb {
  /** After `callgate connector`. */
  readonly name: string
  /** What follows it, in this order. */
  readonly words: readonly Word[]
  /** For the help: lines of up to 100 characters. */
  readonly about: readonly string[]
  /** Options of its own. */
  readonly options?: Readonly<Record<string, VerbOption>>
  /** What coding agents get of it; nothing: it is for people alone. */
  readonly tool?: VerbTool
  /** Returns the exit code: 0, it is done; 1, it is not. Throws what is wrong. */
  run(given: Given): Promise<number>
}

export interface Word {
  readonly name: string
  /** In the help, where it may be one of several things: `folder | app`. */
  readonly shown?: string
  readonly isOptional?: boolean
  /** Whether it is JSON: coding agents give it as an object. */
  readonly isJson?: boolean
}

export interface VerbOption {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  /** In the help, what it takes: `KIND`. */
  readonly takes?: string
  readonly about: string
}

export interface VerbTool {
  /** It changes nothing, here, in the gateway or in the app. */
  readonly readOnly?: boolean
  /** Options that are always set: somebody who calls a tool does not wait for hours. */
  readonly always?: Readonly<Record<string, boolean>>
}

/** `try <folder> <endpoint> [input]` */
export function usageOf({ name, words }: Verb): string {
  const shown = words.map((word) => (word.isOptional ? `[${word.shown ?? word.name}]` : `<${word.shown ?? word.name}>`))
  return [name, ...shown].join(' ')
}

/** What a verb is given by whoever runs it. */
export interface Given {
  readonly words: readonly string[]
  /** Options of all verbs and its own, by their names. */
  readonly options: OperatorOptions &
    Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
  readonly env: NodeJS.ProcessEnv
  /** A line, or several. */
  readonly say: (line: string) => void
  /** Whether somebody agrees to this. */
  readonly agree: (question: string) => Promise<boolean>
  /** Over once nobody waits any more. */
  readonly signal: AbortSignal
}

/** Asks the gateway and says its answer. Returns the exit code; `say` gets refusals, too. */
export async function ask({ options, env, say }: Given, method: string, route: string, body?: object): Promise<number> {
  const { ok, text } = await askGateway(options, env, { method, route, body })
  if (!ok) throw new Refused(text)
  say(text)
  return 0
}

/** Asks the gateway for JSON of this shape. Throws its refusal. */
export async function askFor<T>({ options, env }: Given, method: string, route: string, body?: object): Promise<T> {
  const { ok, text } = await askGateway(options, env, { method, route, body })
  if (!ok) throw new Refused(text)
  return JSON.parse(text) as T
}

/** What the gateway said instead of doing it. */
export class Refused extends Error {}

export class WrongUsage extends Error {}
