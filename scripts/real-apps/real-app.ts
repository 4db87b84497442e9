import type { Agent } from './agent.ts'
import type { Person } from './person.ts'
import type { Take } from './record.ts'

/** A third-party application, with how to install, start and use it. */
export interface RealApp {
  /** The folder of its connector in examples/connectors, and its slug. */
  readonly name: string
  /** The credentials of its user. */
  readonly person: { readonly name: string; readonly password: string }
  /** Downloads the app and creates its data below `cache`; returns at once if cached. */
  install(cache: string, log: (line: string) => void): Promise<void>
  /** Serves a fresh copy of that data at `http://127.0.0.1:<port>/`, from an empty folder. */
  start(options: { readonly cache: string; readonly folder: string; readonly port: number }): Promise<RunningApp>
  /** Its sign-in page, with CSS of the name field (the password field is next) and the button. */
  readonly signInForm: { readonly page: string; readonly name: string; readonly button: string }
  /** Records its connector on the initial data: the same cases as its offline examples. */
  readonly recordings: (take: Take) => Promise<void>
  /** Checks everything that must hold for it. Throws at the first failure. */
  story(world: World): Promise<void>
}

export interface RunningApp {
  /** `http://127.0.0.1:8123` */
  readonly origin: string
  /** Queries the app's database, which is SQLite. */
  rows(sql: string, ...values: readonly (string | number)[]): readonly Readonly<Record<string, unknown>>[]
  /** Replaces text in a template, effective at once. Returns a function that restores it. */
  changeTemplate(file: string, text: string, other: string): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** A Callgate with the app's connector, and a user who has an account in the app. */
export interface World {
  readonly app: RunningApp
  /** Uses HTTP and MCP with the user's key. */
  readonly agent: Agent
  /** The user in a browser: decides and connects accounts. */
  readonly person: Person
  /** The id of the account that is connected at the beginning. */
  readonly account: string
  /** Signs in on the live page by typing, also to an expired account; returns the account's id. */
  readonly signIn: () => Promise<string>
  /** Runs `npm run callgate -- connector …` and returns its output; throws when that fails. */
  readonly connector: (...words: readonly string[]) => Promise<string>
  readonly log: (line: string) => void
}
