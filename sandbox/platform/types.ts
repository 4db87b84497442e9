import type { DatabaseSync } from 'node:sqlite'
import type { Html } from './html.ts'

/** An account of an app. `ordinal` is unique within the app, for ids that never meet those of another account. */
export interface Account {
  account: string
  ordinal: number
  label: string
  kind: string
  /** The name of the person who signs in. */
  person: string
  email: string
  password: string
  /** Whom it is seeded for: demo, stranger, …, or `extra`. */
  user: string
}

export type SeededPerson = Pick<Account, 'user' | 'kind' | 'label' | 'person' | 'email'>

/** What an app says when it refuses; how it looks is the dialect's. */
export interface Problem {
  status: number
  code: string
  message: string
  field?: string
  /** Where a person puts it right: the sign-in page, the security check. */
  go?: string
}

export class Refusal extends Error {
  readonly problem: Problem
  constructor(status: number, code: string, message: string, field?: string) {
    super(message)
    this.problem = { status, code, message, ...(field === undefined ? {} : { field }) }
  }
}

export interface Reply {
  status: number
  headers: Record<string, string | string[]>
  body: string | Uint8Array
}

export interface AppRequest {
  db: DatabaseSync
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  form: URLSearchParams
  json: unknown
  /** `http://localhost:8090/slug` as the client addressed it. */
  base: string
  /** Unix seconds. */
  now: number
  /** Midnight UTC of the day of the last reset, Unix seconds: what seeds are relative to. */
  day: number
  viewer: Viewer | undefined
  /** Records the write that this request makes: one effect a request, in the same transaction. */
  effect: (action: string, body: unknown) => void
}

export interface Viewer {
  account: Account
  csrf: string
}

/** A request of someone who signed in. */
export interface SignedIn extends AppRequest {
  viewer: Viewer
}

interface RouteBase {
  method: string
  path: string
  answers: 'page' | 'json'
  /** Does it carry the action (a read's data request, a write's submit)? Faults and the published rate count only these. */
  action: boolean
}

export type Route =
  | (RouteBase & { open: true; handle(request: AppRequest): Reply })
  | (RouteBase & { open: false; handle(request: SignedIn): Reply })

export interface SandboxApp {
  slug: string
  /** How it fails, and what wall stands in front of it. */
  dialect: DialectName
  brand: string
  tagline: string
  /** Kinds of account that it knows. */
  kinds: readonly string[]
  people: readonly SeededPerson[]
  accountPrefix: string
  mailDomain: string
  /** The published rate per account: more actions than that within the window earn a ban of ten minutes. */
  rate: { actions: number; seconds: number }
  cookie: string
  csrf: { field: string; header: string }
  paths: { home: string; signIn: string; signOut: string; captcha: string; code: string }
  /** Its tables. Emptied by a reset, made anew when this text changes. */
  schema: string
  /** Fills the tables for one account, deterministically: called in a transaction, at the account's first request. */
  seed(db: DatabaseSync, day: number, account: Account): void
  routes: readonly Route[]
  layout(page: { title: string; body: Html; viewer: Viewer | undefined; problem?: Html }): Html
}

export type WallName = 'cloudflare' | 'datadome' | 'akamai' | 'human' | 'imperva' | 'awsWaf' | 'wordfence'

export type DialectName =
  | 'aspnet'
  | 'django'
  | 'errno'
  | 'graphql'
  | 'jsonapi'
  | 'laravel'
  | 'rails'
  | 'rpc'
  | 'spring'
  | 'wordpress'

/** What can come between a request and an app's own rules. */
export type Situation = 'signedOut' | 'secondFactor' | 'humanCheck' | 'forged' | 'tooFast' | 'broken'

export interface Asked {
  app: SandboxApp
  /** `/slug/…` as it was asked for. */
  path: string
  /** `/slug/…`: where a person puts it right. */
  go?: string
  /** tooFast: how long to wait. */
  seconds?: number
}

export type Markup = readonly [title: string, markup: string]

export interface Case {
  status: number
  says: string
  /** In place of the code that the app's refusals would have. */
  code?: string
  headers?: (asked: Asked) => Record<string, string>
  /** The body for scripts, where it is not that of a refusal; `page`: what pages get. */
  json?: 'page' | ((asked: Asked & { says: string }) => unknown)
  /** A page of the framework's own, without the app's layout: its title and text. */
  page?: Markup
  pageStatus?: number
  /** Plain text for both. */
  text?: string
}

/** How one family of products fails. `dialects.md` says it in tables. */
export interface Dialect {
  wall: WallName
  /** Pages lead to sign-in and to checks with this status, and this parameter for the way back. */
  away: { status: 302 | 303; back: string; more?: string }
  /** Of JSON refusals. */
  type?: string
  cases: Record<Exclude<Situation, 'humanCheck'>, Case> & { humanCheck?: Case }
  refusal(problem: Problem, asked: Asked): unknown
  notice(problem: Problem): Html
}
