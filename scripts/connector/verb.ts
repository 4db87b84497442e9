import type { ParseArgsOptionsConfig } from 'node:util'
import { askGateway } from '../operator-client.ts'
import type { OperatorOptions } from '../operator-client.ts'

/** One thing that `callgate connector` can do, at a shell or for a coding agent. */
export interface Verb {
  /** After `callgate connector`: `add <folder | package@version>`. Its first word is the verb. */
  readonly usage: string
  /** For the help: lines of up to 100 characters. */
  readonly about: readonly string[]
  /** Options of its own. */
  readonly options?: ParseArgsOptionsConfig
  /** For the help: each with what it says. */
  readonly optionHelp?: Readonly<Record<string, string>>
  /** How many words it takes, at least and at most. */
  readonly words: readonly [least: number, most: number]
  /** Returns the exit code: 0, it is done; 1, it is not. Throws what is wrong. */
  run(given: Given): Promise<number>
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
