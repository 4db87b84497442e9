import type { Access } from '../../schemas/call.ts'
import type { Answer } from '../kit/answer.ts'
import type { Csrf } from '../kit/csrf.ts'
import type { Effect, Preview, ShownBy, Thing, Verify } from '../kit/declared.ts'
import type { EndpointDefinition, SignIn } from '../kit/define.ts'
import type { Failure } from '../kit/failures.ts'
import type { NumberedIds } from '../kit/numbered-ids.ts'
import type { AskedOrigin } from '../kit/origin.ts'
import type { Renew, SessionFill } from '../kit/session-token.ts'
import type { BrokenApp } from './load.ts'

export interface Apps {
  /** Those that can be used: another list after each change. */
  readonly all: readonly App[]
  /** Apps whose connectors cannot be used, by slug: they are off. */
  readonly broken: ReadonlyMap<string, BrokenApp>
  get(slug: string): App | undefined
}

/** How far a connector is, as its author's command computes it; the last is the farthest. */
export const levels = ['bronze', 'silver', 'gold'] as const
export type Level = (typeof levels)[number]

/** Where the connector of an app comes from that is not built in. */
export interface Added {
  /** Name and version. */
  readonly package: string
  /** SHA-256 of its bundle. */
  readonly hash: string
  /** Absent: nobody told. */
  readonly scale?: Level
}

export interface App {
  readonly slug: string
  /** Absent: it is built in. */
  readonly added?: Added
  readonly name: string
  readonly description: string
  readonly role: string
  /** Words of its field, for the search. */
  readonly topics: string
  readonly connection: { readonly kind: 'browser_session' }
  readonly signIn: SignIn
  /** Absolute root of the app, ending in a slash, or what a person is asked for that of their account. */
  readonly origin: string | AskedOrigin
  /** Roots of the app's further hosts. */
  readonly hosts: readonly string[]
  readonly authorize: readonly SessionFill[]
  readonly renew: Renew | null
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** What its ids stand for, by their kind. */
  readonly things: Readonly<Record<string, Thing>>
  /** Sends per second. */
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
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly details: readonly Detail[] }

export interface Endpoint {
  /** The app's slug. */
  readonly app: string
  readonly name: string
  readonly access: Access
  /** Waits for approval, unless the person switched that off. */
  readonly confirm: boolean
  readonly summary: string
  /** Other words for it, and what people say who want it. */
  readonly aliases: readonly string[]
  /** What a person reads of it. */
  readonly label: string
  /** The inputs that say most of a call, the most telling first. */
  readonly brief: readonly string[]
  /** Null for a read. */
  readonly effect: Effect | null
  /** The reads that show whether a write happened, the surest first. */
  readonly shownBy: readonly ShownBy[]
  /** What is looked up in the app before the person is asked. */
  readonly preview: readonly Preview[]
  /** How to look whether a write happened, where its answer was lost; null: nothing shows it surely. */
  readonly verify: Verify | null
  readonly credits: number
  /** Where its pages are, if not below the app's own root: another root. */
  readonly root: string | null
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  /** Checks the input and fills in defaults, and what a cursor keeps: what it returns is what is stored, hashed and sent. */
  parseInput(value: unknown, keys: { readonly cursorKey: Buffer }): ParsedInput
  /** The value that a GET's query stands for, to be given to `parseInput`. */
  parseQuery(params: URLSearchParams): ParsedQuery
  /** Whether a decoded answer is exactly what the endpoint promises. */
  checkOutput(value: unknown): boolean
  /** Why not, in words for operators and without anything that it says. */
  outputFault(value: unknown): string
  /** For `exchange` only. */
  readonly definition: EndpointDefinition
  readonly failure: (answer: Answer) => Failure | undefined
  /** Which version the app tells of itself on a page; null: it tells none. */
  readonly version: ((page: string) => string | null) | null
  readonly csrf: Csrf | null
  readonly numbered: NumberedIds | null
  readonly authorize: readonly SessionFill[]
}
