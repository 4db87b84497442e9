import type { Agent } from './agent.ts'
import type { Person } from './person.ts'
import type { Take } from './record.ts'

/** An application that others wrote, as it is installed, started and used here. */
export interface RealApp {
  /** Its connector's folder in examples/connectors, and its slug. */
  readonly name: string
  /** Who signs in to it. */
  readonly person: { readonly name: string; readonly password: string }
  /** Gets it, and makes its data, below `cache`; done at once where that is there already. */
  install(cache: string, log: (line: string) => void): Promise<void>
  /** Serves a fresh copy of that data at `http://127.0.0.1:<port>/`, from a folder that is empty and only for this. */
  start(options: { readonly cache: string; readonly folder: string; readonly port: number }): Promise<RunningApp>
  /** Its sign-in form: the page below its root, and CSS of the field for the name, which that for the password follows, and of the button. */
  readonly signInForm: { readonly page: string; readonly name: string; readonly button: string }
  /** Runs of its connector to be kept, on its data as it is at the beginning. */
  readonly recordings?: (take: Take) => Promise<void>
  /** Everything that has to be true of it. Throws at the first that is not, saying which. */
  story(world: World): Promise<void>
}

export interface RunningApp {
  /** `http://127.0.0.1:8123` */
  readonly origin: string
  /** Asks the app's own database, which is SQLite. */
  rows(sql: string, ...values: readonly (string | number)[]): readonly Readonly<Record<string, unknown>>[]
  /** Text in place of another in a template of the app, which is shown so from the next page on. Puts it back when called. */
  changeTemplate(file: string, text: string, other: string): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** What a story plays with: one Callgate with the app's connector, and one user of it, who is the app's person, too. */
export interface World {
  readonly app: RunningApp
  /** Speaks HTTP and MCP with the user's key. */
  readonly agent: Agent
  /** The user before a browser: decides, connects accounts. */
  readonly person: Person
  /** The id of the account that is signed in when the story begins. */
  readonly account: string
  /** Signs in on the live page as the app's person, typing; the account's id. Also what makes an expired account work again. */
  readonly signIn: () => Promise<string>
  /** `npm run callgate -- connector …`; throws when that fails. What it prints. */
  readonly connector: (...words: readonly string[]) => Promise<string>
  readonly log: (line: string) => void
}
