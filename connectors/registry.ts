import type { TSchema } from 'typebox'
import type { Access } from '../schemas/call.ts'
import { connectors } from './apps.ts'
import type { Csrf } from './csrf.ts'
import type { Answer, ConnectorSpec, EndpointDefinition, SignIn } from './define.ts'
import type { Failure } from './failures.ts'
import { parseQuery } from './query.ts'
import { readingOn } from './read-on.ts'
import { inputParser, lazy } from './validate.ts'
import { definitionVersion } from './version.ts'

export interface Apps {
  readonly all: readonly App[]
  get(slug: string): App | undefined
}

export interface App {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly role: string
  readonly connection: { readonly kind: 'browser_session' }
  readonly signIn: SignIn
  /** Absolute root of the app, ending in a slash. */
  readonly origin: string
  /** Hash of the connector's code and the shared helpers, without summaries and examples: the same in all processes. */
  readonly definitionVersion: string
  readonly endpoints: ReadonlyMap<string, Endpoint>
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
  readonly credits: number
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  /** Checks the input and fills in defaults, and what a cursor keeps: what it returns is what is stored, hashed and sent. */
  parseInput(value: unknown, keys: { readonly cursorKey: Buffer }): ParsedInput
  /** The value that a GET's query stands for, to be given to `parseInput`. */
  parseQuery(params: URLSearchParams): ParsedQuery
  /** Whether a decoded answer is exactly what the endpoint promises. */
  checkOutput(value: unknown): boolean
  /** For `exchange` only. */
  readonly definition: EndpointDefinition
  readonly failure: (answer: Answer) => Failure | undefined
  readonly csrf: Csrf | null
}

/** All apps, ready to be called. Reads the connectors' files once, for their versions. */
export function loadApps(options: { readonly sandboxUrl: string }): Apps {
  const shared = definitionVersion()
  const all = Object.entries(connectors).map(([slug, spec]): App => {
    const origin = spec.origin.replace('{sandbox}', options.sandboxUrl.replace(/\/+$/, ''))
    if (!URL.canParse(origin) || !origin.endsWith('/')) throw new Error(`${slug}: "${origin}" is no address of an app`)
    return {
      slug,
      name: spec.name,
      description: spec.description,
      role: spec.role,
      connection: { kind: 'browser_session' },
      signIn: spec.signIn,
      origin,
      definitionVersion: shared(slug),
      endpoints: bindAll(slug, spec),
      pacing: spec.pacing ?? { perApp: 20, perAccount: 2 },
    }
  })
  const bySlug = new Map(all.map((app) => [app.slug, app]))
  return { all, get: (slug) => bySlug.get(slug) }
}

/** The endpoints of one connector, by name. Throws when two have the same name. */
export function bindAll(slug: string, spec: ConnectorSpec): ReadonlyMap<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>()
  for (const [name, definition] of spec.endpoints.flatMap(readsFirst)) {
    if (endpoints.has(name)) throw new Error(`${slug} has two endpoints named ${name}`)
    endpoints.set(name, bind(slug, name, definition, spec))
  }
  return endpoints
}

/** An order of its own: that of a module's exports depends on who loads it. */
function readsFirst(file: Readonly<Record<string, EndpointDefinition>>): [string, EndpointDefinition][] {
  const key = ([name, { access }]: [string, EndpointDefinition]): string => `${access} ${name}`
  return Object.entries(file).toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

function bind(slug: string, name: string, definition: EndpointDefinition, spec: ConnectorSpec): Endpoint {
  const { summary, access, confirm, credits, input, output, line } = definition
  const id = `${slug}.${name}`
  const outputValidator = lazy(output)
  const asTheyAre = { ...line, names: line.names.filter((input) => definition.segments[input] === undefined) }
  return {
    app: slug,
    name,
    access,
    confirm,
    summary,
    credits,
    inputSchema: jsonSchema(input),
    outputSchema: jsonSchema(output),
    parseInput: readingOn({ id, schema: input }, inputParser({ id, schema: input, line: asTheyAre })),
    parseQuery: (params) => parseQuery(input, params),
    checkOutput: (value) => outputValidator().Check(value),
    definition,
    failure: spec.failure,
    csrf: definition.csrf === undefined && line.method !== 'GET' ? (spec.csrf ?? null) : (definition.csrf ?? null),
  }
}

function jsonSchema(schema: TSchema): JsonSchema {
  const plain: JsonSchema = structuredClone({ ...schema })
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...plain }
}
