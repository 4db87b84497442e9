import type { Access } from '../../schemas/call.ts'
import type { Answer } from '../kit/answer.ts'
import type { ApprovalText } from '../kit/approval.ts'
import type { Csrf } from '../kit/csrf.ts'
import type { Effect, Preview, ShownBy, Thing, Verify } from '../kit/declared.ts'
import type { EndpointDefinition, SignIn } from '../kit/define.ts'
import type { Failure } from '../kit/failures.ts'
import type { NumberedIds } from '../kit/numbered-ids.ts'
import type { AskedOrigin } from '../kit/origin.ts'
import type { Renew, SessionFill } from '../kit/session-token.ts'
import type { BrokenApp } from './load.ts'
import type { CodeSource } from './threads/source.ts'

export interface Apps {
  /** The usable apps: a new array after each change. */
  readonly all: readonly App[]
  /** Apps whose connectors failed to load, by slug: they are off. */
  readonly broken: ReadonlyMap<string, BrokenApp>
  get(slug: string): App | undefined
}

/** Maturity of a connector, as its author's command computes it; the last is the highest. */
export const levels = ['bronze', 'silver', 'gold'] as const
export type Level = (typeof levels)[number]

/** The source of an app's connector that is not built in. */
export interface Added {
  /** Name and version. */
  readonly package: string
  /** SHA-256 of its bundle. */
  readonly hash: string
  /** What leaves without an approval, in plain lines. */
  readonly leaves: readonly string[]
  /** It was bundled with the kit of an older release; `connector update` rebuilds it. */
  readonly isOutdated: boolean
  /** Absent: unknown. */
  readonly scale?: Level
}

export interface App {
  readonly slug: string
  /** Absent: it is built in. */
  readonly added?: Added
  /** What an exchange thread loads its code from. Absent: made in this process, as in tests. */
  readonly source?: CodeSource
  readonly name: string
  readonly description: string
  readonly role: string
  /** Keywords of its field, for the search. */
  readonly topics: string
  readonly connection: { readonly kind: 'browser_session' }
  readonly signIn: SignIn
  /** Absolute root of the app, ending in a slash, or how to ask the user for theirs. */
  readonly origin: string | AskedOrigin
  /** Root URLs of the app's further hosts. */
  readonly hosts: readonly string[]
  readonly authorize: readonly SessionFill[]
  readonly renew: Renew | null
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** Kinds of entities that its ids refer to, by name. */
  readonly things: Readonly<Record<string, Thing>>
  /** Rate limits, in sends per second. */
  readonly pacing: { readonly perApp: number; readonly perAccount: number }
}

/** A JSON Schema 2020-12 without references. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Detail {
  /** The field: `limit`, `fields.price`, `listing_ids.0`; '' for the whole input. */
  readonly path: string
  readonly message: string
}

export type ParsedInput =
  | { readonly ok: true; readonly input: Record<string, unknown> }
  | { readonly ok: false; readonly details: readonly Detail[] }

export type ParsedQuery =
  /** `inexact`: the paths of numbers that a double cannot represent. */
  | { readonly ok: true; readonly value: Record<string, unknown>; readonly inexact: readonly string[] }
  | { readonly ok: false; readonly details: readonly Detail[] }

export interface Endpoint {
  /** The app's slug. */
  readonly app: string
  /** The same as its app's. */
  readonly source?: CodeSource
  readonly name: string
  readonly access: Access
  /** Waits for approval, unless the user turned that off. */
  readonly confirm: boolean
  readonly summary: string
  /** Synonyms and phrases of users who look for it. */
  readonly aliases: readonly string[]
  /** Its name on pages. */
  readonly label: string
  /** The inputs that identify a call best, the most telling first. */
  readonly brief: readonly string[]
  /** Null for a read. */
  readonly effect: Effect | null
  /** The reads that show whether a write happened, the most reliable first. */
  readonly shownBy: readonly ShownBy[]
  /** What is previewed in the app before the user is asked for approval. */
  readonly preview: readonly Preview[]
  /** How to verify a write whose answer was lost; null: nothing shows it reliably. */
  readonly verify: Verify | null
  /** What the approver reads first; null: built from label and preview. */
  readonly approval: ApprovalText | null
  readonly credits: number
  /** Root URL of its pages, if not the app's own. */
  readonly root: string | null
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  /** Validates, fills in defaults and a cursor's inputs. Its result is stored, hashed and sent. */
  parseInput(value: unknown, keys: { readonly cursorKey: Buffer }): ParsedInput
  /** The value of a GET's query, to be passed to `parseInput`. */
  parseQuery(params: URLSearchParams): ParsedQuery
  /** Whether a decoded answer matches the endpoint's output schema exactly. */
  checkOutput(value: unknown): boolean
  /** Why it does not match, for operators, without any of its content. */
  outputFault(value: unknown): string
  /** For `exchange` only. */
  readonly definition: EndpointDefinition
  readonly failure: (answer: Answer) => Failure | undefined
  /** Reads the app's version from a page; null: pages do not show it. */
  readonly version: ((page: string) => string | null) | null
  readonly csrf: Csrf | null
  readonly numbered: NumberedIds | null
  readonly authorize: readonly SessionFill[]
  /** The page that shows who is signed in. */
  readonly who: SignIn['who']
}
